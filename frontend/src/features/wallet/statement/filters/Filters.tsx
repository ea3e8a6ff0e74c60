import { useTranslation } from 'react-i18next';
import type { FlowKind } from '@/api/types';
import type { Tab } from '@/ui/controls/Tabs';
import { SearchField } from '@/ui/form/SearchField';
import { flowKindNames } from '../flow-kinds';
import styles from './Filters.module.css';
import { directions, type FlowFilter } from './flow-filter';
import { MonthField } from './MonthField';
import { withMonth } from './months';

type Props = {
  filter: FlowFilter;
  months: readonly string[];
  onMonth: (month: string | null) => void;
  onSearch: (text: string) => void;
};

/** The month, and what somebody looks for. */
export function Filters({ filter, months, onMonth, onSearch }: Props) {
  const { t } = useTranslation();
  return (
    <div className={styles.filters}>
      <SearchField
        label={t('wallet.search')}
        placeholder={t('wallet.searchBy')}
        value={filter.search}
        onSearch={onSearch}
      />
      <MonthField
        months={withMonth(months, filter.month)}
        value={filter.month ?? ''}
        onChange={(month) => onMonth(month || null)}
        all={t('wallet.allMonths')}
      />
    </div>
  );
}

type Show = 'all' | (typeof directions)[number] | FlowKind;

export function shownBy({ kind, direction }: FlowFilter): Show {
  return kind ?? direction ?? 'all';
}

/** The filter for another kind or direction. */
export function showing(show: Show): Pick<FlowFilter, 'kind' | 'direction'> {
  const direction = directions.find((one) => one === show) ?? null;
  const kind = flowKindNames.find((one) => one === show) ?? null;
  return { kind, direction };
}

/** The tabs: everything, money in, money out, and the kinds of which there are movements. */
export function useShowTabs(kinds: readonly FlowKind[], chosen: FlowKind | null): Tab<Show>[] {
  const { t } = useTranslation();
  const known = flowKindNames.filter((kind) => kind === chosen || kinds.includes(kind));
  return [
    { key: 'all', label: t('wallet.show.all') },
    ...directions.map((key) => ({ key, label: t(`wallet.show.${key}`) })),
    ...known.map((key) => ({ key, label: t(`wallet.kind.${key}`) })),
  ];
}
