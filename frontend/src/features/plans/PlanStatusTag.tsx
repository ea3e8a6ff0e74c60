import { useTranslation } from 'react-i18next';
import type { Plan } from '@/api/types';
import { StatusTag } from '@/ui/display/StatusTag';
import { statusTones } from './plan-status';
import { closedText } from './schedule/schedule-text';

type Shown = Pick<Plan, 'paused' | 'status'> & Partial<Pick<Plan, 'begins_at' | 'opens_at'>>;

/** The plan's status, or that it is paused or not shown at this time. */
export function PlanStatusTag({ plan }: { plan: Shown }) {
  const { paused, status } = plan;
  const { t } = useTranslation();
  if (paused) return <StatusTag tone="warning">{t('plans.paused')}</StatusTag>;
  const closed = closedText(plan, t);
  if (closed) return <StatusTag tone="warning">{closed}</StatusTag>;
  return <StatusTag tone={statusTones[status]}>{t(`plans.status.${status}`)}</StatusTag>;
}
