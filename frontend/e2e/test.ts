import { test as base } from '@playwright/test';
import { Installation } from './installation.ts';

/** Tests with an installation of their own, which ends with them however they end. */
export const test = base.extend<{ installation: Installation }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from it.
  installation: async ({}, use) => {
    const installation = await Installation.create();
    await use(installation);
    await installation.remove();
  },
});
