import AxeBuilder from '@axe-core/playwright';
import { expect } from '@playwright/test';
import { click, publisherKey, read } from '../market.ts';
import { running } from '../steps/running.ts';
import { reloadUntil } from '../steps/waiting.ts';
import { test } from '../test.ts';

type Link = { url: string };

/** A publisher follows the link that staff sent: no account, no session, no cookie. */
test('a publisher reads its own figures by a link', async ({ page, context, installation }) => {
  const { admin, finance } = await running(installation);
  const { base } = installation;
  await read(installation);
  const clicked = await read(installation);
  if (!clicked) throw new Error('no creative');
  await click(clicked);

  await publisherKey(installation, admin, finance, '1');
  const link = ['publisher', 'link', '1', '--base', base];
  const { url } = await installation.staff<Link>(admin, ...link);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));

  const fact = (label: string) => page.locator('dt', { hasText: label }).first().locator('..');
  await test.step('shows what was earned, once it is billed', async () => {
    await page.goto(url);
    await reloadUntil(page, async (timeout) => {
      // Two views at 5.00, of which seven tenths are the publisher's.
      await expect(page.getByText('$7.00').first()).toBeVisible({ timeout });
      // The click may be counted later than the views.
      await expect(fact('Clicks')).toContainText('1', { timeout });
    });
    await expect(page.getByRole('heading', { name: 'The Daily' })).toBeVisible();
    await expect(fact('Requests')).toContainText('2');
    await expect(fact('Fill rate')).toContainText('100%');
  });

  await test.step('keeps the link out of requests, and no cookie or session', async () => {
    const token = new URL(url).hash.split('=')[1] ?? '';
    expect(token.length).toBeGreaterThan(60);
    expect(sent.filter((address) => address.includes(token) && !address.includes('#'))).toEqual([]);
    expect(await context.cookies()).toEqual([]);
    expect(await page.evaluate(() => localStorage.getItem('fb_token'))).toBeNull();
    await expect(page.getByRole('navigation')).toHaveCount(0);
  });

  await test.step('chooses a period with the keyboard', async () => {
    await page.getByRole('tab', { name: '30 days' }).focus();
    await page.keyboard.press('ArrowLeft');
    await expect(page.getByRole('tab', { name: '7 days' })).toHaveAttribute(
      'aria-selected',
      'true',
    );
    await page.getByRole('button', { name: 'Show as a table' }).click();
    await expect(page.getByRole('table', { name: /Earned/ }).getByRole('row')).toHaveCount(8);
    const slots = page.getByRole('table', { name: 'By placement' });
    await expect(slots.getByRole('row', { name: 'news-top $7.00 100%' })).toBeVisible();
  });

  await test.step('copies the tag', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: /news-top: Script/ }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(`<script async src="${base}/tag.js" data-slot="news-top"></script>`);
  });

  await test.step('says what was corrected, and why', async () => {
    const correct = ['publisher', 'correct', '1', '--amount', '1.50'];
    const asked = await installation.staff<{ id: string }>(finance, ...correct);
    await installation.staff(admin, 'request', 'approve', asked.id);
    await page.reload();
    await expect(fact('Corrections')).toContainText('$1.50');
    await expect(fact('Correction of')).toContainText('$1.50');
    await expect(fact('Correction of')).toContainText('end-to-end test');
    await expect(fact('Closing balance')).toContainText('$8.50');
  });

  await test.step('saves a month’s statement', async () => {
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as table (CSV)' }).click();
    expect((await saving).suggestedFilename()).toMatch(/^publisher-1-\d{4}-\d{2}\.csv$/);
  });

  await test.step('has nothing that a screen reader stumbles over', async () => {
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations).toEqual([]);
  });

  await test.step('is closed as soon as the key is withdrawn', async () => {
    await installation.staff(admin, 'publisher', 'key', '1', '--withdraw');
    await page.reload();
    await expect(page.getByText('This link does not work')).toBeVisible();
    await expect(page.getByText('$7.00')).toHaveCount(0);
  });
});
