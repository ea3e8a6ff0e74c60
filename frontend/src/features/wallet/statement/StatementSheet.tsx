import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { downloadFile } from '@/api/download';
import { ApiError } from '@/api/errors';
import type { StatementFormat } from '@/api/types';
import { formatSize } from '@/i18n/format';
import { Button } from '@/ui/controls/Button';
import { Notice } from '@/ui/feedback/Notice';
import { showToast } from '@/ui/feedback/toast-store';
import { Sheet } from '@/ui/layers/Sheet';
import { MonthField } from './filters/MonthField';
import { withMonth } from './filters/months';
import styles from './StatementSheet.module.css';

type Props = { open: boolean; onClose: () => void; months: readonly string[]; first: string };

/** Downloads one month of the statement as a file, to print or for a spreadsheet. */
export function StatementSheet({ open, onClose, ...months }: Props) {
  const { t } = useTranslation();
  return (
    <Sheet open={open} onClose={onClose} title={t('wallet.statementTitle')}>
      <Choice {...months} onDone={onClose} />
    </Sheet>
  );
}

type ChoiceProps = Pick<Props, 'months' | 'first'> & { onDone: () => void };

function Choice({ months, first, onDone }: ChoiceProps) {
  const { t } = useTranslation();
  const [month, setMonth] = useState(first);
  const statement = useStatement();
  // Closing the sheet cancels the download.
  useEffect(() => statement.stop, [statement.stop]);

  const save = (format: StatementFile) =>
    statement.save(month, format).then(() => {
      showToast(t(format === 'proof' ? 'wallet.proofSaved' : 'wallet.statementSaved'), 'success');
      onDone();
    });
  const button = (format: StatementFile) => (
    <Button
      variant={format === 'pdf' ? 'primary' : 'secondary'}
      loading={statement.running === format}
      disabled={statement.running !== null && statement.running !== format}
      onClick={() => void save(format).catch(() => {})}
    >
      {format === 'proof' ? t('wallet.proofSave') : t(`wallet.statementAs.${format}`)}
    </Button>
  );
  return (
    <>
      <p className="intro">{t('wallet.statementText')}</p>
      <MonthField months={withMonth(months, month)} value={month} onChange={setMonth} />
      {statement.failed !== null && (
        <Notice tone="negative" urgent>
          {t(statement.failed === 'proof' ? 'wallet.proofFailed' : 'wallet.statementFailed')}
        </Notice>
      )}
      {button('pdf')}
      {button('csv')}
      <p className="intro">{t('wallet.proofText')}</p>
      {button('proof')}
      <p className={styles.progress} role="status">
        {statement.running && (statement.size ?? t('wallet.statementMaking'))}
      </p>
    </>
  );
}

/** A month of the statement, or the proof that its movements are in the public log. */
type StatementFile = StatementFormat | 'proof';

type State = { running: StatementFile | null; failed: StatementFile | null; bytes: number };

/** Downloads a month of the statement, or its proof; a lost one is shown until the next attempt. */
function useStatement() {
  const [state, setState] = useState<State>({ running: null, failed: null, bytes: 0 });
  const request = useRef<AbortController | null>(null);
  const stop = useCallback(() => request.current?.abort(), []);

  const save = async (month: string, format: StatementFile) => {
    request.current = new AbortController();
    const { signal } = request.current;
    setState({ running: format, failed: null, bytes: 0 });
    try {
      const onProgress = (bytes: number) => setState((before) => ({ ...before, bytes }));
      const options = { signal, onProgress };
      await (format === 'proof'
        ? downloadFile('/transaction_flow/proof', { query: { month }, ...options })
        : downloadFile('/transaction_flow/export', { query: { month, format }, ...options }));
      setState({ running: null, failed: null, bytes: 0 });
    } catch (error) {
      // Why it was refused has been said; another try may be refused as well.
      const lost = !signal.aborted && !(error instanceof ApiError);
      setState({ running: null, failed: lost ? format : null, bytes: 0 });
      throw error;
    }
  };
  const size = state.bytes > 0 ? formatSize(state.bytes) : null;
  return { running: state.running, failed: state.failed, size, save, stop };
}
