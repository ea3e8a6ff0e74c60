import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/controls/Button';
import { showToast } from '@/ui/feedback/toast-store';
import { type Placement, type Scope, useExclusion } from './use-exclusion';

type Props = { name: string; place: Placement; scope: Scope; onDone?: () => void };

/** The way back from where a plan, or all of them, are not shown. */
export function IncludeButton({ name, place, scope, onDone }: Props) {
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
