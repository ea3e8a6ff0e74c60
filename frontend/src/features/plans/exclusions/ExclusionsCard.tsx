import { useTranslation } from 'react-i18next';
import type { PlanDetail } from '@/api/types';
import { IncludeButton } from '@/shared/exclusions/ExcludeButton';
import { SiteName } from '@/shared/exclusions/SiteName';
import type { Placement } from '@/shared/exclusions/use-exclusion';
import { Card } from '@/ui/display/Card';
import styles from './Exclusions.module.css';

type Excluded = PlanDetail['exclusions'][number];

/** The placements that a plan excludes, each with a button to include it again. */
export function ExclusionsCard({ plan }: { plan: PlanDetail }) {
  const { t } = useTranslation();
  if (plan.exclusions.length === 0) return null;
  const title = t('plans.sources.exclusions');
  return (
    <Card title={title}>
      <ul className={styles.rows} aria-label={title}>
        {plan.exclusions.map((excluded) => (
          <Row
            key={[excluded.slot, excluded.site, excluded.exchange, excluded.all_plans].join('|')}
            plan={plan.id}
            excluded={excluded}
          />
        ))}
      </ul>
    </Card>
  );
}

function placeOf({ slot, site, exchange }: Excluded): Placement {
  if (exchange !== null) return { exchange };
  return slot === null ? { site } : { slot };
}

function Row({ plan, excluded }: { plan: string; excluded: Excluded }) {
  const { t } = useTranslation();
  const { slot, publisher, site, exchange, all_plans: all } = excluded;
  const name = site ?? exchange ?? `${publisher ?? ''} · ${slot ?? ''}`;
  return (
    <li className={styles.row}>
      <span className={styles.name}>
        <SiteName name={name} />
        <small>{t(`plans.sources.for.${all ? 'all' : 'plan'}`)}</small>
      </span>
      <IncludeButton name={name} place={placeOf(excluded)} scope={all ? 'all' : { plan }} />
    </li>
  );
}
