import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { routeName, routes } from '../src/app/routes.ts';
import type { Account } from './stock.ts';

export const nowhere = '/no-such-page';

/** Pages for signed-out users. Without a ticket, /entry redirects to the welcome page at once. */
export const openPaths = routes
  .filter(({ path, needsLogin }) => !needsLogin && path !== '/entry')
  .map(({ path }) => path);

/** Answers requests for contacts' pages, which are on other servers. */
export function answerForContacts(context: BrowserContext, base: string) {
  const page = '<!doctype html><html lang="en"><title>Chat</title><h1>Chat</h1></html>';
  return context.route(
    (address) => address.origin !== base,
    (route) => route.fulfill({ contentType: 'text/html', body: page }),
  );
}

/** Builds the app into a new folder. The caller removes it. */
export async function buildApp(config = 'vite.config.ts') {
  const folder = await mkdtemp(join(tmpdir(), 'placard-build-'));
  const args = ['vite', 'build', '--config', config, '--outDir', folder, '--emptyOutDir'];
  await promisify(execFile)('npx', args, { cwd: resolve(import.meta.dirname, '..') });
  return folder;
}

/** Serves another build's files, with the server's own responses beside them. */
export async function serveBuild(context: BrowserContext, base: string, folder: string) {
  const { origin } = new URL(base);
  await context.route(
    ({ origin: asked, pathname }) => asked === origin && /^\/$|^\/assets\//.test(pathname),
    (route) => {
      const { pathname } = new URL(route.request().url());
      return route.fulfill({ path: join(folder, pathname === '/' ? 'index.html' : pathname) });
    },
  );
}

/** Takes effect from the next page load. */
export function signIn(context: BrowserContext, account: Account) {
  return context.addInitScript(({ token, user }) => {
    // A contact's page runs in a sandbox without storage.
    if (window !== window.top) return;
    localStorage.setItem('fb_token', token);
    localStorage.setItem('fb_userInfo', JSON.stringify(user));
  }, account);
}

/** Waits until the page itself is there and no placeholder is left. */
export async function settled(page: Page, path: string) {
  const frame = path === nowhere ? page : page.locator(`[data-page="${routeName(path)}"]`);
  await expect(frame.getByRole('main')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await expect(page.locator('.rv-skeleton')).toHaveCount(0);
}
