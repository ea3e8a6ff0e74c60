import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { saveFile } from '@/api/download';
import { moneyCall } from '@/api/money/money-call';
import { useInvalidatingMutation } from '@/api/queries/use-invalidating-mutation';
import type { ListedPlan } from '@/api/types';
import { dayText } from '@/shared/days/days';
import { useEntryState } from '@/shared/forms/use-entry-state';
import { moneyRefusals } from '@/shared/money/RefusalNotice';
import { useNavigate } from '@/shared/navigation/use-navigate';
import { OnDemand } from '@/shared/page/OnDemand';
import { Icon, type IconName } from '@/ui/display/Icon';
import { showToast } from '@/ui/feedback/toast-store';
import { canCompare, comparePath } from '../compare/compare-address';
import { runBatch, useBatch } from './batch';
import { plansCsv } from './plans-csv';
import styles from './SelectionBar.module.css';

/** It contains the fields for amounts and the password, which the list of plans does not need. */
const loadAddToEach = async () => (await import('./AddToEach')).AddToEach;

/** The actions for the selected plans, or their progress. */
export function SelectionBar({ plans }: { plans: readonly ListedPlan[] }) {
  const { t } = useTranslation();
  const batch = useBatch();
  const { steer, add } = useDeeds();
  // Open again for those who come back from setting a password.
  const [adding, setAdding] = useEntryState('adding to each', false);
  const close = () => setAdding(false);
  const navigate = useNavigate();
  const running = batch?.running ?? false;
  const can = plans.length > 0 && !running;
  const control = (control: 'pause' | 'resume') => () => void steer({ control, plans });
  const save = () => {
    const file = new Blob([plansCsv(plans, t)], { type: 'text/csv' });
    // The file's name has the day, so that two files can be told apart.
    saveFile({ file, name: `plans-${dayText(new Date())}.csv` });
    showToast(t('plans.selection.saved'), 'success');
  };
  const compare = () => {
    if (canCompare(plans.length))
      navigate(comparePath({ of: 'ids', named: plans.map(({ id }) => id) }));
    else showToast(t('plans.compare.few'));
  };
  const deeds: Deed[] = [
    { icon: 'pause', text: t('plans.control.pause'), act: control('pause') },
    { icon: 'play', text: t('plans.control.resume'), act: control('resume') },
    {
      icon: 'plus',
      text: t('plans.selection.add'),
      name: t('plans.addition.title'),
      act: () => setAdding(true),
    },
    { icon: 'chart', text: t('app.title.compare'), act: compare },
    { icon: 'download', text: 'CSV', name: t('plans.selection.csv'), act: save },
  ];
  return (
    <section className={styles.bar} aria-label={t('plans.selection.bar')} data-bottom>
      <p className={styles.state} role="status">
        {running
          ? t('plans.selection.working', { done: batch?.outcomes.length, total: batch?.total })
          : t('plans.selection.count', { number: plans.length })}
      </p>
      <div className={styles.deeds}>
        {deeds.map(({ icon, text, name, act }) => (
          <button
            key={icon}
            type="button"
            className={styles.deed}
            aria-label={name}
            disabled={!can}
            onClick={act}
          >
            <Icon name={icon} size={20} />
            {text}
          </button>
        ))}
      </div>
      {adding && (
        <OnDemand
          load={loadAddToEach}
          onMissing={close}
          props={{
            plans,
            onClose: close,
            onAdd: (paid) => {
              close();
              void add({ ...paid, plans });
            },
          }}
        />
      )}
    </section>
  );
}

/**
 * An action. `name` is its accessible name if the visible text is shorter, because a phone shows
 * five of them in a row.
 */
type Deed = { icon: IconName; text: string; name?: string; act: () => void };

type Plans = readonly ListedPlan[];
type Steering = { control: 'pause' | 'resume'; plans: Plans };
type Addition = { amount: string; password: string; plans: Plans };

/** The summary says what was refused. */
const inline = moneyRefusals;

/** The actions for several plans. Stale queries are fetched once, at the end. */
function useDeeds() {
  const steer = useInvalidatingMutation('steerPlan', ({ control, plans }: Steering) =>
    runBatch(control, plans, ({ id }) =>
      call('POST', `/plan/order/${control}`, { body: { id }, inline }),
    ),
  );
  // Each plan has an order of its own, whose idempotency key is reused if it is repeated.
  const add = useInvalidatingMutation('addBudget', ({ plans, ...paid }: Addition) =>
    runBatch('add', plans, ({ id }) =>
      moneyCall('/plan/order/add_budget', { id, ...paid }, { inline }),
    ),
  );
  return { steer: steer.mutateAsync, add: add.mutateAsync };
}
