import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { fakeApi, Refusal } from '@/testing/api';
import { noResults } from '@/testing/compare-data';
import { aUser } from '@/testing/data';
import { enterPassword } from '@/testing/enter-password';
import { aSeries } from '@/testing/event-data';
import { aPlan, aProductToPut, aProperty, quoteWithoutCoupons } from '@/testing/money-data';
import { renderApp } from '@/testing/render-app';

async function open() {
  const api = fakeApi({
    'POST /plan/order/quote': ({ body }) =>
      quoteWithoutCoupons((body as { amount: string }).amount),
    'POST /plan/order/app/detail': () => aProductToPut,
    'GET /plan/product/results': () => noResults,
    'POST /plan/order/put': () => aPlan,
    'POST /plan/order/detail': () => aPlan,
    'GET /plan/order/series': () => aSeries,
    'POST /check/password': () => ({}),
    'GET /user/property': () => aProperty,
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/plan/goods-detail?id=p1', aUser);
  await userEvent.click(await screen.findByRole('button', { name: 'Put amount' }));
  const sheet = within(screen.getByRole('dialog', { name: 'Put amount' }));
  await userEvent.type(await sheet.findByLabelText('Amount'), '120');
  await userEvent.click(sheet.getByRole('switch', { name: 'When it is shown' }));
  return { api, sheet };
}

async function confirm(sheet: Awaited<ReturnType<typeof open>>['sheet']) {
  await userEvent.click(sheet.getByRole('button', { name: 'Put amount' }));
  await enterPassword();
}

describe('a plan that is put with a schedule', () => {
  it('begins and ends when it is told to', async () => {
    const { api, sheet } = await open();
    await userEvent.type(sheet.getByLabelText('Start'), '2027-03-02T08:00');
    await userEvent.type(sheet.getByLabelText('End'), '2027-03-01T08:00');
    await userEvent.click(sheet.getByRole('button', { name: 'Put amount' }));
    expect(sheet.getByText(/^The end must be later/)).toBeVisible();
    expect(sheet.getByLabelText('End')).toHaveFocus();
    await userEvent.clear(sheet.getByLabelText('End'));
    await userEvent.click(sheet.getByRole('radio', { name: 'Evenings' }));
    await confirm(sheet);
    await screen.findByText('Amount put on the plan');
    expect(api.to('/plan/order/put')[0]?.body).toMatchObject({
      schedule: {
        begins_at: new Date('2027-03-02T08:00').toISOString(),
        ends_at: null,
        hours: Array.from({ length: 7 }, () => '000000000000000000111111'),
      },
    });
  });

  it('says at its field what is refused, and keeps what was typed', async () => {
    const { api, sheet } = await open();
    api.answer('POST /plan/order/put', () => {
      return new Refusal(400, 'Wrong', { error: 'params', fields: { begins_at: 'in_past' } });
    });
    await userEvent.type(sheet.getByLabelText('Start'), '2020-03-02T08:00');
    await confirm(sheet);
    expect(await sheet.findByText('This time has passed.')).toBeVisible();
    expect(sheet.getByLabelText('Start')).toHaveValue('2020-03-02T08:00');
  });
});
