import { expect } from '@playwright/test';
import { rounds } from '../steps/waiting.ts';
import { test } from '../test.ts';
import { watch } from '../watch.ts';
import { deliver, phone } from './delivered.ts';

test('pauses a plan when its user says so, and tells why with a way back to it', async ({
  browser,
  installation,
}) => {
  const { account } = await deliver(installation);
  const page = await phone(browser, account);
  const troubles = watch(page, installation.base);
  await page.goto(`${installation.base}/#/plan`);
  await page
    .getByRole('list', { name: 'Plans' })
    .getByRole('link', { name: /Aurora Coffee/ })
    .tap();

  await test.step('its amount is asked for in view', async () => {
    await page.getByRole('button', { name: 'Set up alerts' }).tap();
    const form = page.getByRole('dialog', { name: 'Alerts' });
    await form.getByRole('button', { name: 'Cost per conversion above a limit: Off' }).tap();
    await page.getByRole('button', { name: 'Pause and notify me', exact: true }).tap();
    await form.getByRole('button', { name: 'Save alerts' }).tap();
    await expect(form.getByText('Cannot be empty')).toBeInViewport();
    await form.getByLabel('Limit per conversion').fill('10');
    await form.getByRole('button', { name: 'Save alerts' }).tap();
    await expect(form).toHaveCount(0);
  });

  await test.step('it has happened, or does once the views are counted', async () => {
    const alerts = page.getByRole('list', { name: 'Alerts' }).getByRole('listitem');
    await expect(alerts).toContainText('Cost per conversion above $10.00');
    await expect(alerts).toContainText('Happened on', rounds);
    await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
  });

  await test.step('the notice leads back', async () => {
    await page.goto(`${installation.base}/#/notification`);
    const notice = page
      .getByRole('listitem')
      .filter({ hasText: 'Paused: conversions cost more than your limit' })
      .first();
    await expect(notice).toContainText('Your limit per conversion: $10.00');
  });
  expect(troubles).toEqual([]);
});
