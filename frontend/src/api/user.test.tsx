import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { fakeApi } from '@/testing/api';
import { aUser } from '@/testing/data';
import { queryClient } from './query-client';
import { session } from './session';
import { setUser, useUser, useUserInfo } from './user';

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
);

const stored = () => JSON.parse(localStorage.getItem('fb_userInfo') ?? 'null');

describe('who is signed in', () => {
  it('is shown as remembered, asked for, and remembered as answered', async () => {
    session.signIn({ token: 't', user: aUser });
    const api = fakeApi({ 'GET /user/info': () => ({ ...aUser, nickname: 'Ann' }) });
    const { result } = renderHook(() => useUserInfo(), { wrapper });
    expect(result.current.data).toEqual(aUser);
    await waitFor(() => expect(result.current.data?.nickname).toBe('Ann'));
    expect(api.to('/user/info')).toHaveLength(1);
    expect(session.get().user?.nickname).toBe('Ann');
    expect(stored().nickname).toBe('Ann');
  });

  it('is what another call or another tab says', () => {
    session.signIn({ token: 't', user: aUser });
    const { result } = renderHook(() => useUser(), { wrapper });
    act(() => setUser({ ...aUser, nickname: 'Ann' }));
    expect(result.current?.nickname).toBe('Ann');
    expect(stored().nickname).toBe('Ann');
    localStorage.setItem('fb_userInfo', JSON.stringify({ ...aUser, nickname: 'Bea' }));
    act(() => session.reload());
    expect(result.current?.nickname).toBe('Bea');
  });

  it('is not who the answer to an older question says', async () => {
    session.signIn({ token: 't', user: aUser });
    let answer = () => {};
    fakeApi({
      'GET /user/info': () =>
        new Promise((resolve) => {
          answer = () => resolve(aUser);
        }),
    });
    const { result } = renderHook(() => useUserInfo(), { wrapper });
    act(() => setUser({ ...aUser, nickname: 'Ann' }));
    answer();
    await act(async () => {});
    await waitFor(() => expect(result.current.isFetching).toBe(false));
    expect(result.current.data?.nickname).toBe('Ann');
    expect(stored().nickname).toBe('Ann');
  });

  it('is nobody who has signed out before the answer came', () => {
    session.signIn({ token: 't', user: aUser });
    session.clear();
    setUser(aUser);
    expect(session.get().user).toBeNull();
    expect(stored()).toBeNull();
    session.signIn({ token: 'u', user: { ...aUser, id: 'u2' } });
    setUser(aUser);
    expect(session.get().user?.id).toBe('u2');
    expect(stored().id).toBe('u2');
  });

  it('is never somebody else', () => {
    session.signIn({ token: 't', user: aUser });
    const { result } = renderHook(() => useUser(), { wrapper });
    act(() => setUser({ ...aUser, nickname: 'Ann' }));
    act(() => session.signIn({ token: 'other', user: { ...aUser, id: 'u2' } }));
    expect(result.current).toMatchObject({ id: 'u2', nickname: aUser.nickname });
    act(() => session.clear());
    expect(result.current).toBeNull();
    expect(stored()).toBeNull();
  });
});
