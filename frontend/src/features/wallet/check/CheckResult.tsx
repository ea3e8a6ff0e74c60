import { useTranslation } from 'react-i18next';
import type { LogState } from '@/api/types';
import { formatCount, formatDateTime, formatMonth, formatRange } from '@/i18n/format';
import type { Passed } from '@/proof/check';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { Notice } from '@/ui/feedback/Notice';
import { Broken } from './Broken';
import styles from './CheckPage.module.css';
import type { Checked, Done } from './check-months';
import type { Witnessed } from './kept';
import { RenewalText } from './RenewalText';

type Props = Done & {
  onTrust: (next: Witnessed) => Promise<void>;
};

/** What came out: green only where all of it was computed here and holds. */
export function CheckResult({ checked, file, log, before, kept, onTrust }: Props) {
  const last = checked.at(-1);
  if (!last || !file) return null;
  const { month, outcome } = last;
  if (outcome.outcome !== 'passed')
    return <Broken {...{ month, outcome, file, before, onTrust }} />;
  const passed = checked.flatMap(({ outcome: one }) => (one.outcome === 'passed' ? one : []));
  return <Holds months={checked} passed={passed} last={outcome} {...{ log, before, kept }} />;
}

type HoldsProps = Pick<Props, 'log' | 'before' | 'kept'> & {
  months: readonly Checked[];
  passed: readonly Passed[];
  last: Passed;
};

const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);

function Holds({ months, passed, last, log, before, kept }: HoldsProps) {
  const { t } = useTranslation();
  const [first = '', end = ''] = [months[0], months.at(-1)].map((one) =>
    formatMonth(one?.month ?? ''),
  );
  const recent = sum(passed.map(({ comparison }) => comparison.recent));
  const grew = before && formatDateTime(before.at);
  const renewal = passed.find((one) => one.renewal !== null)?.renewal;
  return (
    <>
      <Notice tone="positive" urgent>
        <strong>{t('wallet.check.passed')}</strong>
        <p>{t('wallet.check.passedText')}</p>
      </Notice>
      {renewal && before && (
        <Notice tone="warning">
          <RenewalText renewal={renewal} at={before.at} />
          <p>{t('wallet.check.renewal.goesOn')}</p>
        </Notice>
      )}
      <Card title={formatRange(first, end)}>
        <Facts
          facts={[
            {
              label: t('wallet.check.transactions'),
              value: formatCount(sum(passed.map(({ transactions }) => transactions))),
            },
            {
              label: t('wallet.check.lines'),
              value: formatCount(sum(passed.map(({ comparison }) => comparison.compared))),
            },
            { label: t('wallet.check.entries'), value: formatCount(Number(last.size)) },
            {
              label: t('wallet.check.root'),
              value: <span className={styles.hash}>{last.root}</span>,
            },
          ]}
        />
        {!renewal && (
          <p>{grew ? t('wallet.check.grew', { date: grew }) : t('wallet.check.first')}</p>
        )}
        {!kept && <Notice tone="warning">{t('wallet.check.notKept')}</Notice>}
        {recent > 0 && (
          <p>{t('wallet.check.recent', { count: recent, lines: formatCount(recent) })}</p>
        )}
        <Witnesses log={log} last={last} />
      </Card>
    </>
  );
}

/** Who else signed the checkpoint; what this device did not check itself is only the server's word. */
function Witnesses({ log, last }: { log: LogState | null; last: Passed }) {
  const { t } = useTranslation();
  if (!log || log.needed + log.witnesses.length === 0)
    return <p>{t('wallet.check.unwitnessed')}</p>;
  const missing = log.missing_since ?? (log.cosigned_at ? null : log.checkpoint_at);
  const checked = new Map(
    last.cosignatures.map(({ name, at }) => [name, new Date(at).toISOString()]),
  );
  return (
    <>
      {missing && (
        <Notice tone="warning">
          {t('wallet.check.notCosigned', { date: formatDateTime(missing) })}
        </Notice>
      )}
      <Facts
        facts={log.witnesses.map(({ name, cosigned_at }) => {
          const at = checked.get(name) ?? cosigned_at;
          return {
            label: name,
            value: at ? formatDateTime(at) : t('wallet.check.neverCosigned'),
            hint: at
              ? t(`wallet.check.cosigned.${checked.has(name) ? 'checked' : 'said'}`)
              : undefined,
          };
        })}
      />
    </>
  );
}
