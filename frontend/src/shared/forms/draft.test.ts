import { describe, expect, it } from 'vitest';
import { moneyCall } from '@/api/money/money-call';
import { session } from '@/api/session';
import { fakeApi, lostConnection } from '@/testing/api';
import { aUser } from '@/testing/data';
import { createDraft, forgetDrafts } from './draft';

const empty = { text: '', lines: [] as string[] };

describe('a draft', () => {
  it('outlives a reload', () => {
    session.signIn({ token: 't', user: aUser });
    createDraft('letter', empty).change({ text: 'Dear' });
    expect(createDraft('letter', empty).get()).toEqual({ text: 'Dear', lines: [] });
    expect(createDraft('another', empty).get()).toEqual(empty);
  });

  it('belongs to one user, also while two take turns', () => {
    session.signIn({ token: 't', user: aUser });
    const draft = createDraft('letter', empty);
    draft.change({ text: 'mine' });
    session.clear();
    expect(draft.get().text).toBe('mine');
    session.signIn({ token: 'u', user: { ...aUser, id: 'u2' } });
    expect(draft.get()).toEqual(empty);
    draft.change({ text: 'theirs' });
    session.signIn({ token: 'v', user: aUser });
    expect(draft.get().text).toBe('mine');
  });

  it('is gone once it was sent, or its user logged out', () => {
    session.signIn({ token: 't', user: aUser });
    const draft = createDraft('letter', empty);
    draft.change({ text: 'one' });
    draft.clear();
    expect(createDraft('letter', empty).get()).toEqual(empty);
    draft.change({ text: 'two' });
    forgetDrafts();
    expect(draft.get()).toEqual(empty);
    expect(Object.keys(sessionStorage)).toEqual([]);
  });

  it('is forgotten by logging out together with orders that were not answered', async () => {
    session.signIn({ token: 't', user: aUser });
    const api = fakeApi({ 'POST /user/withdraw': lostConnection });
    const lose = () =>
      expect(moneyCall('/user/withdraw', { amount: '4.00', password: 'a' })).rejects.toThrow();
    await lose();
    forgetDrafts();
    session.clear();
    session.signIn({ token: 'u', user: aUser });
    await lose();
    const [first, next] = api.sent.map(({ headers }) => headers.get('Idempotency-Key'));
    expect(next).not.toBe(first);
  });

  it('survives a storage that holds nonsense', () => {
    session.signIn({ token: 't', user: aUser });
    sessionStorage.setItem('placard_draft_letter_u1', '{');
    expect(createDraft('letter', empty).get()).toEqual(empty);
  });
});
