import { session } from '@/api/session';
import { statisticsPath } from '@/features/ad-center/statistics-path';

/** What a tab asks the server first: known before its code, so that neither waits for the other. */
const questions: Record<string, () => string[]> = {
  '/ad-center': () => ['/user/info', '/products', ...(hasStore() ? [statisticsPath(1)] : [])],
  '/plan': () => ['/plan/order/list'],
  '/wallet': () => ['/user/property', '/transaction_flow/list'],
  '/me': () => ['/user/info'],
};

export function firstQuestions(path: string): string[] {
  return questions[path]?.() ?? [];
}

function hasStore(): boolean {
  return session.get().user?.store_opened ?? false;
}
