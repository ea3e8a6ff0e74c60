import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/controls/Button';
import { SearchField } from '@/ui/form/SearchField';
import { useWide } from '@/ui/use-wide';
import { type FilterProps, FilterSheet } from './FilterSheet';
import styles from './PlanFilters.module.css';
import type { KeptDays } from './PutTimeField';
import { countSet } from './plan-filter';

type Props = Omit<FilterProps, 'products'> & {
  /** The known products. The previous ones stay while a list is loading. */
  products: FilterProps['products'] | undefined;
  /** Further buttons beside that of the filters. */
  children: ReactNode;
};

/** The search field and the buttons above the list. */
export function PlanFilters({ filter, onChange, products, children }: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const known = useRef<FilterProps['products']>([]);
  if (products) known.current = products;
  const kept: KeptDays = useRef(null);
  const number = countSet(filter);
  const label = t('plans.filter.search');
  return (
    <div className={styles.filters}>
      <SearchField
        label={label}
        placeholder={useWide() ? label : t('ui.startSearch')}
        value={filter.search}
        onSearch={(search) => onChange({ search })}
      />
      <div className={styles.buttons}>
        <Button size="small" variant="secondary" onClick={() => setOpen(true)}>
          {number ? t('plans.filter.set', { number }) : t('wallet.filters')}
        </Button>
        {children}
      </div>
      <FilterSheet
        open={open}
        onClose={() => setOpen(false)}
        filter={filter}
        onChange={onChange}
        products={known.current}
        kept={kept}
      />
    </div>
  );
}
