import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { downloadFile } from '@/api/download';
import { ApiError } from '@/api/errors';
import { formatCount } from '@/i18n/format';
import { MenuRow } from '@/ui/controls/MenuRow';
import { Notice } from '@/ui/feedback/Notice';
import styles from './ExportRow.module.css';

type State = { kind: 'idle' | 'done' | 'failed' } | { kind: 'running'; bytes: number };

/**
 * Downloads everything stored about the user, as one file. It is created while it is downloaded, so
 * there is no percentage.
 */
export function ExportRow() {
  const { t } = useTranslation();
  const [state, setState] = useState<State>({ kind: 'idle' });
  const start = async () => {
    setState({ kind: 'running', bytes: 0 });
    try {
      await downloadFile('/user/export', {
        onProgress: (bytes) => setState({ kind: 'running', bytes }),
      });
      setState({ kind: 'done' });
    } catch (error) {
      // Why it was refused has been said.
      setState({ kind: error instanceof ApiError ? 'idle' : 'failed' });
    }
  };
  const hint =
    state.kind === 'running'
      ? t('me.export.running', { size: formatCount(Math.round(state.bytes / 1024)) })
      : t('me.export.hint');
  return (
    <>
      <MenuRow
        icon="download"
        label={t('me.export.label')}
        hint={hint}
        busy={state.kind === 'running'}
        onClick={start}
      />
      <div className={styles.outcome} role="status">
        {state.kind === 'done' && <Notice tone="positive">{t('me.export.done')}</Notice>}
        {state.kind === 'failed' && <Notice tone="warning">{t('me.export.failed')}</Notice>}
      </div>
    </>
  );
}
