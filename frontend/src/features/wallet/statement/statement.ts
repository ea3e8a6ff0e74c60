import { useCallback, useRef, useState } from 'react';
import { downloadFile } from '@/api/download';
import type { StatementFormat } from '@/api/types';
import { formatSize } from '@/i18n/format';

type State = { running: StatementFormat | null; failed: boolean; bytes: number };

/** Downloads a month of the statement; a failure is shown until the next attempt. */
export function useStatement() {
  const [state, setState] = useState<State>({ running: null, failed: false, bytes: 0 });
  const request = useRef<AbortController | null>(null);
  const stop = useCallback(() => request.current?.abort(), []);

  const save = async (month: string, format: StatementFormat) => {
    request.current = new AbortController();
    const { signal } = request.current;
    setState({ running: format, failed: false, bytes: 0 });
    try {
      await downloadFile('/transaction_flow/export', {
        query: { month, format },
        signal,
        onProgress: (bytes) => setState((before) => ({ ...before, bytes })),
      });
      setState({ running: null, failed: false, bytes: 0 });
    } catch (error) {
      setState({ running: null, failed: !signal.aborted, bytes: 0 });
      throw error;
    }
  };
  const size = state.bytes > 0 ? formatSize(state.bytes) : null;
  return { running: state.running, failed: state.failed, size, save, stop };
}
