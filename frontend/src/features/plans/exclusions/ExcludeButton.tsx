import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/controls/Button';
import { IconButton } from '@/ui/controls/IconButton';
import { showToast } from '@/ui/feedback/toast-store';
import { Sheet } from '@/ui/layers/Sheet';
import styles from './Exclusions.module.css';
import { type Exclusion, type Scope, useExclusion } from './use-exclusion';

type Props = { plan: string; name: string; place: Exclusion['place'] };

/** Asks for how many plans a place is excluded. */
export function ExcludeButton({ plan, name, place }: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const exclusion = useExclusion(plan);
  const exclude = (scope: Scope) =>
    exclusion.mutate(
      { place, scope, step: 'exclude' },
      {
        onSuccess: () => showToast(t('plans.sources.excluded', { name }), 'success'),
        onSettled: () => setOpen(false),
      },
    );
  const busy = (scope: Scope) => exclusion.isPending && exclusion.variables.scope === scope;
  return (
    <>
      <IconButton
        icon="close"
        size={16}
        className={styles.exclude}
        label={t('plans.sources.exclude', { name })}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title={t('plans.sources.excludeTitle', { name })}
        actions={(['plan', 'all'] as const).map((scope) => (
          <Button
            key={scope}
            variant={scope === 'plan' ? 'primary' : 'secondary'}
            loading={busy(scope)}
            disabled={exclusion.isPending}
            onClick={() => exclude(scope)}
          >
            {t(`plans.sources.scope.${scope}`)}
          </Button>
        ))}
      >
        <p>{t('plans.sources.excludeText')}</p>
      </Sheet>
    </>
  );
}
