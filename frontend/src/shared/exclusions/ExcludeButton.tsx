import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/controls/Button';
import { showToast } from '@/ui/feedback/toast-store';
import { showToastWithAction } from '@/ui/feedback/toast-with-action';
import { Sheet } from '@/ui/layers/Sheet';
import styles from './Exclusions.module.css';
import { type Placement, type Scope, useExclusion } from './use-exclusion';

type Props = {
  name: string;
  place: Placement;
  /** The plan that it may concern alone. */
  plan?: string;
  onChange?: (isOut: boolean) => void;
};

/** A failure has been said by the call. */
const said = () => {};

/** Asks for how many plans a place is excluded, and offers to take it back. */
export function ExcludeButton({ name, place, plan, onChange }: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const exclusion = useExclusion();
  const scopes: Scope[] = plan === undefined ? ['all'] : [{ plan }, 'all'];
  const include = async (scope: Scope) => {
    await exclusion.mutateAsync({ place, scope, step: 'include' });
    showToast(t('plans.sources.included', { name }), 'success');
    onChange?.(false);
  };
  const exclude = async (scope: Scope) => {
    await exclusion.mutateAsync({ place, scope, step: 'exclude' });
    showToastWithAction(t('plans.sources.excluded', { name }), {
      label: t('plans.control.undo'),
      run: () => void include(scope).catch(said),
    });
    onChange?.(true);
  };
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
            onClick={() =>
              void exclude(scope)
                .catch(said)
                .finally(() => setOpen(false))
            }
          >
            {t(`plans.sources.scope.${kindOf(scope)}`)}
          </Button>
        ))}
      >
        {place.exchange && <p>{t('plans.sources.excludeExchangeText')}</p>}
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

type IncludeButtonProps = { name: string; place: Placement; scope: Scope; onDone?: () => void };

/** The way back from where a plan, or all of them, are not shown. */
export function IncludeButton({ name, place, scope, onDone }: IncludeButtonProps) {
  const { t } = useTranslation();
  const exclusion = useExclusion();
  const include = () =>
    exclusion.mutate(
      { place, scope, step: 'include' },
      {
        onSuccess: () => {
          showToast(t('plans.sources.included', { name }), 'success');
          onDone?.();
        },
      },
    );
  return (
    <Button
      size="small"
      variant="secondary"
      loading={exclusion.isPending}
      aria-label={t('plans.sources.includeName', { name })}
      onClick={include}
    >
      {t('plans.sources.include')}
    </Button>
  );
}
