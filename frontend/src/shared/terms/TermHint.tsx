import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/controls/Button';
import { Notice } from '@/ui/feedback/Notice';
import { dismissHint, useHint } from './hint';
import styles from './TermHint.module.css';

/** Points out the question marks, once. */
export function TermHint() {
  const { t } = useTranslation();
  if (!useHint()) return null;
  const close = () => {
    dismissHint();
    // The focus would be lost with the button, so it moves to what the hint was about.
    document.querySelector<HTMLElement>('[data-term]')?.focus();
  };
  return (
    <Notice
      action={
        <div className={styles.action}>
          <Button size="small" variant="quiet" onClick={close}>
            {t('terms.understood')}
          </Button>
        </div>
      }
    >
      {t('terms.hint')}
    </Notice>
  );
}
