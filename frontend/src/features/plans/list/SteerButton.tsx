import { useTranslation } from 'react-i18next';
import type { Plan } from '@/api/types';
import { useSingleFlight } from '@/shared/forms/use-single-flight';
import { IconButton } from '@/ui/controls/IconButton';
import styles from './PlanCard.module.css';

export type Steer = (plan: Plan, control: 'pause' | 'resume') => Promise<unknown>;

type Props = { plan: Plan; onSteer: Steer };

/** Pauses a plan that runs, and lets it go on, from the list. */
export function SteerButton({ plan, onSteer }: Props) {
  const { t } = useTranslation();
  const { busy, once } = useSingleFlight();
  const control = plan.paused ? 'resume' : 'pause';
  const name = `${plan.product.name}, ${plan.plan_no}`;
  return (
    <IconButton
      icon={plan.paused ? 'play' : 'pause'}
      label={t('plans.control.of', { control: t(`plans.control.${control}`), plan: name })}
      className={styles.steer}
      aria-busy={busy}
      onClick={() => void once(() => onSteer(plan, control))}
    />
  );
}
