import { useTranslation } from 'react-i18next';
import type { PlanDetail } from '@/api/types';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { showToast } from '@/ui/feedback/toast-store';
import styles from './Exclusions.module.css';
import { useExclusion } from './use-exclusion';

type Excluded = PlanDetail['exclusions'][number];

/** Where a plan is not shown, each with the way back. */
export function ExclusionsCard({ plan }: { plan: PlanDetail }) {
  const { t } = useTranslation();
  if (plan.exclusions.length === 0) return null;
  const title = t('plans.sources.exclusions');
  return (
    <Card title={title}>
      <ul className={styles.rows} aria-label={title}>
        {plan.exclusions.map((excluded) => (
          <Row
            key={`${excluded.slot ?? ''} ${excluded.site ?? ''} ${excluded.all_plans}`}
            plan={plan.id}
            excluded={excluded}
          />
        ))}
      </ul>
    </Card>
  );
}

function Row({ plan, excluded }: { plan: string; excluded: Excluded }) {
  const { t } = useTranslation();
  const exclusion = useExclusion(plan);
  const { slot, publisher, site, all_plans: all } = excluded;
  const name = site ?? `${publisher ?? ''} · ${slot ?? ''}`;
  const include = () =>
    exclusion.mutate(
      { place: slot === null ? { site } : { slot }, scope: all ? 'all' : 'plan', step: 'include' },
      { onSuccess: () => showToast(t('plans.sources.included', { name }), 'success') },
    );
  return (
    <li className={styles.row}>
      <span className={styles.name}>
        {name}
        <small>{t(`plans.sources.for.${all ? 'all' : 'plan'}`)}</small>
      </span>
      <Button
        size="small"
        variant="secondary"
        loading={exclusion.isPending}
        aria-label={t('plans.sources.includeName', { name })}
        onClick={include}
      >
        {t('plans.sources.include')}
      </Button>
    </li>
  );
}
