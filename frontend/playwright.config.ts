import { defineConfig, devices } from '@playwright/test';

/** The system's Chromium: a browser of Playwright's own cannot be installed everywhere. */
const executablePath = process.env.PLACARD_CHROMIUM ?? '/usr/bin/chromium';

const desktop = devices['Desktop Chrome'];

export default defineConfig({
  testDir: 'e2e',
  // A test that fails says so much sooner: this is for machines that do something else as well.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  forbidOnly: true,
  // Of two cores: a test waits for its page three fifths of the time.
  workers: 5,
  reporter: 'list',
  use: {
    ...desktop,
    viewport: { width: 375, height: 812 },
    locale: 'en-GB',
    // What is tested is what the server serves; e2e/installed.spec.ts is about the worker.
    serviceWorkers: 'block',
    actionTimeout: 60_000,
    screenshot: 'only-on-failure',
    trace: 'on-first-retry',
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
        // Playwright sets it page by page, which comes too late for what a sandboxed frame requests
        // first: it would say that the browser is headless, and no view of it would count.
        `--user-agent=${desktop.userAgent}`,
      ],
    },
  },
});
