import { useTranslation } from 'react-i18next';
import type { PublisherInfo } from '@/api/types';
import { formatDate, formatMoney, formatPercent } from '@/i18n/format';
import frame from '@/shared/link/LinkPage.module.css';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { Notice } from '@/ui/feedback/Notice';
import { toPlot } from '@/ui/money/decimal';
import styles from './PublisherPage.module.css';

/** Whose page it is, and what it has earned. */
export function MoneyCard({ info }: { info: PublisherInfo }) {
  const { t } = useTranslation();
  const { currency } = info;
  const money = (amount: string) => formatMoney(amount, { currency });
  return (
    <Card>
      <header className={styles.head}>
        <h2 className={frame.name}>{info.name}</h2>
        {info.domain && <p className={frame.muted}>{info.domain}</p>}
      </header>
      {info.status !== 'active' && <Notice tone="warning">{t('publisher.inactive')}</Notice>}
      <p className={styles.figure}>
        <span className={frame.muted}>{t('publisher.earned')}</span>
        <strong className={styles.amount}>{money(info.money.earned)}</strong>
      </p>
      <Facts
        facts={[
          {
            label: t('publisher.payable'),
            value: money(info.money.payable),
            hint: t('publisher.payableHint', {
              count: info.money.delay_days,
              minimum: money(info.money.minimum),
            }),
          },
          toPlot(info.money.corrected) !== 0 && {
            label: t('publisher.corrected'),
            value: formatMoney(info.money.corrected, { currency, sign: true }),
          },
          { label: t('publisher.asked'), value: money(info.money.asked) },
          { label: t('publisher.paid'), value: money(info.money.paid) },
          { label: t('publisher.share'), value: formatPercent(info.share) },
        ]}
      />
      {info.link_until && (
        <p className={frame.muted}>{t('publisher.until', { date: formatDate(info.link_until) })}</p>
      )}
    </Card>
  );
}
