import type { Withdrawal } from '@/api/types';
import type { Tone } from '@/ui/StatusTag';

export const withdrawalTones: Record<Withdrawal['status'], Tone> = {
  pending: 'warning',
  approved: 'accent',
  paid: 'positive',
  rejected: 'negative',
};
