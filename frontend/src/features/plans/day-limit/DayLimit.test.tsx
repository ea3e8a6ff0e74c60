import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { queryClient } from '@/api/query-client';
import type { PlanDetail } from '@/api/types';
import { fakeApi, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { aSeries } from '@/testing/event-data';
import { aPlan, aProperty } from '@/testing/money-data';
import { renderApp } from '@/testing/render-app';

const limited: PlanDetail = { ...aPlan, daily_cap: '80.00' };

function open(first: PlanDetail) {
  let plan = first;
  const api = fakeApi({
    'POST /plan/order/detail': () => plan,
    'GET /plan/order/series': () => aSeries,
    'POST /plan/order/limits': ({ body }) => {
      plan = { ...plan, daily_cap: (body as { daily_cap: string | null }).daily_cap };
      return plan;
    },
    'GET /user/property': () => aProperty,
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/plan/detail?id=42', aUser);
  return api;
}

async function openForm(button: string) {
  await userEvent.click(await screen.findByRole('button', { name: button }));
  return within(await screen.findByRole('dialog', { name: 'Daily limit' }));
}

describe('the limit of a day', () => {
  it('shows what was spent today where there is none, and sets one', async () => {
    const api = open(aPlan);
    expect(await screen.findByText('$57.12 spent today')).toBeVisible();
    const form = await openForm('Set a daily limit');
    expect(form.queryByRole('button', { name: 'Remove the limit' })).toBeNull();
    await userEvent.type(form.getByLabelText('At most per day'), '80');
    await userEvent.click(form.getByRole('button', { name: 'Save the limit' }));
    expect(await screen.findByText('$57.12 of $80.00 spent today')).toBeVisible();
    expect(api.to('/plan/order/limits')[0]?.body).toEqual({ id: '42', daily_cap: '80' });
    expect(screen.getByText('Daily limit saved')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('keeps what was typed while the form was closed, unless another limit was set', async () => {
    const api = open(aPlan);
    const form = await openForm('Set a daily limit');
    await userEvent.type(form.getByLabelText('At most per day'), '80');
    await userEvent.keyboard('{Escape}');
    const again = await openForm('Set a daily limit');
    expect(again.getByLabelText('At most per day')).toHaveValue('80');
    await userEvent.keyboard('{Escape}');
    api.answer('POST /plan/order/detail', () => ({ ...aPlan, daily_cap: '95.00' }));
    await act(() => queryClient.invalidateQueries({ queryKey: ['plans'] }));
    const other = await openForm('Change the daily limit');
    expect(other.getByLabelText('At most per day')).toHaveValue('95.00');
  });

  it('is drawn as a bar of the day, which says when it ends', async () => {
    open(limited);
    const bar = await screen.findByRole('progressbar', { name: 'Today' });
    expect(bar).toHaveAttribute('aria-valuenow', '71');
    expect(bar).toHaveAttribute('aria-valuetext', '$57.12 of $80.00 spent today');
    expect(screen.getByText(/^Until Nov 2[78], 2026/)).toBeVisible();
    expect(screen.queryByText(/^Today’s limit is reached/)).toBeNull();
  });

  it('says that it is reached once the rest pays for no further event', async () => {
    const rule = { ...aPlan.put_rule, pricing: 'cpc' as const, price: '3.00' };
    open({ ...limited, put_rule: rule, consumed_today: '77.01' });
    expect(await screen.findByText(/^Today’s limit is reached/)).toBeVisible();
  });

  it('is removed by a button of the form', async () => {
    const api = open(limited);
    const form = await openForm('Change the daily limit');
    expect(form.getByLabelText('At most per day')).toHaveValue('80.00');
    await userEvent.click(form.getByRole('button', { name: 'Remove the limit' }));
    expect(await screen.findByText('Daily limit removed')).toBeVisible();
    expect(api.to('/plan/order/limits')[0]?.body).toEqual({ id: '42', daily_cap: null });
    expect(await screen.findByText('No daily limit')).toBeVisible();
  });

  it('says at its field why one was refused, and keeps what was typed', async () => {
    const api = open(aPlan);
    api.answer('POST /plan/order/limits', () => {
      return new Refusal(405, 'Out of range', { error: 'amount_out_of_range' });
    });
    const form = await openForm('Set a daily limit');
    await userEvent.click(form.getByRole('button', { name: 'Save the limit' }));
    expect(form.getByText('Cannot be empty')).toBeVisible();
    await userEvent.type(form.getByLabelText('At most per day'), '0.01');
    await userEvent.click(form.getByRole('button', { name: 'Save the limit' }));
    expect(await form.findByText(/does not pay for even one impression/)).toBeVisible();
    expect(form.getByLabelText('At most per day')).toHaveValue('0.01');
    const often = 'Possible again from Nov 29, 2026, 10:00 UTC';
    api.answer('POST /plan/order/limits', () => {
      return new Refusal(405, often, { error: 'plan_lowered_often' });
    });
    await userEvent.click(form.getByRole('button', { name: 'Save the limit' }));
    expect(await form.findByText(often)).toBeVisible();
    expect(form.getByLabelText('At most per day')).toHaveValue('0.01');
  });

  it('is not there for a plan that has ended', async () => {
    open({ ...limited, status: 'settled' });
    await screen.findByRole('heading', { name: aPlan.product.name });
    expect(screen.queryByText(/spent today/)).toBeNull();
  });
});
