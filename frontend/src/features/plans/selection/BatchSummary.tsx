import { useTranslation } from 'react-i18next';
import { Sheet } from '@/ui/layers/Sheet';
import styles from './BatchSummary.module.css';
import { closeBatch, failedOf, type Outcome, useBatch } from './batch';

const titles = {
  pause: 'plans.control.pause',
  resume: 'plans.control.resume',
  add: 'plans.addition.title',
} as const;

/** What worked and what did not, once all of it was tried. */
export function BatchSummary() {
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
