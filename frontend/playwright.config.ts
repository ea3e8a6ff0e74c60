import { defineConfig, devices } from '@playwright/test';

/** The system's Chromium: a browser of Playwright's own cannot be installed everywhere. */
const executablePath = process.env.PLACARD_CHROMIUM ?? '/usr/bin/chromium';

export default defineConfig({
  testDir: 'e2e',
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  workers: 2,
  reporter: 'list',
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 375, height: 812 },
    locale: 'en-GB',
    // What is tested is what the server serves; e2e/installed.spec.ts is about the worker.
    serviceWorkers: 'block',
    actionTimeout: 15_000,
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath,
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
