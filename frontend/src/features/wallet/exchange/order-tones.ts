import type { AcceptorOrder } from '@/api/types';
import type { Tone } from '@/ui/display/StatusTag';

export const orderTones: Record<AcceptorOrder['status'], Tone> = {
  pending: 'warning',
  completed: 'positive',
  cancelled: 'neutral',
};
