import { test as base } from '@playwright/test';
import { Installation } from './installation.ts';

/** Gives each test its own installation, and removes it afterwards, even when the test fails. */
export const test = base.extend<{ installation: Installation }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from it.
  installation: async ({}, use) => {
    const installation = await Installation.create();
    await use(installation);
    await installation.remove();
  },
});
