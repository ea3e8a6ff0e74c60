import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useProperty } from '@/api/queries/use-property';
import { StartupNotice } from '@/shared/money/StartupNotice';
import { Refreshable } from '@/shared/page/Refreshable';
import { readText, store } from '@/stored';
import { MenuRow } from '@/ui/controls/MenuRow';
import { Card } from '@/ui/display/Card';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { WaitingRecharges } from '../recharge/WaitingRecharges';
import { FundingDetail } from '../statement/FundingDetail';
import { Latest } from '../statement/Latest';
import { AssetsCard } from './AssetsCard';
import { BalanceCard } from './BalanceCard';
import { WalletLinks } from './WalletLinks';
import styles from './WalletPage.module.css';

const hiddenKey = 'wallet_hidden';

export function WalletPage() {
  const { t } = useTranslation();
  const property = useProperty();
  const [hidden, setHidden] = useState(() => readText('localStorage', hiddenKey) === '1');
  const toggle = () => {
    store('localStorage', hiddenKey, hidden ? '0' : '1');
    setHidden(!hidden);
  };
  const lines = useRef<HTMLDivElement>(null);
  const showLines = () => {
    lines.current?.focus({ preventScroll: true });
    lines.current?.scrollIntoView();
  };
  return (
    <Refreshable>
      <div className={styles.page}>
        <div className={styles.own}>
          {property.isPending && (
            // Placeholders as tall as the content, so that nothing below moves.
            <>
              <CardSkeleton lines={5} />
              <CardSkeleton lines={3} />
              <CardSkeleton lines={7} />
            </>
          )}
          {property.isError && !property.data && <Unanswered of={property} />}
          {property.data && (
            <>
              <BalanceCard property={property.data} hidden={hidden} onToggle={toggle} />
              <StartupNotice property={property.data} />
              <Latest hidden={hidden} onAll={showLines} />
              <WaitingRecharges hidden={hidden} />
              <WalletLinks property={property.data} />
              <Card flush>
                <MenuRow
                  icon="shield"
                  label={t('app.title.check')}
                  hint={t('wallet.check.hint')}
                  to="/wallet/check"
                />
              </Card>
              <AssetsCard property={property.data} hidden={hidden} />
            </>
          )}
        </div>
        <div ref={lines} tabIndex={-1} className={styles.lines}>
          <h2 className="visually-hidden">{t('wallet.funding')}</h2>
          <FundingDetail hidden={hidden} />
        </div>
      </div>
    </Refreshable>
  );
}
