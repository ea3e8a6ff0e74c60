import { useTranslation } from 'react-i18next';
import type { Currency, Statistics } from '@/api/types';
import { formatMoney, formatReturn } from '@/i18n/format';
import { TermHelp } from '@/shared/terms/TermHelp';
import { Card } from '@/ui/display/Card';
import { isPositive, ratioOf } from '@/ui/money/decimal';
import styles from './Returned.module.css';

type Props = { all: Statistics; currency: Currency };

/** What all plans have brought so far. Revenue that is not settled yet is named apart. */
export function Returned({ all, currency }: Props) {
  const { t } = useTranslation();
  const ratio = ratioOf(all.profit, all.consumed, 4);
  const gain = !all.profit.startsWith('-');
  const pending = isPositive(all.pending);
  return (
    <Card title={t('adCenter.returned.title')}>
      <dl className={styles.figures}>
        <div>
          <dt>{t('adCenter.returned.profit')}</dt>
          <dd data-gain={gain && isPositive(all.profit)}>
            {formatMoney(all.profit, currency, true)}
          </dd>
        </div>
        <div>
          <dt>{t('adCenter.returned.roi')}</dt>
          <dd data-gain={gain && isPositive(all.profit)}>
            {ratio === null ? '–' : formatReturn(ratio)}
          </dd>
        </div>
        {pending && (
          <div className={styles.pending}>
            <dt>
              {t('adCenter.returned.pending')}
              <TermHelp
                term="toBeSettled"
                amount={all.pending}
                currency={currency}
                hidden={false}
              />
            </dt>
            <dd>{formatMoney(all.pending, currency)}</dd>
          </div>
        )}
      </dl>
      <p className={styles.note}>
        {t(pending ? 'adCenter.returned.pendingNote' : 'adCenter.returned.note')}
      </p>
    </Card>
  );
}
