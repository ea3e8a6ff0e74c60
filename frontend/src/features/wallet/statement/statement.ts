import { useCallback, useRef, useState } from 'react';
import { downloadFile } from '@/api/download';
import type { StatementFormat } from '@/api/types';
import { formatSize } from '@/i18n/format';

/** A month of the statement, or the proof that its movements are in the public log. */
export type StatementFile = StatementFormat | 'proof';

type State = { running: StatementFile | null; failed: StatementFile | null; bytes: number };

/** Downloads a month of the statement, or its proof; a failure is shown until the next attempt. */
export function useStatement() {
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
      setState({ running: null, failed: signal.aborted ? null : format, bytes: 0 });
      throw error;
    }
  };
  const size = state.bytes > 0 ? formatSize(state.bytes) : null;
  return { running: state.running, failed: state.failed, size, save, stop };
}
