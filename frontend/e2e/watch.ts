import type { Page } from '@playwright/test';

/** Collects errors, failed requests, and requests to anything but the server and `partners`. */
export function watch(page: Page, base: string, partners: readonly string[] = []) {
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(`console: ${message.text()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) troubles.push(`${response.status()} ${response.url()}`);
  });
  page.on('request', (request) => {
    const known = [base, ...partners, 'data:', 'blob:'];
    if (!known.some((start) => request.url().startsWith(start))) {
      troubles.push(`foreign: ${request.url()}`);
    }
  });
  return troubles;
}

/** How much wider than the screen the page is. */
export function overflow(page: Page) {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}
