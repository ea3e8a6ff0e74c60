import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isHeldBack, isTooOften } from '@/api/errors';
import { statusTerms } from '@/api/status-text';
import { Button } from '@/ui/controls/Button';
import { Icon } from '@/ui/display/Icon';
import { State } from './State';
import styles from './State.module.css';

type Props = {
  onRetry: () => void;
  message?: string;
  /** The error. If the device blocked the request, or there were too many requests, a remedy is shown. */
  error?: unknown;
  retrying?: boolean;
  /** Replaces the icon: one of ./illustrations. */
  picture?: ReactNode;
  /** An action that helps more than another try, which then becomes secondary. */
  action?: ReactNode;
};

/** `Request failed, click to reload`, or the server's own words and the same button. */
export function ErrorState({ onRetry, message, error, retrying = false, picture, action }: Props) {
  const { t } = useTranslation();
  const heldBack = isHeldBack(error) ? t('app.error.adBlocker') : undefined;
  const remedy = isTooOften(error) ? t('app.error.tooMany', statusTerms(error)) : heldBack;
  const sign = (
    <span className={styles.problem}>
      <Icon name="warning" size={30} />
    </span>
  );
  return (
    <div role="alert">
      <State
        picture={picture ?? sign}
        title={<p className={styles.title}>{message || t('ui.requestFailed')}</p>}
        description={remedy}
      >
        {action}
        <Button
          variant={action ? 'quiet' : 'secondary'}
          size="small"
          icon="reload"
          loading={retrying}
          onClick={onRetry}
        >
          {t('ui.reload')}
        </Button>
      </State>
    </div>
  );
}
