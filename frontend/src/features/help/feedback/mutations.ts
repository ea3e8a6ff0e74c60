import { call } from '@/api/call';

type Feedback = { topic: string; content: string; images: string[] };

export function sendFeedback(body: Feedback) {
  return call<{ id: string }>('POST', '/feedback', { body, inline: ['fields', 'network'] });
}
