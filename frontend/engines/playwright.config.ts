import { defineConfig } from '@playwright/test';
import tests from '../playwright.config.ts';

/** Playwright runs these tests; its own browsers take no part: docs/FRONTEND.md. */
export default defineConfig({
  ...tests,
  use: {},
  testDir: '.',
  workers: 1,
  outputDir: '../test-results',
  projects: [{ name: 'WebKit' }, { name: 'Gecko' }],
});
