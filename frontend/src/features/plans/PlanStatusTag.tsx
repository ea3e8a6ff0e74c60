import { useTranslation } from 'react-i18next';
import type { Plan } from '@/api/types';
import { StatusTag } from '@/ui/display/StatusTag';
import { statusTones } from './plan-status';

/** Where the plan stands; while it is paused, that. */
export function PlanStatusTag({
  plan: { paused, status },
}: {
  plan: Pick<Plan, 'paused' | 'status'>;
}) {
  const { t } = useTranslation();
  if (paused) return <StatusTag tone="warning">{t('plans.paused')}</StatusTag>;
  return <StatusTag tone={statusTones[status]}>{t(`plans.status.${status}`)}</StatusTag>;
}
