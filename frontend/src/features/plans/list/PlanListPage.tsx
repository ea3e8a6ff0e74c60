import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { useAddressChoice } from '@/shared/navigation/use-address-choice';
import { Refreshable } from '@/shared/page/Refreshable';
import { ProductsSheet } from '@/shared/products/ProductsSheet';
import { useChoosing } from '@/shared/products/use-choosing';
import { Button } from '@/ui/controls/Button';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Tabs } from '@/ui/controls/Tabs';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { Skeleton } from '@/ui/feedback/Skeleton';
import { PlansPicture } from '@/ui/illustrations/PlansPicture';
import { InfiniteList } from '@/ui/lists/InfiniteList';
import { useWide } from '@/ui/use-wide';
import { PlanFilters } from '../filters/PlanFilters';
import {
  addressOf,
  everyPlan,
  isNarrowed,
  type PlanFilter,
  planFilterOf,
} from '../filters/plan-filter';
import { planStatuses } from '../plan-status';
import { plansQuery, waitingCountQuery } from '../queries';
import { SelectedPlans, SelectionButtons } from '../selection/SelectedPlans';
import { useSelection } from '../selection/use-selection';
import { PlanRow, PlanTableHead } from '../table/PlanRow';
import table from '../table/PlanTable.module.css';
import { PlanCard } from './PlanCard';
import styles from './PlanListPage.module.css';
import { useSteer } from './use-steer';

export function PlanListPage() {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  // Users who come with a coupon want to use it.
  const coupon = params.get('coupon');
  const [choosing, setChoosing] = useChoosing(coupon !== null);
  const [filter, setFilter] = useAddressChoice(planFilterOf, addressOf);
  const plans = useInfiniteQuery(plansQuery(filter));
  const steer = useSteer();
  const { selected, select, toggle } = useSelection();
  const shown = plans.data?.pages.flatMap(({ items }) => items) ?? [];
  const wide = useWide();
  const Plan = wide ? PlanRow : PlanCard;
  const { status } = filter;
  const [first] = plans.data?.pages ?? [];
  const startsBelow = first?.items.length === 0 && !isNarrowed(filter);
  const start = (size: 'large' | 'small') => (
    <Button size={size} icon="plus" onClick={() => setChoosing(true)}>
      {t('plans.start')}
    </Button>
  );
  return (
    <Refreshable>
      <div className={styles.page}>
        <PlanFilters filter={filter} onChange={setFilter} products={first?.choices?.products}>
          {!startsBelow && !selected && start('small')}
          <SelectionButtons shown={shown} selected={selected} onSelect={select} />
          {!selected && shown.length > 0 && (
            <LinkButton to="/report?by=plan" size="small" variant="secondary">
              {t('app.title.report')}
            </LinkButton>
          )}
        </PlanFilters>
        <Tabs
          label={t('plans.statuses')}
          variant="pills"
          tabs={useTabs()}
          value={status ?? 'all'}
          onChange={(key) => setFilter({ status: key === 'all' ? null : key })}
        >
          <p className={styles.about}>{t(`plans.statusAbout.${status ?? 'all'}`)}</p>
          <div className={wide ? table.table : styles.cards}>
            <InfiniteList
              query={plans}
              head={wide && <PlanTableHead {...filter} onChange={setFilter} />}
              label={t('plans.list')}
              keyOf={(plan) => plan.id}
              renderItem={(plan) => (
                <Plan
                  plan={plan}
                  selected={selected ? selected.has(plan.id) : null}
                  onSelect={toggle}
                  onSteer={steer}
                />
              )}
              skeleton={<PlanSkeletons />}
              spaced
              rowHeight={wide ? '3.5rem' : '4.375rem'}
              empty={<NoPlans filter={filter} onChange={setFilter} start={start('large')} />}
            />
          </div>
        </Tabs>
        <SelectedPlans shown={shown} selected={selected} onSelect={select} />
        <ProductsSheet open={choosing} coupon={coupon} onClose={() => setChoosing(false)} />
      </div>
    </Refreshable>
  );
}

/** The tabs for each status, with the number of plans that wait for an amount. */
function useTabs() {
  const { t } = useTranslation();
  const waiting = useQuery(waitingCountQuery).data?.count ?? 0;
  return [
    { key: 'all' as const, label: t('plans.status.all') },
    ...planStatuses.map((key) => ({
      key,
      label: t(`plans.status.${key}`),
      badge: key === 'waiting_to_put' ? waiting : 0,
    })),
  ];
}

type NoPlansProps = {
  filter: PlanFilter;
  onChange: (part: Partial<PlanFilter>) => void;
  start: ReactNode;
};

/** The content of a list without plans, or without matching plans, and what to do about it. */
function NoPlans({ filter, onChange, start }: NoPlansProps) {
  const { t } = useTranslation();
  const { search, product, site, put } = everyPlan;
  if (isNarrowed(filter)) {
    return (
      <EmptyState
        title={t('plans.filter.none')}
        description={t('plans.filter.noneHint')}
        action={
          <Button onClick={() => onChange({ search, product, site, put })}>
            {t('plans.filter.clear')}
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      picture={<PlansPicture />}
      title={filter.status ? t('plans.emptyStatus') : t('plans.empty')}
      description={t('plans.emptyHint')}
      action={start}
    />
  );
}

const cards = [1, 2, 3, 4, 5, 6];

/** Placeholders as high as the cards. */
function PlanSkeletons() {
  const { t } = useTranslation();
  return (
    <div role="status" className={styles.loading}>
      <span className="visually-hidden">{t('ui.loading')}</span>
      {cards.map((card) => (
        <Skeleton key={card} height="4.125rem" />
      ))}
    </div>
  );
}
