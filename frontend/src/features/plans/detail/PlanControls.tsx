import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Plan } from '@/api/types';
import { RefusalNotice } from '@/shared/money/RefusalNotice';
import { Button } from '@/ui/controls/Button';
import { showToast } from '@/ui/feedback/toast-store';
import { ConfirmDialog } from '@/ui/layers/ConfirmDialog';
import { type Control, usePlanControl } from '../mutations';
import { isRunning } from '../plan-status';
import styles from './PlanControls.module.css';

/** Pause, resume and stop, each after a question that explains what happens to the money. */
export function PlanControls({ plan }: { plan: Plan }) {
  const { t } = useTranslation();
  const control = usePlanControl(plan.id);
  const [asked, setAsked] = useState<Control | null>(null);
  if (!isRunning(plan)) return <RefusalNotice error={control.error} />;

  const confirm = () => {
    if (!asked) return;
    control.mutate(asked, {
      onSuccess: () => showToast(t(`plans.control.${asked}Done`), 'success'),
      onSettled: () => setAsked(null),
    });
  };
  const other = plan.paused ? 'resume' : 'pause';
  return (
    <>
      <RefusalNotice error={control.error} />
      <div className={styles.controls}>
        <Button
          size="small"
          variant="secondary"
          icon={plan.paused ? 'play' : 'pause'}
          onClick={() => setAsked(other)}
        >
          {t(`plans.control.${other}`)}
        </Button>
        <Button size="small" variant="secondary" icon="stop" onClick={() => setAsked('stop')}>
          {t('plans.control.stop')}
        </Button>
      </div>
      <ConfirmDialog
        open={asked !== null}
        title={t(`plans.control.${asked ?? 'pause'}Title`)}
        confirmLabel={t(`plans.control.${asked ?? 'pause'}`)}
        danger={asked === 'stop'}
        busy={control.isPending}
        onConfirm={confirm}
        onClose={() => setAsked(null)}
      >
        <p>{t(`plans.control.${asked ?? 'pause'}Text`)}</p>
      </ConfirmDialog>
    </>
  );
}
