import { type ConsoleMessage, expect, type Page } from '@playwright/test';
import { running } from '../steps/running.ts';
import { test } from '../test.ts';
import { article, page, site } from './site.ts';

/** Everything in the page's window that is not there in an empty one. */
const names = (page: Page) => page.evaluate(() => Object.getOwnPropertyNames(window).sort());

test('a tag on a page of another origin shows a creative, which is seen and viewable', async ({
  page: reader,
  installation,
}) => {
  const plan = await running(installation);
  const tag = (more: string) => `<script async src="${installation.base}/tag.js" ${more}></script>`;
  const publisher = await site({
    '/empty': page(article),
    '/article': page(
      article,
      tag('data-slot="news-top"'),
      article,
      tag('data-slot="news-top" data-width="300" data-height="250"'),
      article,
    ),
    '/served': page('<iframe src="/tag" width="300" height="250" title="Ad"></iframe>'),
    '/tag': page(tag('data-slot="news-top"')),
    '/frame': page(
      `<iframe src="${installation.base}/ads/frame/news-top" width="320" height="100" title="Ad"></iframe>`,
    ),
  });
  const asked: string[] = [];
  reader.on('request', (request) => {
    if (request.url().startsWith(installation.base)) asked.push(new URL(request.url()).pathname);
  });
  const errors: string[] = [];
  reader.on('pageerror', (error) => errors.push(error.message));
  reader.on('console', (message: ConsoleMessage) => {
    if (message.type() === 'error') errors.push(message.text());
  });

  await reader.goto(`${publisher.base}/empty`);
  const before = await names(reader);
  await reader.goto(`${publisher.base}/article`);
  expect(new Set(asked), 'nothing but the tag').toEqual(new Set(['/tag.js']));
  expect(await names(reader), 'it leaves no global behind').toEqual(before);
  await expect(reader.locator('iframe')).toHaveCount(0);

  await test.step('it asks when the place comes near, and shows the creative whole', async () => {
    await reader.evaluate(() => window.scrollTo(0, 1_150));
    const shown = reader.locator('iframe').first();
    await expect(shown).toHaveAttribute('title', 'Ad · Aurora Coffee');
    const ad = reader.frameLocator('iframe').first();
    await expect(ad.getByText('Coffee roasted the day you order')).toBeVisible();
    const needed = await ad.locator('main').evaluate((main) => main.scrollHeight);
    await expect
      .poll(async () => (await shown.boundingBox())?.height)
      .toBeGreaterThanOrEqual(needed);
    await expect.poll(async () => (await shown.boundingBox())?.height).toBeLessThan(needed + 4);
    await expect(reader.locator('iframe')).toHaveCount(1);
    await expect.poll(async () => (await plan.delivery()).impressions).toBe(1);
  });

  await test.step('it is viewable after a second in view, and only once', async () => {
    expect((await plan.delivery()).viewable, 'the place is below the edge').toBe(0);
    await reader.locator('iframe').first().scrollIntoViewIfNeeded();
    await expect.poll(() => asked.filter((path) => path.startsWith('/t/v/')).length).toBe(1);
    await reader.evaluate(() => window.scrollTo(0, 0));
    await reader.locator('iframe').first().scrollIntoViewIfNeeded();
    await reader.waitForTimeout(1_500);
    expect(asked.filter((path) => path.startsWith('/t/v/'))).toHaveLength(1);
    await expect.poll(async () => (await plan.delivery()).viewable).toBe(1);
  });

  await test.step('it works again in the same page, in the size that is asked for', async () => {
    await reader.evaluate(() => window.scrollTo(0, document.body.scrollHeight / 2 + 900));
    const second = reader.locator('iframe').nth(1);
    await second.scrollIntoViewIfNeeded();
    const box = await second.boundingBox();
    expect([box?.width, box?.height]).toEqual([300, 250]);
    const inside = reader.frameLocator('iframe').nth(1).locator('html');
    expect(await inside.evaluate((html) => html.scrollHeight <= html.clientHeight)).toBe(true);
    await expect.poll(async () => (await plan.delivery()).viewable).toBe(2);
  });

  await test.step('the creative cannot reach the page', async () => {
    const [, ad] = reader.frames();
    const reached = await ad?.evaluate(() => {
      const tries = [
        () => String(window.parent.document.title),
        () => String(document.cookie),
        () => String(localStorage.length),
        () => {
          (window.top as Window).location.href = 'https://example.com/';
          return 'moved';
        },
      ];
      return tries.map((attempt) => {
        try {
          return attempt();
        } catch (error) {
          return (error as Error).name;
        }
      });
    });
    expect(reached).toEqual(['SecurityError', 'SecurityError', 'SecurityError', 'SecurityError']);
    expect(reader.url()).toBe(`${publisher.base}/article`);
    errors.splice(0, errors.length, ...errors.filter((text) => !/Unsafe attempt/.test(text)));
  });

  await test.step('a click opens the landing page beside it', async () => {
    const opened = reader.waitForEvent('popup');
    await reader.frameLocator('iframe').first().getByRole('link').click();
    await expect((await opened).getByText('Coffee roasted to order')).toBeVisible();
    await expect.poll(async () => (await plan.delivery()).clicks).toBe(1);
  });

  await test.step('a plain iframe is counted as well', async () => {
    await reader.goto(`${publisher.base}/frame`);
    const frame = reader.frameLocator('iframe');
    await expect(frame.getByText('Coffee roasted the day you order')).toBeVisible();
    await expect.poll(async () => (await plan.delivery()).viewable).toBe(3);
    expect(await frame.locator('html').evaluate(() => window.origin), 'an origin of its own').toBe(
      'null',
    );
  });
  await test.step('in a frame of an ad server, nothing of it is cut off', async () => {
    await reader.goto(`${publisher.base}/served`);
    const ad = reader.frameLocator('iframe').frameLocator('iframe');
    await expect(ad.getByText('Coffee roasted the day you order')).toBeVisible();
    const label = ad.locator('footer');
    const ends = () =>
      label.evaluate((end) => end.getBoundingClientRect().bottom <= window.innerHeight);
    await expect.poll(ends).toBe(true);
    await expect.poll(async () => (await plan.delivery()).impressions).toBe(4);
  });
  expect(errors).toEqual([]);
  const { impressions, filtered } = await plan.delivery();
  expect([impressions, filtered]).toEqual([4, 0]);
  publisher.close();
});

