import { useTranslation } from 'react-i18next';
import type { PlanSort } from '@/api/types';

/** The names of the sort orders in the reader's language. */
export function useSortNames(): Record<PlanSort, string> {
  const { t } = useTranslation();
  return {
    newest: t('plans.filter.date'),
    profit: t('adCenter.figures.profit'),
    roi: t('plans.roi'),
    consumed: t('plans.consumed'),
    conversions: t('plans.conversions'),
  };
}
