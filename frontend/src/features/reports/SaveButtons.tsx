import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { downloadFile } from '@/api/download';
import { Button } from '@/ui/controls/Button';
import { Notice } from '@/ui/feedback/Notice';
import { showToast } from '@/ui/feedback/toast-store';
import { askedFor } from './queries';
import { type ReportChoice, rangeOfDays } from './report-choice';
import styles from './SaveButtons.module.css';

const formats = ['pdf', 'csv'] as const;
type Format = (typeof formats)[number];

/** The report as a file, in the reader's language. */
export function SaveButtons({ choice }: { choice: ReportChoice }) {
  const { t } = useTranslation();
  const [running, setRunning] = useState<Format | null>(null);
  const [failed, setFailed] = useState(false);
  const request = useRef<AbortController | null>(null);
  // Leaving the page cancels the download.
  useEffect(() => () => request.current?.abort(), []);

  const save = async (format: Format) => {
    request.current = new AbortController();
    const { signal } = request.current;
    setRunning(format);
    setFailed(false);
    try {
      const asked = askedFor(rangeOfDays(choice.days, new Date()), choice.by);
      await downloadFile('/report', { query: { ...asked, format }, signal });
      showToast(t('reports.saved'), 'success');
    } catch {
      setFailed(!signal.aborted);
    }
    setRunning(null);
  };
  return (
    <>
      <div className={styles.buttons}>
        {formats.map((format) => (
          <Button
            key={format}
            size="small"
            variant="secondary"
            icon="download"
            aria-label={t('reports.saveAs', { format: format.toUpperCase() })}
            loading={running === format}
            disabled={running !== null && running !== format}
            onClick={() => void save(format)}
          >
            {format.toUpperCase()}
          </Button>
        ))}
      </div>
      {failed && (
        <Notice tone="negative" urgent>
          {t('reports.failed')}
        </Notice>
      )}
    </>
  );
}
