import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { appLanguages } from '../../src/i18n/languages.ts';
import { Person, seed, signIn } from '../people.ts';
import { press, reach } from '../steps/keys.ts';
import { test } from '../test.ts';
import { overflow, watch } from '../watch.ts';

const thisMonth = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' });

/** Opens the wallet of an account that has just been opened. */
async function newcomer(page: Page, base: string, code: string) {
  await Person.register(base, 'mia', code);
  await signIn(page, base, 'mia', 'a-good-passphrase');
  await page.goto(`${base}/#/wallet`);
  await expect(page.getByText('No transactions yet')).toBeVisible();
}

test.describe('by touch', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 320, height: 568 } });

  test('a language is one of the cells in sight, a month only one there was', async ({
    page,
    installation,
  }) => {
    const { codes } = await seed(installation);
    await installation.start();
    const { base } = installation;
    const troubles = watch(page, base);
    await newcomer(page, base, codes[0] ?? '');

    await test.step('a month is taken by one press', async () => {
      await page.getByRole('button', { name: 'Month: All months' }).tap();
      const sheet = page.getByRole('dialog', { name: 'Month' });
      await expect(sheet.getByRole('radio')).toHaveCount(0);
      const months = await sheet.locator('.rv-action-sheet__item').allInnerTexts();
      expect(months).toEqual(['All months', thisMonth.format(new Date())]);
      await sheet.getByRole('button', { name: thisMonth.format(new Date()) }).tap();
      await expect(sheet).toHaveCount(0);
      await expect(page).toHaveURL(/month=\d{4}-\d\d/);
    });

    await test.step('the file offers the same months', async () => {
      await page.getByRole('button', { name: 'Statement', exact: true }).tap();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Month:/ })
        .tap();
      const sheet = page.getByRole('dialog', { name: 'Month' });
      await expect(sheet.locator('.rv-action-sheet__item')).toHaveCount(1);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });

    await test.step('a language is taken among cells', async () => {
      await page.getByRole('button', { name: 'Language' }).tap();
      const sheet = page.getByRole('dialog', { name: 'Choose your language' });
      await expect(sheet.getByRole('radio')).toHaveCount(appLanguages.length);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id }) => id)).toEqual([]);
      const cell = sheet.getByText('Deutsch', { exact: true });
      expect((await cell.locator('xpath=..').boundingBox())?.height).toBeGreaterThanOrEqual(44);
      await cell.tap();
      await expect(sheet.getByRole('radio', { name: 'Deutsch' })).toBeChecked();
      await sheet.getByRole('button', { name: 'Use this language' }).tap();
      await expect(page.getByRole('button', { name: 'Sprache', exact: true })).toBeVisible();
    });

    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(troubles).toEqual([]);
  });
});

test('the same by keyboard alone', async ({ page, installation }) => {
  const { codes } = await seed(installation);
  await installation.start();
  const { base } = installation;
  const troubles = watch(page, base);
  await newcomer(page, base, codes[0] ?? '');

  await test.step('a month', async () => {
    await press(page, page.getByRole('button', { name: /^Month:/ }));
    const sheet = page.getByRole('dialog', { name: 'Month' });
    await press(page, sheet.getByRole('button', { name: thisMonth.format(new Date()) }));
    await expect(sheet).toHaveCount(0);
    await expect(page.getByRole('button', { name: /^Month: \w+ \d/ })).toBeFocused();
  });

  await test.step('a language, which arrows pick and the button takes', async () => {
    await page.reload();
    await press(page, page.getByRole('button', { name: 'Language' }));
    const sheet = page.getByRole('dialog', { name: 'Choose your language' });
    await reach(page, sheet.getByRole('radio', { checked: true }));
    await page.keyboard.press('ArrowDown');
    const picked = sheet.getByRole('radio', { checked: true });
    const name = await picked.locator('xpath=..').innerText();
    expect(name).not.toBe('English');
    // Nothing has changed yet.
    await expect(page.getByRole('dialog', { name: 'Choose your language' })).toBeVisible();
    await press(page, sheet.getByRole('button', { name: 'Use this language' }));
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Language', exact: true })).toHaveCount(0);
  });

  expect(troubles).toEqual([]);
});
