import { useTranslation } from 'react-i18next';
import type { ListedPlan } from '@/api/types';
import { Button } from '@/ui/controls/Button';
import type { Selected } from './use-selection';

type Props = {
  shown: readonly ListedPlan[];
  selected: Selected | null;
  onSelect: (plans: readonly ListedPlan[] | null) => void;
};

/** Begins to select plans, and ends it. */
export function SelectionButtons({ shown, selected, onSelect }: Props) {
  const { t } = useTranslation();
  if (!selected) {
    if (shown.length === 0) return null;
    return (
      <Button size="small" variant="secondary" onClick={() => onSelect([])}>
        {t('plans.selection.begin')}
      </Button>
    );
  }
  return (
    <>
      <Button
        size="small"
        variant="secondary"
        onClick={() => onSelect([...selected.values(), ...shown])}
      >
        {t('plans.selection.all')}
      </Button>
      <Button size="small" variant="secondary" onClick={() => onSelect(null)}>
        {t('plans.selection.end')}
      </Button>
    </>
  );
}
