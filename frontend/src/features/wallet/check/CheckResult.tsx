import { useTranslation } from 'react-i18next';
import { type Download, saveFile } from '@/api/download';
import type { LogState } from '@/api/types';
import { formatCount, formatDateTime, formatMonth, formatRange } from '@/i18n/format';
import type { Failed, Passed } from '@/proof/check';
import { openCustomerService } from '@/shared/service/customer-service';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { Notice } from '@/ui/feedback/Notice';
import styles from './CheckPage.module.css';
import type { Checked, Done } from './check-months';
import { Differences } from './Differences';
import type { Witnessed } from './kept';
import { RenewalText } from './RenewalText';

type Props = Done & { onTrust: (next: Witnessed) => Promise<void> };

/** The result of a check. It is green only if everything was computed here and holds. */
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

/**
 * The witnesses that signed the checkpoint. For what this device did not check itself, there is
 * only the server's word.
 */
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

type BrokenProps = {
  month: string;
  outcome: Failed;
  file: Download;
  before: Witnessed | null;
  onTrust: (next: Witnessed) => Promise<void>;
};

/** The part that does not hold, or is not proved, and what the user can do about it. */
function Broken({ month, outcome, file, before, onTrust }: BrokenProps) {
  const { t } = useTranslation();
  const changed = outcome.outcome === 'changed' ? outcome : null;
  const trust = () => {
    if (!changed) return;
    const { keep } = changed;
    void onTrust({ ...keep, at: Date.now(), size: sizeIn(keep.checkpoint) });
  };
  return (
    <Card title={formatMonth(month)}>
      {changed ? <Changed outcome={changed} before={before} /> : <Fault outcome={outcome} />}
      {outcome.outcome === 'failed' && outcome.fault === 'screen' && (
        <Differences {...outcome.comparison} />
      )}
      <p>{t('wallet.check.keep')}</p>
      <Button icon="download" onClick={() => saveEvidence(file, before)}>
        {t('wallet.check.save')}
      </Button>
      <Button variant="secondary" icon="headset" onClick={() => openCustomerService()}>
        {t('wallet.recharges.ask')}
      </Button>
      {changed && (
        <Button variant="quiet" onClick={trust}>
          {t('wallet.check.trust')}
        </Button>
      )}
    </Card>
  );
}

function Fault({ outcome }: { outcome: Failed }) {
  const { t } = useTranslation();
  if (outcome.outcome !== 'failed') return null;
  return (
    <Notice tone="negative" urgent>
      <strong>{t('wallet.check.failed')}</strong>
      <p>{t(`wallet.check.fault.${outcome.fault}`)}</p>
    </Notice>
  );
}

type ChangedProps = { outcome: Extract<Failed, { outcome: 'changed' }>; before: Witnessed | null };

/**
 * The log was replaced by another one: by one that says how it follows the old log, or by any
 * other.
 */
function Changed({ outcome: { renewal, isKeyKnown }, before }: ChangedProps) {
  const { t } = useTranslation();
  if (!renewal || !before) {
    return (
      <Notice tone="warning" urgent>
        <strong>{t('wallet.check.changed')}</strong>
        <p>{t('wallet.check.changedText')}</p>
      </Notice>
    );
  }
  return (
    <Notice tone={renewal.seen === 'shorter' ? 'negative' : 'warning'} urgent>
      <RenewalText renewal={renewal} at={before.at} />
      {!isKeyKnown && <p>{t('wallet.check.renewal.otherKey')}</p>}
    </Notice>
  );
}

const sizeIn = (checkpoint: string) => checkpoint.split('\n')[1] ?? '';

/**
 * The file, which ends with the checkpoint that it was checked against, and the one that this device had kept, with
 * the keys: all that somebody else needs to find the same.
 */
function saveEvidence(file: Download, before: Witnessed | null) {
  saveFile(file);
  if (!before) return;
  const { checkpoint, keys, at } = before;
  const text = `# ${new Date(at).toISOString()}\n${keys.trimEnd()}\n\n${checkpoint}`;
  saveFile({ file: new Blob([text], { type: 'text/plain' }), name: 'placard-checkpoint.txt' });
}
