import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { session } from '@/api/session';
import { aUser } from '@/testing/data';
import { refetchOnLanguageChange } from './refetch-on-language';

const key = ['notifications', 'all', 'all'] as const;

describe("the server's words", () => {
  it('are asked for anew once the server knows of another language', () => {
    session.signIn({ token: 't', user: { ...aUser, lang: 'en' } });
    const client = new QueryClient();
    const stop = refetchOnLanguageChange(client);
    client.setQueryData(key, 'Recharge credited');
    const isOld = () => client.getQueryState(key)?.isInvalidated;
    session.keepUser({ ...aUser, lang: 'en', nickname: 'Ann' });
    expect(isOld()).toBe(false);
    session.keepUser({ ...aUser, lang: 'de' });
    expect(isOld()).toBe(true);
    stop();
  });

  it('are not asked for when somebody signs out', () => {
    session.signIn({ token: 't', user: { ...aUser, lang: 'en' } });
    const client = new QueryClient();
    const stop = refetchOnLanguageChange(client);
    client.setQueryData(key, 'Recharge credited');
    session.clear();
    expect(client.getQueryState(key)?.isInvalidated).toBe(false);
    stop();
  });
});
