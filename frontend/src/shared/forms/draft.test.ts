import { describe, expect, it } from 'vitest';
import { session } from '@/api/session';
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

  it('survives a storage that holds nonsense', () => {
    session.signIn({ token: 't', user: aUser });
    sessionStorage.setItem('placard_draft_letter_u1', '{');
    expect(createDraft('letter', empty).get()).toEqual(empty);
  });
});
