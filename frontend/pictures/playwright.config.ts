import { defineConfig } from '@playwright/test';
import tests from '../playwright.config.ts';

/** Pictures for people to look at, with the browser that the tests use. */
export default defineConfig({
  ...tests,
  testDir: '.',
  workers: 1,
  timeout: 300_000,
  outputDir: '../test-results',
});
