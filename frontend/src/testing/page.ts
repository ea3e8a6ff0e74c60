import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import i18next from 'i18next';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { reloadConfig } from '@/api/queries/cached-config';
import { queryClient } from '@/api/query-client';
import { session } from '@/api/session';
import { loadAllTexts, showLanguage, startTexts } from '@/i18n/texts';
import { forgetDrafts } from '@/shared/forms/draft';
import { closeCustomerService } from '@/shared/service/customer-service';
import { fakeApi, takeUnanswered } from './api';
import { quickFailures } from './quick/failures';
import { quickOwners } from './quick/owners';
import { quickStyles } from './quick/styles';

// Pages load lazily, and a busy machine takes long to read a file for the first time.
configure({ asyncUtilTimeout: 20_000 });
quickFailures();
quickOwners();
quickStyles();

/** Keys of texts that were shown with a gap, such as “{{time}}”, that nothing filled. */
const unfilled = new Set<string>();

const noteUnfilled = {
  type: 'postProcessor',
  name: 'note-unfilled',
  process: (text: string, key: string | string[]) => {
    if (/{{\w+}}/.test(text)) unfilled.add(String(key));
    return text;
  },
} as const;

beforeAll(async () => {
  await startTexts('en');
  i18next.use(noteUnfilled);
  i18next.options.postProcess = ['stop', noteUnfilled.name];
  // A component drawn alone has no route that would load its texts.
  await loadAllTexts();
});

beforeEach(() => {
  // A test that does not mention calls expects none.
  fakeApi({});
  // jsdom has no layout, so there is nothing to scroll.
  window.scrollTo = () => {};
  Element.prototype.scrollIntoView = () => {};
});

afterEach(async () => {
  cleanup();
  // A retried request would belong to the next test.
  queryClient.clear();
  const unanswered = takeUnanswered();
  const gaps = [...unfilled];
  unfilled.clear();
  localStorage.clear();
  session.clear();
  session.reload();
  reloadConfig();
  closeCustomerService();
  forgetDrafts();
  window.location.hash = '';
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await showLanguage('en');
  // After everything is reset, so that the next test is not affected.
  expect(unanswered, 'calls that no mock answers').toEqual([]);
  expect(gaps, 'texts with a gap that nothing fills').toEqual([]);
});

/** React does what it has put off by `setImmediate`, and would fail where the page is gone. */
afterAll(() => new Promise<void>((done) => setImmediate(done)));
