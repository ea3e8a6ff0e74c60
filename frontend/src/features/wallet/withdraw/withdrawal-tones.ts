import type { Withdrawal } from '@/api/types';
import type { Tone } from '@/ui/display/StatusTag';

export const withdrawalTones: Record<Withdrawal['status'], Tone> = {
  pending: 'warning',
  approved: 'accent',
  paid: 'positive',
  rejected: 'negative',
  cancelled: 'neutral',
};
