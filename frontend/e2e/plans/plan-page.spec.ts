import AxeBuilder from '@axe-core/playwright';
import { expect, type Locator, type Page } from '@playwright/test';
import { confirmWith } from '../people.ts';
import { signIn } from '../screens.ts';
import { confirm, follow, press, reach, type } from '../steps/keys.ts';
import { rounds } from '../steps/waiting.ts';
import { test } from '../test.ts';
import { overflow, watch } from '../watch.ts';
import { deliver, phone } from './delivered.ts';

const password = '582913';

/** A part of the page by its heading. */
const part = (page: Page, title: string) =>
  page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: title, exact: true }) })
    .last();

/** The value beside a name. */
const fact = (within: Locator, name: string) =>
  within.locator('dt').filter({ hasText: name }).first().locator('xpath=following-sibling::dd[1]');

const chart = (page: Page) => page.getByRole('group', { name: 'Consumed' });
const header = (page: Page) => part(page, 'Aurora Coffee');

/** How a part of the page is chosen. */
type Press = (tab: Locator) => Promise<void>;

async function sawWhatWasBought(page: Page, at: Press) {
  await at(page.getByRole('tab', { name: 'What was bought' }));
  const details = part(page, 'Plan details');
  const ad = details.getByRole('figure', { name: 'Preview of the ad' });
  await expect(ad).toContainText('Coffee roasted the day you order');
  await expect(fact(details, 'Type of content')).toHaveText('Landing page');
  await expect(fact(details, 'Put rule')).toHaveText('$5,000.00 per 1,000 impressions');
  await expect(fact(details, 'Runs for at most')).toHaveText('7 days');
  await expect(fact(part(page, 'Audience'), 'Regions')).toHaveText('All regions');
}

/** Bills come every fifteen seconds. */
async function sawTheResults(page: Page, at: Press) {
  await at(page.getByRole('tab', { name: 'Money' }));
  const results = part(page, 'Results');
  await expect(fact(results, 'Cost per click')).toHaveText('$15.00', rounds);
  await expect(fact(results, 'Click rate')).toHaveText('33.33%');
  await expect(fact(results, 'Cost per conversion')).toHaveText('$15.00');
}

async function sawWhereItWasShown(page: Page, at: Press) {
  await at(page.getByRole('tab', { name: 'Delivery' }));
  const sources = part(page, 'Where your ad was shown').getByRole('listitem');
  await expect(sources).toHaveCount(1);
  const daily = page.getByRole('listitem', { name: 'The Daily' });
  await expect(daily).toContainText('Placement · news-top');
  await expect(fact(daily, 'Impressions')).toHaveText('3');
  await expect(fact(daily, 'Clicks')).toHaveText('1');
  await expect(fact(daily, 'Viewable share')).toHaveText('0%');
  await expect(daily).not.toContainText('Win rate');
}

