import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListedPlan } from '@/api/types';
import { setEntryStates } from '@/shared/forms/use-entry-state';
import { Button } from '@/ui/controls/Button';
import { Sheet } from '@/ui/layers/Sheet';
import styles from './BatchSummary.module.css';
import { closeBatch, failedOf, type Outcome, useBatch } from './batch';
import { SelectionBar } from './SelectionBar';
import { type Selected, selectionName } from './use-selection';

type Props = {
  shown: readonly ListedPlan[];
  selected: Selected | null;
  onSelect: (plans: readonly ListedPlan[] | null) => void;
};

/** The actions for the selected plans, their progress and their outcomes. */
export function SelectedPlans({ shown, selected, onSelect }: Props) {
  const batch = useBatch();
  // Read here, so that it is heard of also by a page that was opened after it began.
  useEffect(() => {
    if (!batch || batch.running) return;
    const failed = failedOf(batch).map(({ plan }) => plan);
    // Neither does another page in the history offer again what was done.
    setEntryStates<Selected | null>(selectionName, null);
    // The failed plans stay selected, to be tried again.
    onSelect(failed.length > 0 ? failed : null);
  }, [batch, onSelect]);
  const known = new Map(shown.map((plan) => [plan.id, plan]));
  // Plans that another filter hides stay selected as they were.
  const plans = [...(selected?.values() ?? [])].map((plan) => known.get(plan.id) ?? plan);
  return (
    <>
      {(selected || batch?.running) && <SelectionBar plans={plans} />}
      <BatchSummary />
    </>
  );
}

/** Begins to select plans, and ends it: one button, which so keeps the focus. */
export function SelectionButtons({ shown, selected, onSelect }: Props) {
  const { t } = useTranslation();
  if (!selected && shown.length === 0) return null;
  const small = { size: 'small', variant: 'secondary' } as const;
  return (
    <>
      {/* First, because the row scrolls on a phone: the way out is in sight. */}
      <Button {...small} onClick={() => onSelect(selected ? null : [])}>
        {t(selected ? 'plans.selection.end' : 'plans.selection.begin')}
      </Button>
      {selected && (
        <Button {...small} onClick={() => onSelect([...selected.values(), ...shown])}>
          {t('plans.selection.all')}
        </Button>
      )}
    </>
  );
}

const titles = {
  pause: 'plans.control.pause',
  resume: 'plans.control.resume',
  add: 'plans.addition.title',
} as const;

/** The outcomes of all plans, once all were tried. */
function BatchSummary() {
  const { t } = useTranslation();
  const batch = useBatch();
  if (!batch || batch.running) return null;
  const failed = failedOf(batch);
  const worked = batch.outcomes.filter(({ problem }) => problem === null);
  return (
    <Sheet open onClose={closeBatch} title={t(titles[batch.deed])}>
      {failed.length > 0 && (
        <>
          <Outcomes
            title={t('plans.selection.failed', { number: failed.length })}
            outcomes={failed}
          />
          <p className={styles.kept}>{t('plans.selection.kept')}</p>
        </>
      )}
      {worked.length > 0 && (
        <Outcomes
          title={t('plans.selection.worked', { number: worked.length })}
          outcomes={worked}
        />
      )}
    </Sheet>
  );
}

function Outcomes({ title, outcomes }: { title: string; outcomes: readonly Outcome[] }) {
  return (
    <section className={styles.outcomes}>
      <h3 className={styles.title}>{title}</h3>
      <ul aria-label={title} className={styles.list}>
        {outcomes.map(({ plan, problem }) => (
          <li key={plan.id}>
            <strong>{plan.product.name}</strong>{' '}
            <span className={styles.number}>{plan.plan_no}</span>
            {problem && <p className={styles.problem}>{problem}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
