import { useTranslation } from 'react-i18next';
import { type Download, saveFile } from '@/api/download';
import { formatMonth } from '@/i18n/format';
import type { Failed } from '@/proof/check';
import { openCustomerService } from '@/shared/service/customer-service';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { Notice } from '@/ui/feedback/Notice';
import { Differences } from './Differences';
import type { Witnessed } from './kept';
import { RenewalText } from './RenewalText';

type Props = {
  month: string;
  outcome: Failed;
  file: Download;
  before: Witnessed | null;
  onTrust: (next: Witnessed) => Promise<void>;
};

/** What does not hold, or is not proved, and what to do with it. */
export function Broken({ month, outcome, file, before, onTrust }: Props) {
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

type ChangedProps = {
  outcome: Extract<Failed, { outcome: 'changed' }>;
  before: Witnessed | null;
};

/** Another log: one that says how it follows the old one, or any other. */
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
