import { useTranslation } from 'react-i18next';
import type { Withdrawal } from '@/api/types';
import { formatMoney } from '@/i18n/format';
import { Button } from '@/ui/controls/Button';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { Icon } from '@/ui/display/Icon';
import { StatusTag } from '@/ui/display/StatusTag';
import styles from './WithdrawPage.module.css';
import { withdrawalTones } from './withdrawal-tones';

type Props = {
  withdrawal: Withdrawal;
  simulated: boolean;
  onAgain: () => void;
};

export function WithdrawResult({ withdrawal, simulated, onAgain }: Props) {
  const { t } = useTranslation();
  const { amount, fee, status } = withdrawal;
  return (
    <Card>
      <div className={styles.result} role="status">
        <span className={styles.disc}>
          <Icon name="check" size={36} />
        </span>
        <h2 className={styles.title}>{t('wallet.asked')}</h2>
        <p className={styles.hint}>{t(simulated ? 'wallet.askedSimulated' : 'wallet.askedHint')}</p>
      </div>
      <Facts
        facts={[
          { label: t('wallet.withdrawAmount'), value: formatMoney(amount) },
          { label: t('wallet.feePlain'), value: formatMoney(fee) },
          {
            label: t('wallet.statusLabel'),
            value: (
              <StatusTag tone={withdrawalTones[status]}>
                {t(`wallet.withdrawal.${status}`)}
              </StatusTag>
            ),
          },
        ]}
      />
      <LinkButton to="/wallet">{t('wallet.toWallet')}</LinkButton>
      <Button variant="secondary" onClick={onAgain}>
        {t('wallet.again')}
      </Button>
    </Card>
  );
}
