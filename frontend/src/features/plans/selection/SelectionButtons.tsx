import { useTranslation } from 'react-i18next';
import type { ListedPlan } from '@/api/types';
import { Button } from '@/ui/controls/Button';
import type { Selected } from './use-selection';

type Props = {
  shown: readonly ListedPlan[];
  selected: Selected | null;
  onSelect: (plans: readonly ListedPlan[] | null) => void;
};

/** Begins to select plans, and ends it: one button, which so keeps the focus. */
export function SelectionButtons({ shown, selected, onSelect }: Props) {
  const { t } = useTranslation();
  if (!selected && shown.length === 0) return null;
  const small = { size: 'small', variant: 'secondary' } as const;
  return (
    <>
      {selected && (
        <Button {...small} onClick={() => onSelect([...selected.values(), ...shown])}>
          {t('plans.selection.all')}
        </Button>
      )}
      <Button {...small} onClick={() => onSelect(selected ? null : [])}>
        {t(selected ? 'plans.selection.end' : 'plans.selection.begin')}
      </Button>
    </>
  );
}
