import { expect } from '@playwright/test';
import { site } from '../publishers/site.ts';
import { running } from '../steps/running.ts';
import { test } from '../test.ts';
import { slotPage, versions, videoPage } from './page.ts';
import { film, playerScript, withFilm } from './player.ts';

test('a player plays every version of VAST, in-stream and out-stream, and the views count', async ({
  page: reader,
  installation,
}) => {
  const plan = await running(installation, { price: '500.00', film: true });
  const filmPlan = await plan.put('video');
  const counted = async () => {
    const kinds = ['impression', 'viewable', 'click'] as const;
    const [impressions, viewable, clicks] = await Promise.all(kinds.map(filmPlan.events));
    return { impressions: impressions?.length, viewable: viewable?.length, clicks: clicks?.length };
  };
  const played = async () => (await filmPlan.detail()).video;
  const publisher = await site({
    '/player.js': await playerScript(),
    '/film.mp4': film,
    '/in': videoPage(installation.base, 'in-stream'),
    '/out': videoPage(installation.base, 'out-stream'),
    '/slot': slotPage(installation.base),
  });
  const errors: string[] = [];
  reader.on('pageerror', (error) => errors.push(error.message));
  await withFilm(reader);
  const place = (version: string) => reader.locator(`[data-version="${version}"]`);

  await test.step('in-stream, before the publisher’s own films', async () => {
    await reader.goto(`${publisher.base}/in`);
    for (const version of Object.keys(versions)) {
      await expect(place(version)).toHaveAttribute('data-vast', version);
      const ad = /\/products\/roastery\.mp4$/;
      await expect(place(version).locator('video')).toHaveAttribute('src', ad);
    }
    for (const version of Object.keys(versions)) {
      const player = place(version).locator('video');
      await expect(player).toHaveJSProperty('currentSrc', `${publisher.base}/film.mp4`);
    }
    // Only 4.0 and later can say that half of it was seen for two seconds.
    await expect.poll(counted).toEqual({ impressions: 5, viewable: 3, clicks: 0 });
    const whole = { first_quartile: 5, midpoint: 5, third_quartile: 5, completed: 5 };
    await expect.poll(played).toEqual({ started: 5, ...whole, skipped: 0 });
  });

  await test.step('out-stream, where it can be clicked and skipped', async () => {
    await reader.goto(`${publisher.base}/out`);
    await place('4.2').locator('.skip_button:not(.skip_button_disabled)').click();
    await expect(place('4.2')).toHaveCount(0);
    const opened = reader.waitForEvent('popup');
    const beside = { position: { x: 20, y: 40 } };
    await place('3.0').locator('.vast_clickthrough_layer').click(beside);
    expect((await opened).url()).toContain(installation.base);
    await expect.poll(counted).toMatchObject({ impressions: 10, clicks: 1 });
    await expect.poll(played).toMatchObject({ started: 10, skipped: 1 });
  });

  await test.step('asked for by the slot’s own address, from another origin', async () => {
    await reader.goto(`${publisher.base}/slot`);
    const player = reader.locator('video');
    await expect(player).toHaveAttribute('src', /\/products\/roastery\.mp4$/);
    await expect(player).toHaveJSProperty('currentSrc', `${publisher.base}/film.mp4`);
    await expect.poll(counted).toMatchObject({ impressions: 11 });
    await expect.poll(played).toMatchObject({ started: 11 });
  });

  expect(errors).toEqual([]);
  publisher.close();
});
