import { useTranslation } from 'react-i18next';
import { Link } from '@/ui/controls/Link';
import { Card } from '@/ui/display/Card';
import { useWaitingRecharges } from './queries';
import styles from './RechargePage.module.css';
import { RechargeRow } from './RechargeRow';

/** Money on its way into the wallet. Without any, there is no card. */
export function WaitingRecharges({ hidden }: { hidden: boolean }) {
  const { t } = useTranslation();
  const waiting = useWaitingRecharges().data?.items ?? [];
  if (waiting.length === 0) return null;
  return (
    <Card
      title={t('wallet.recharges.waiting')}
      aside={
        <Link to="/wallet/recharge" className={styles.all}>
          {t('wallet.recharges.title')}
        </Link>
      }
    >
      <ul className={styles.list}>
        {waiting.map((recharge) => (
          <li key={recharge.id}>
            <RechargeRow recharge={recharge} hidden={hidden} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
