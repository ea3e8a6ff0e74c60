import type { TFunction } from 'i18next';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeliveryPlace, DeliverySource, PlanDetail } from '@/api/types';
import { formatCount, formatPercent } from '@/i18n/format';
import { ExcludeButton } from '@/shared/exclusions/ExcludeButton';
import { SiteName } from '@/shared/exclusions/SiteName';
import type { Placement } from '@/shared/exclusions/use-exclusion';
import { classNames } from '@/ui/class-names';
import { Card } from '@/ui/display/Card';
import { Disclosure } from '@/ui/display/Disclosure';
import { IconDisc } from '@/ui/display/IconDisc';
import { ratioOf } from '@/ui/money/decimal';
import { isRunning } from '../plan-status';
import styles from './SourcesCard.module.css';

/** How many are shown before the others are asked for. */
const first = { sources: 2, places: 3 };

/** The placements and ad exchanges through which the plan was delivered. */
export function SourcesCard({ plan }: { plan: PlanDetail }) {
  const { t } = useTranslation();
  const shown = plan.sources.filter(({ impressions, clicks }) => impressions > 0 || clicks > 0);
  if (shown.length === 0) return null;
  const kinds = new Set(shown.map(({ kind }) => kind));
  return (
    <Card title={t('plans.sources.title')}>
      <div className={styles.notes}>
        {kinds.has('slot') && <p>{t('plans.sources.slotHint')}</p>}
        {kinds.has('exchange') && <p>{t('plans.sources.exchangeHint')}</p>}
      </div>
      <Folded
        items={shown}
        most={first.sources}
        label={t('plans.sources.title')}
        more={(number) => t('plans.sources.more', { number })}
        className={styles.sources}
        row={(source) => (
          <Source
            key={`${source.kind} ${source.name} ${source.slot ?? ''}`}
            source={source}
            plan={plan}
          />
        )}
      />
    </Card>
  );
}

function Source({ source, plan }: { source: DeliverySource; plan: PlanDetail }) {
  const { t } = useTranslation();
  const id = useId();
  const { kind, slot, places } = source;
  const isPlace = kind === 'slot' || kind === 'exchange';
  const name = isPlace ? source.name : t(`plans.sources.${kind}`);
  return (
    <li className={styles.source} aria-labelledby={id}>
      <div className={styles.head}>
        <IconDisc name={kind === 'exchange' ? 'globe' : 'device'} />
        <div className={styles.names}>
          <h3 id={id} className={styles.name}>
            {name}
          </h3>
          {kind !== 'others' && <p className={styles.kind}>{whatItIs(t, source)}</p>}
        </div>
        {isPlace && (
          <Exclude
            plan={plan}
            name={name}
            place={slot === null ? { exchange: source.name } : { slot }}
          />
        )}
      </div>
      <Counts figures={[...useFigures(source), ...useWinRate(source)]} />
      {places.length > 0 && <Places places={places} plan={plan} />}
    </li>
  );
}

function whatItIs(t: TFunction, { kind, slot }: DeliverySource) {
  if (kind === 'exchange') return t('plans.sources.exchange');
  if (kind === 'unknown') return t('reports.unknownHint');
  return `${t('plans.events.slot')} · ${slot ?? ''}`;
}

/**
 * A button that excludes a placement. One that is excluded already is listed below, and a plan that
 * has ended is not shown anywhere.
 */
function Exclude({ plan, name, place }: { plan: PlanDetail; name: string; place: Placement }) {
  const isOut = plan.exclusions.some(
    ({ slot, site, exchange }) =>
      slot === (place.slot ?? null) &&
      site === (place.site?.toLowerCase() ?? null) &&
      exchange === (place.exchange ?? null),
  );
  if (isOut || !isRunning(plan)) return null;
  return <ExcludeButton plan={plan.id} name={name} place={place} />;
}

type Figure = { label: string; value: string; hint?: string };

/** Figures beside each other, each after its name. */
function Counts({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className={styles.counts}>
      {figures.map(({ label, value, hint }) => (
        <div key={label}>
          <dt>{label}</dt> <dd className={styles.count}>{value}</dd>
          {hint && <dd>{hint}</dd>}
        </div>
      ))}
    </dl>
  );
}

function useFigures(of: DeliveryPlace | DeliverySource): Figure[] {
  const { t } = useTranslation();
  return [
    { label: t('plans.impressions'), value: formatCount(of.impressions) },
    { label: t('plans.clicks'), value: formatCount(of.clicks) },
    { label: t('plans.ratios.viewable'), value: viewableShare(of) },
  ];
}

function useWinRate(source: DeliverySource): Figure[] {
  const { t } = useTranslation();
  const won = winRate(source);
  if (!won) return [];
  const counts = { shown: formatCount(source.impressions), offered: formatCount(won.bids) };
  return [
    {
      label: t('plans.sources.winRate'),
      value: formatPercent(won.rate),
      hint: t('plans.sources.winRateHint', counts),
    },
  ];
}

/**
 * The server saves bids at intervals, so the impressions that they led to can be ahead of them: then
 * there is no rate that could be true.
 */
function winRate({ impressions, bids }: DeliverySource) {
  if (!bids || bids < impressions) return null;
  const rate = ratioOf(String(impressions), String(bids), 6);
  return rate === null ? null : { rate, bids };
}

function viewableShare({ viewable, impressions }: DeliveryPlace | DeliverySource) {
  return formatPercent(ratioOf(String(viewable), String(impressions), 6));
}

function Places({ places, plan }: { places: readonly DeliveryPlace[]; plan: PlanDetail }) {
  const { t } = useTranslation();
  const title = t('plans.sources.places');
  return (
    <div className={styles.places}>
      <h4 className={styles.subtitle}>{title}</h4>
      <Folded
        items={places}
        most={first.places}
        label={title}
        more={(number) => t('plans.sources.morePlaces', { number })}
        className={styles.rows}
        row={(place) => <Place key={place.name} place={place} plan={plan} />}
      />
    </div>
  );
}

function Place({ place, plan }: { place: DeliveryPlace; plan: PlanDetail }) {
  const { t } = useTranslation();
  return (
    <li className={styles.place}>
      {place.name === '' ? (
        <span className={styles.unnamed}>{t('plans.sources.unnamed')}</span>
      ) : (
        <div className={styles.named}>
          <span className={styles.placeName}>
            <SiteName name={place.name} />
          </span>
          <Exclude plan={plan} name={place.name} place={{ site: place.name }} />
        </div>
      )}
      <Counts figures={useFigures(place)} />
    </li>
  );
}

type FoldedProps<T> = {
  items: readonly T[];
  most: number;
  label: string;
  more: (number: string) => string;
  className: string | undefined;
  row: (item: T) => ReactNode;
};

/** The first of a list, and the others on demand. */
function Folded<T>({ items, most, label, more, className, row }: FoldedProps<T>) {
  const { t } = useTranslation();
  // A fold that hides a single one is longer than what it hides.
  const cut = items.length > most + 1 ? most : items.length;
  const others = items.slice(cut);
  const name = more(formatCount(others.length));
  return (
    <>
      <ul className={className} aria-label={label}>
        {items.slice(0, cut).map(row)}
      </ul>
      {others.length > 0 && (
        <Disclosure label={(open) => (open ? t('plans.sources.fewer') : name)}>
          <ul className={classNames(className, styles.others)} aria-label={name}>
            {others.map(row)}
          </ul>
        </Disclosure>
      )}
    </>
  );
}
