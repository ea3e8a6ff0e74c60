import { useTranslation } from 'react-i18next';
import type { ReportBy } from '@/api/types';
import { FilterRow } from '@/ui/controls/FilterRow';
import { kinds } from './report-choice';

type Props = { by: ReportBy; onChange: (by: ReportBy) => void };

export function KindChoice({ by, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <FilterRow
      scrolls
      legend={t('reports.by')}
      options={kinds.map((value) => ({ value, label: t(`reports.kinds.${value}`) }))}
      value={by}
      onChange={onChange}
    />
  );
}
