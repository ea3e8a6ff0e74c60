import { call } from '@/api/call';
import type { Body } from '@/api/contract/endpoints';

export function sendFeedback(body: Body<'/feedback'>) {
  return call('POST', '/feedback', { body, inline: ['fields', 'network'] });
}
