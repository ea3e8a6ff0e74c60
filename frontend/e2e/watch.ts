import type { Page } from '@playwright/test';

/** Collects what must not happen on any screen. */
export function watch(page: Page, base: string) {
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(`console: ${message.text()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) troubles.push(`${response.status()} ${response.url()}`);
  });
  page.on('request', (request) => {
    const own = request.url().startsWith(base) || request.url().startsWith('data:');
    if (!own && !request.url().startsWith('blob:')) troubles.push(`foreign: ${request.url()}`);
  });
  return troubles;
}

/** How far the page is wider than the screen. */
export function overflow(page: Page) {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}
