import type { ListedPlan } from '@/api/types';
import { planPath } from '@/pages';
import { Link } from '@/ui/controls/Link';
import styles from './PlanCover.module.css';

export type PlanProps = {
  plan: ListedPlan;
  /** Whether it is one of the selected; null where none can be selected. */
  selected: boolean | null;
  /** Selects it, or no longer; a finger that stays begins with it. */
  onSelect: (plan: ListedPlan) => void;
};

type Props = PlanProps & {
  /** The id of what the link is called. */
  name: string;
};

/** Lies over all of a plan in the list: it leads to the plan, or selects it. */
export function PlanCover({ plan, selected, onSelect, name }: Props) {
  if (selected === null) {
    return <Link className={styles.cover} to={planPath(plan.id)} aria-labelledby={name} />;
  }
  return (
    <label className={styles.cover}>
      <input
        type="checkbox"
        className={styles.check}
        aria-label={`${plan.product.name}, ${plan.plan_no}`}
        checked={selected}
        onChange={() => onSelect(plan)}
      />
    </label>
  );
}