test('shows by touch what was bought and what came of it', async ({ browser, installation }) => {
  const { account } = await deliver(installation);
  const page = await phone(browser, account);
  const troubles = watch(page, installation.base);

  await test.step('from the list', async () => {
    await page.goto(`${installation.base}/#/plan`);
    await page
      .getByRole('list', { name: 'Plans' })
      .getByRole('link', { name: /Aurora Coffee/ })
      .tap();
    await expect(page).toHaveURL(/#\/plan\/detail\?id=/);
    await sawWhatWasBought(page, (tab) => tab.tap());
    await sawTheResults(page, (tab) => tab.tap());
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });

  await test.step('where it was shown, for everybody', async () => {
    await sawWhereItWasShown(page, (tab) => tab.tap());
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  });

  await test.step('by day, the figures of a day, and its hours', async () => {
    await expect(chart(page).getByRole('button')).toHaveCount(1, rounds);
    await chart(page)
      .getByRole('button', { name: /Consumed \$15\.00/ })
      .tap();
    const day = page.getByRole('dialog');
    await expect(fact(day, 'Impressions')).toHaveText('3');
    await day.getByRole('button', { name: 'By hour' }).tap();
    await expect(page.getByRole('tab', { name: 'By hour' })).toHaveAttribute(
      'aria-selected',
      'true',
    );
    await expect.poll(() => chart(page).getByRole('button').count()).toBeGreaterThan(20);
    await page.getByRole('tab', { name: 'By day' }).tap();
    await expect(chart(page).getByRole('button')).toHaveCount(1);
  });

  await test.step('the same is put again', async () => {
    await page.getByRole('link', { name: 'Put the same amount again' }).tap();
    const form = page.getByRole('dialog', { name: 'Put amount' });
    await expect(form.getByLabel('Amount', { exact: true })).toHaveValue('100.00');
    await expect(form).toContainText('Coffee roasted the day you order');
    await page.goBack();
    await expect(form).toHaveCount(0);
    if (!page.url().includes('/plan/detail')) await page.goBack();
  });

  await test.step('the budget is added to', async () => {
    await page.getByRole('button', { name: 'Add to the budget' }).tap();
    const sheet = page.getByRole('dialog', { name: 'Add to the budget' });
    await sheet.getByRole('button', { name: 'Add to the budget' }).tap();
    await expect(sheet.getByText('Cannot be empty')).toBeInViewport();
    await sheet
      .getByRole('group', { name: 'Common amounts' })
      .getByRole('button', { name: '$50' })
      .tap();
    await expect(fact(sheet, 'Pays for impressions')).toHaveText('at most 10');
    await expect(fact(sheet, 'Budget afterwards')).toHaveText('$150.00');
    await expect(fact(sheet, 'Available afterwards')).toHaveText('$100.00');
    await sheet.getByRole('button', { name: 'Add to the budget' }).tap();
    await expect(page.getByText('Add to the budget of “Aurora Coffee”')).toBeVisible();
    await confirmWith(page, password);
    await expect(sheet).toHaveCount(0);
    await expect(header(page)).toContainText('of $150.00');
    await page.getByRole('tab', { name: 'Money' }).tap();
    await expect(part(page, 'Money')).toContainText('$50.00 of it added later');
  });

  await test.step('and its line says so', async () => {
    await page.goto(`${installation.base}/#/wallet`);
    const lines = page.getByRole('list', { name: 'Funding details' });
    await expect(lines.getByRole('button', { name: /Added to a plan/ })).toContainText('$50.00');
    await expect(lines.getByRole('button', { name: /Budget set aside/ })).toContainText('$100.00');
  });
  expect(troubles).toEqual([]);
});

test('does the same by keyboard alone', async ({ page, context, installation }) => {
  const { account } = await deliver(installation);
  await signIn(context, account);
  const troubles = watch(page, installation.base);
  await page.goto(`${installation.base}/#/plan`);
  const plan = page
    .getByRole('list', { name: 'Plans' })
    .getByRole('link', { name: /Aurora Coffee/ });
  await follow(page, plan, /#\/plan\/detail\?id=/);
  await reach(page, page.getByRole('tab', { name: 'Delivery' }));
  const byArrows = async (tab: Locator) => {
    for (let tries = 0; tries < 3; tries += 1) {
      if ((await tab.getAttribute('aria-selected')) === 'true') break;
      await page.keyboard.press('ArrowRight');
      await expect(page.locator('[role=tab]:focus')).toHaveAttribute('aria-selected', 'true');
    }
    await expect(tab).toHaveAttribute('aria-selected', 'true');
  };
  await sawWhatWasBought(page, byArrows);
  await sawTheResults(page, byArrows);
  await sawWhereItWasShown(page, byArrows);

  await reach(page, page.getByRole('tab', { name: 'By day' }));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'By hour' })).toBeFocused();
  await expect(chart(page).getByRole('button')).not.toHaveCount(1);
  await page.keyboard.press('ArrowLeft');
  await expect(chart(page).getByRole('button')).toHaveCount(1);

  const add = page.getByRole('button', { name: 'Add to the budget' });
  await press(page, add);
  const sheet = page.getByRole('dialog', { name: 'Add to the budget' });
  await expect(sheet).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(add).toBeFocused();
  await page.keyboard.press('Enter');
  const amount = sheet.getByLabel('Amount', { exact: true });
  await type(page, amount, '999');
  await expect(sheet.getByText(/Investment amount out of range/)).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Transaction password' })).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('20');
  await expect(fact(sheet, 'Budget afterwards')).toHaveText('$120.00');
  await page.keyboard.press('Enter');
  await confirm(page, password);
  await expect(sheet).toHaveCount(0);
  await expect(header(page)).toContainText('of $120.00');

  const again = page.getByRole('link', { name: 'Put the same amount again' });
  await follow(page, again, /#\/plan\/goods-detail\?id=/);
  const form = page.getByRole('dialog', { name: 'Put amount' });
  await expect(form.getByLabel('Amount', { exact: true })).toHaveValue('120.00');
  expect(troubles).toEqual([]);
});
