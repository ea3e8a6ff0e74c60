import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { downloadFile } from '@/api/download';
import { publisherHeaders } from '@/api/publisher';
import type { Currency, StatementFormat } from '@/api/types';
import { formatMoney, formatMonth, formatUtcDay } from '@/i18n/format';
import frame from '@/shared/link/LinkPage.module.css';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { Skeleton } from '@/ui/feedback/Skeleton';
import { showToast } from '@/ui/feedback/toast-store';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { SelectField } from '@/ui/form/SelectField';
import styles from './PublisherPage.module.css';
import { usePublisherMonths, usePublisherStatement } from './queries';

type Props = { link: string; currency: Currency };

/** Each month's statement, to read and to download. */
export function MonthsCard({ link, currency }: Props) {
  const { t } = useTranslation();
  const months = usePublisherMonths(link);
  const [chosen, setChosen] = useState<string | null>(null);
  const items = months.data?.items ?? [];
  const month = chosen ?? items[0];
  return (
    <Card title={t('publisher.statements')}>
      {month ? (
        <div className={frame.stack}>
          <SelectField
            label={t('publisher.month')}
            value={month}
            options={items.map((value) => ({ value, label: formatMonth(value) }))}
            onChange={setChosen}
          />
          <Month link={link} month={month} currency={currency} />
        </div>
      ) : months.data ? (
        <p className={frame.muted}>{t('publisher.noStatements')}</p>
      ) : (
        <Unanswered of={months} meanwhile={<Skeleton height="6em" />} />
      )}
    </Card>
  );
}

function Month({ link, month, currency }: Props & { month: string }) {
  const { t } = useTranslation();
  const statement = usePublisherStatement(link, month);
  const [loading, setLoading] = useState<string | null>(null);
  const money = (amount: string) => formatMoney(amount, { currency });
  const download = async (format: StatementFormat) => {
    setLoading(format);
    try {
      const query = { month, format };
      const headers = publisherHeaders(link);
      await downloadFile('/publisher/statement/export', { query, headers });
    } catch (error) {
      showToast((error instanceof Error && error.message) || t('ui.requestFailed'), 'failure');
    } finally {
      setLoading(null);
    }
  };
  const { data } = statement;
  return (
    <>
      {data ? (
        <Facts
          facts={[
            { label: t('publisher.opening'), value: money(data.opening) },
            { label: t('publisher.earned'), value: money(data.earned) },
            { label: t('publisher.paid'), value: money(data.paid) },
            ...data.corrections.map(({ time, amount, reason }) => ({
              key: `${time} ${amount}`,
              label: t('publisher.correctionOf', { date: formatUtcDay(time.slice(0, 10)) }),
              value: formatMoney(amount, { currency, sign: true }),
              hint: reason,
            })),
            { label: t('publisher.closing'), value: money(data.closing) },
          ]}
        />
      ) : (
        <Unanswered of={statement} meanwhile={<Skeleton height="8em" />} />
      )}
      <div className={styles.files}>
        {(['pdf', 'csv'] as const).map((format) => (
          <Button
            key={format}
            variant="secondary"
            loading={loading === format}
            onClick={() => void download(format)}
          >
            {t(`publisher.${format}`)}
          </Button>
        ))}
      </div>
    </>
  );
}
