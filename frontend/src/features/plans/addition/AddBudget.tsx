import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlanDetail } from '@/api/types';
import { useEntryState } from '@/shared/forms/use-entry-state';
import { Button } from '@/ui/controls/Button';
import { showToast } from '@/ui/feedback/toast-store';
import { Sheet } from '@/ui/layers/Sheet';
import styles from './AddBudget.module.css';
import { AddBudgetForm } from './AddBudgetForm';

/** Adding to a plan's budget, where the server says that the plan takes more. */
export function AddBudget({ plan }: { plan: PlanDetail }) {
  const { t } = useTranslation();
  // Open again for those who come back from setting a password.
  const [adding, setAdding] = useEntryState('adding', false);
  // A plan that ends meanwhile must not take away what is being typed, nor why it was refused.
  const last = useRef(plan.addable ?? null);
  if (plan.addable) last.current = plan.addable;
  return (
    <>
      {plan.addable && (
        <div className={styles.add}>
          <Button size="small" variant="secondary" icon="plus" onClick={() => setAdding(true)}>
            {t('plans.addition.title')}
          </Button>
        </div>
      )}
      <Sheet
        open={adding && last.current !== null}
        onClose={() => setAdding(false)}
        title={t('plans.addition.title')}
      >
        {last.current && (
          <AddBudgetForm
            plan={plan}
            addable={last.current}
            onDone={() => {
              setAdding(false);
              showToast(t('plans.addition.done'), 'success');
            }}
          />
        )}
      </Sheet>
    </>
  );
}
