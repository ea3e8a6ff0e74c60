import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/controls/Button';
import { showToast } from '@/ui/feedback/toast-store';
import { Sheet } from '@/ui/layers/Sheet';
import styles from './Exclusions.module.css';
import { type Place, type Scope, useExclusion } from './use-exclusion';

type Props = {
  name: string;
  place: Place;
  /** The plan that it may concern alone. */
  plan?: string;
  onDone?: () => void;
};

/** Asks for how many plans a place is excluded. */
export function ExcludeButton({ name, place, plan, onDone }: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const exclusion = useExclusion();
  const scopes: Scope[] = plan === undefined ? ['all'] : [{ plan }, 'all'];
  const exclude = (scope: Scope) =>
    exclusion.mutate(
      { place, scope, step: 'exclude' },
      {
        onSuccess: () => {
          showToast(t('plans.sources.excluded', { name }), 'success');
          onDone?.();
        },
        onSettled: () => setOpen(false),
      },
    );
  const asked = exclusion.isPending ? kindOf(exclusion.variables.scope) : null;
  return (
    <>
      <span className={styles.exclude}>
        <Button
          variant="quiet"
          size="small"
          aria-label={t('plans.sources.exclude', { name })}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        >
          {t('plans.sources.excludeShort')}
        </Button>
      </span>
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title={t('plans.sources.excludeTitle', { name })}
        actions={scopes.map((scope, at) => (
          <Button
            key={kindOf(scope)}
            variant={at === 0 ? 'primary' : 'secondary'}
            loading={asked === kindOf(scope)}
            disabled={exclusion.isPending}
            onClick={() => exclude(scope)}
          >
            {t(`plans.sources.scope.${kindOf(scope)}`)}
          </Button>
        ))}
      >
        <p>
          {t(plan === undefined ? 'plans.sources.excludeAllText' : 'plans.sources.excludeText')}
        </p>
      </Sheet>
    </>
  );
}

function kindOf(scope: Scope) {
  return scope === 'all' ? 'all' : 'plan';
}
