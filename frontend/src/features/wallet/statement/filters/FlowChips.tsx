import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/controls/Button';
import styles from '../FundingDetail.module.css';
import { planNumberQuery } from '../queries';
import type { FlowFilter } from './flow-filter';
import { stretchName } from './stretch-name';

type Props = { filter: FlowFilter; onChange: (part: Partial<FlowFilter>) => void };

/** Filters without a picker: the period and the plan that a link led to. */
export function FlowChips({ filter, onChange }: Props) {
  const { t } = useTranslation();
  const { stretch, plan } = filter;
  if (!stretch && !plan) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame of its own.
    <div role="group" aria-label={t('wallet.filters')} className={styles.chips}>
      {stretch && <Chip text={stretchName(stretch)} onDrop={() => onChange({ stretch: null })} />}
      {plan && <PlanChip id={plan} onDrop={() => onChange({ plan: null })} />}
    </div>
  );
}

function PlanChip({ id, onDrop }: { id: string; onDrop: () => void }) {
  const { t } = useTranslation();
  const { data: number } = useQuery(planNumberQuery(id));
  return (
    <Chip text={number ? t('wallet.ofPlan', { number }) : t('wallet.onePlan')} onDrop={onDrop} />
  );
}

function Chip({ text, onDrop }: { text: string; onDrop: () => void }) {
  const { t } = useTranslation();
  return (
    <Button
      size="small"
      variant="secondary"
      icon="close"
      aria-label={t('wallet.dropFilter', { filter: text })}
      onClick={onDrop}
    >
      {text}
    </Button>
  );
}
