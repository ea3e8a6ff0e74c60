import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { showLanguage } from '@/i18n/texts';
import { refetchOnLanguageChange } from './refetch-on-language';

const key = ['notifications', 'all', 'all'] as const;

let stop = () => {};
afterEach(() => stop());

function known() {
  const client = new QueryClient();
  stop = refetchOnLanguageChange(client);
  client.setQueryData(key, 'Recharge credited');
  return () => client.getQueryState(key)?.isInvalidated;
}

describe("the server's words", () => {
  it('are asked for anew in another language, whatever the account has', async () => {
    const isOld = known();
    await showLanguage('de');
    expect(isOld()).toBe(true);
  });

  it('are not taken from an answer in the language of before', async () => {
    const client = new QueryClient();
    stop = refetchOnLanguageChange(client);
    let answerFirst = (_: string) => {};
    const first = new Promise<string>((done) => {
      answerFirst = done;
    });
    const ask = vi.fn(async () => 'Aufladung gutgeschrieben').mockReturnValueOnce(first);
    const observer = new QueryObserver(client, { queryKey: key, queryFn: ask });
    const leave = observer.subscribe(() => {});
    await showLanguage('de');
    answerFirst('Recharge credited');
    await vi.waitFor(() => expect(client.getQueryData(key)).toBe('Aufladung gutgeschrieben'));
    leave();
  });

  it('are not asked for anew in the same one', async () => {
    const isOld = known();
    await showLanguage('en');
    expect(isOld()).toBe(false);
  });
});
