import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { queryClient } from '@/api/query-client';
import { session } from '@/api/session';
import { loadAllTexts, showLanguage, startTexts } from '@/i18n/texts';
import { reloadConfig } from '@/shared/config/known-config';
import { closeCustomerService } from '@/shared/service/customer-service';
import { fakeApi, takeUnanswered } from './api';

// Pages load lazily, and a busy machine takes its time to read a file for the first time.
configure({ asyncUtilTimeout: 10_000 });

beforeAll(async () => {
  await startTexts('en');
  // A component drawn alone has no route that would see to it.
  await loadAllTexts();
});

beforeEach(() => {
  // A test that says nothing about calls expects none.
  fakeApi({});
  // jsdom has no layout, hence nothing to scroll.
  window.scrollTo = () => {};
  Element.prototype.scrollIntoView = () => {};
});

afterEach(async () => {
  cleanup();
  // A question that is asked for the second time would be the next test's.
  queryClient.clear();
  const unanswered = takeUnanswered();
  localStorage.clear();
  session.clear();
  session.reload();
  reloadConfig();
  closeCustomerService();
  window.location.hash = '';
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await showLanguage('en');
  // After everything is as it was, so that the next test is not told about this one's.
  expect(unanswered, 'calls that no mock answers').toEqual([]);
});
