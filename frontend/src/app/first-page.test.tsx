import { render, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { session } from '@/api/session';
import { showLanguage } from '@/i18n/texts';
import { fakeApi, lostConnection } from '@/testing/api';
import { aConfig, aProduct, aUser, someStatistics } from '@/testing/data';
import { aPlan, aProperty, aStatement } from '@/testing/money-data';
import { App } from './App';
import { firstQuestions } from './first-questions';
import { queryClient } from './query-client';
import { openFirstPage } from './router';

const page = <T,>(item: T) => ({ items: [item], next_cursor: null });
const answers = {
  'GET /basic_config': () => aConfig,
  'GET /user/info': () => aUser,
  'GET /user/property': () => aProperty,
  'GET /transaction_flow/list': () => aStatement,
  'GET /ad/order/data_statistics/list': () => someStatistics,
  'GET /products': () => page(aProduct),
  'GET /plan/order/list': () => page(aPlan),
  'POST /plan/order/await/put/count': () => ({ count: 0 }),
  'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
};

function open(pathname: string, search = '') {
  window.location.hash = `#${pathname}${search}`;
  return openFirstPage({ pathname, search }, 'en', showLanguage);
}

const reads = ({ sent }: ReturnType<typeof fakeApi>) =>
  sent.filter(({ method }) => method === 'GET').map(({ path }) => path);

const asked: [string, string[]][] = [
  ['/ad-center', ['/ad/order/data_statistics/list', '/products', '/user/info']],
  ['/plan', ['/plan/order/list']],
  ['/wallet', ['/transaction_flow/list', '/user/property']],
  ['/me', ['/user/info']],
];

describe('the first page', () => {
  beforeEach(() => {
    queryClient.clear();
    session.signIn({ token: 'token-1', user: { ...aUser, store_opened: true } });
  });

  it.each(asked)('%s is drawn with its figures, and asks nothing twice', async (path, wanted) => {
    const ahead = firstQuestions(path).map((question) => question.split('?')[0]);
    expect(ahead.sort()).toEqual([...wanted].sort());
    const api = fakeApi(answers);
    await open(path);
    expect(reads(api).sort()).toEqual(['/basic_config', ...wanted].sort());
    render(<App />);
    expect(document.querySelector('[aria-busy=true]')).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(reads(api).sort()).toEqual(['/basic_config', ...wanted].sort());
  });

  it('asks for no list that its address does not show', async () => {
    const api = fakeApi(answers);
    await open('/plan', '?status=putting');
    expect(reads(api)).toEqual(['/basic_config']);
  });

  it('asks for no figures of an account that is not opened', async () => {
    session.signIn({ token: 'token-1', user: { ...aUser, store_opened: false } });
    const api = fakeApi(answers);
    await open('/ad-center');
    expect(api.to('/ad/order/data_statistics/list')).toEqual([]);
  });

  it('asks nothing where nobody is signed in', async () => {
    session.clear();
    const api = fakeApi(answers);
    await open('/wallet');
    expect(api.sent).toEqual([]);
  });

  it('does not wait for a server that takes its time', async () => {
    fakeApi({ ...answers, 'GET /user/property': () => new Promise(() => {}) });
    await open('/wallet');
    render(<App />);
    expect(screen.getByRole('heading', { name: 'Wallet' })).toBeInTheDocument();
  });

  it('tells of a lost connection as any page does', async () => {
    fakeApi({ ...answers, 'GET /user/property': lostConnection });
    await open('/wallet');
    render(<App />);
    expect(await screen.findByRole('alert')).toHaveTextContent('Request failed');
  });
});