test('when nothing fits, the place goes back to the page', async ({
  page: reader,
  installation,
}) => {
  const plan = await running(installation);
  await plan.stop();
  const tag = (more: string) =>
    `<script async src="${installation.base}/tag.js" data-slot="news-top" ${more}></script>`;
  const publisher = await site({
    '/own': page('<h1>Ours</h1>'),
    '/element': page(tag('data-passback="#own"'), '<div id="own" hidden>Read our newsletter</div>'),
    '/template': page(
      tag('data-passback="#own"'),
      '<template id="own"><p>Read our newsletter</p></template>',
    ),
    '/address': page(tag('data-passback="/own"')),
    '/sized': page(tag('data-passback="/own" data-height="90"')),
    '/nothing': page(tag('')),
    '/script': page(tag('data-passback="javascript:alert(1)"')),
  });
  for (const path of ['element', 'template']) {
    await reader.goto(`${publisher.base}/${path}`);
    await expect(reader.getByText('Read our newsletter')).toBeVisible();
    await expect(reader.locator('iframe')).toHaveCount(0);
  }
  const heights = { address: 250, sized: 90 };
  for (const [path, height] of Object.entries(heights)) {
    await reader.goto(`${publisher.base}/${path}`);
    const ours = reader.frameLocator('iframe').getByRole('heading', { name: 'Ours' });
    await expect(ours).toBeVisible();
    expect((await reader.locator('iframe').boundingBox())?.height).toBe(height);
  }
  for (const path of ['nothing', 'script']) {
    const asked = reader.waitForResponse(/\/ads\/frame\//);
    await reader.goto(`${publisher.base}/${path}`);
    await asked;
    await expect(reader.locator('iframe')).toHaveCount(0);
    await expect(reader.locator('script + div')).toHaveCount(0);
  }
  publisher.close();
});
