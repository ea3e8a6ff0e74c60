import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { PlanDetail } from '@/api/types';
import { fakeApi } from '@/testing/api';
import { aUser } from '@/testing/data';
import { aSeries } from '@/testing/event-data';
import { anOffer, aPlan, aProperty, quoteWithoutCoupons } from '@/testing/money-data';
import { address, renderApp } from '@/testing/render-app';

function open(plan: PlanDetail, tab = '') {
  const api = fakeApi({
    'POST /plan/order/detail': () => plan,
    'GET /plan/order/series': () => aSeries,
    'GET /user/property': () => aProperty,
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp(`/plan/detail?id=42${tab}`, aUser);
  return api;
}

/** The value next to a label. */
async function fact(name: string) {
  const term = await screen.findByText(name, { selector: 'dt' });
  return term.nextElementSibling?.textContent;
}

describe('a plan’s result and its parts', () => {
  it.each([
    ['159.81', '0.212191', 'settled', '800.00', 'Gain', '+$159.81', '+21.2%', 'gain'],
    ['-20.44', '-0.730000', 'settled', '28.00', 'Loss', '-$20.44', '-73.0%', 'loss'],
    ['0.00', '0.000000', 'settled', '28.00', 'Break-even', '$0.00', '0.0%', 'even'],
    ['0.00', null, 'put_failed', '0.00', 'Nothing spent', '$0.00', '–', 'even'],
  ] as const)(
    'begins with the result, in the colour of its sign: %s, %s, %s',
    async (profit, roi, status, consumed, word, amount, percent, sign) => {
      const ratios = { ...aPlan.ratios, return_on_spend: roi };
      open({ ...aPlan, status, profit, consumed, ratios, settled_profit: '0.00' });
      expect(await screen.findByText(word)).toBeVisible();
      expect(await fact('Profit')).toBe(amount);
      expect(await fact('Return on your money (ROI)')).toBe(percent);
      expect(screen.getByText(amount, { selector: 'dd' })).toHaveAttribute('data-sign', sign);
      expect(screen.getByText(percent, { selector: 'dd' })).toHaveAttribute('data-sign', sign);
      expect(screen.getByText('Settled part: $0.00')).toBeVisible();
    },
  );

  it('calls a settled plan neither good nor bad: it may have lost money', async () => {
    open({ ...aPlan, status: 'settled', profit: '-20.44' });
    const tag = await screen.findByText('Settlement successful');
    expect(tag.className).toMatch(/neutral/);
  });

  it('asks for the figures by day only where they are shown', async () => {
    const api = open(aPlan, '&tab=money');
    expect(await screen.findByText('Paid from your funds')).toBeVisible();
    expect(api.to('/plan/order/series')).toEqual([]);
    await userEvent.click(screen.getByRole('tab', { name: 'Delivery' }));
    await waitFor(() => expect(api.to('/plan/order/series')).toHaveLength(1));
  });

  it('keeps the chosen part in its address, and follows the address', async () => {
    open(aPlan);
    const tab = (name: string) => screen.getByRole('tab', { name });
    await userEvent.click(await screen.findByRole('tab', { name: 'Money' }));
    expect(await screen.findByText('Paid from your funds')).toBeVisible();
    expect(address()).toBe('/plan/detail?id=42&tab=money');
    expect(screen.queryByText('Put rule')).toBeNull();
    act(() => {
      window.location.hash = '#/plan/detail?id=42&tab=bought';
    });
    await waitFor(() => expect(tab('What was bought')).toHaveAttribute('aria-selected', 'true'));
    expect(screen.getByText('Put rule')).toBeVisible();
    await userEvent.click(tab('Delivery'));
    await waitFor(() => expect(address()).toBe('/plan/detail?id=42'));
  });

  it('has nothing of what was typed for another plan', async () => {
    const offer = (id: string) => ({ ...anOffer, id, plan_no: `P${id}` });
    fakeApi({
      'POST /plan/order/detail': ({ body }) => offer((body as { id: string }).id),
      'POST /plan/order/quote': ({ body }) =>
        quoteWithoutCoupons((body as { amount: string }).amount),
      'GET /plan/order/series': () => aSeries,
      'GET /user/property': () => aProperty,
      'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
    });
    renderApp('/plan/detail?id=43', aUser);
    const goTo = async (id: string) => {
      act(() => {
        window.location.hash = `#/plan/detail?id=${id}`;
      });
      await screen.findByText(`P${id}`);
      return screen.findByLabelText('Amount');
    };
    await screen.findByText('P43');
    await userEvent.type(await goTo('42'), '120');
    expect(await goTo('43')).toHaveValue('');
    expect(await goTo('42')).toHaveValue('120');
  });
});
