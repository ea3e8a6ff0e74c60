import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { PlanDetail, PlanRule } from '@/api/types';
import { fakeApi, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { aSeries } from '@/testing/event-data';
import { aPlan, aProperty } from '@/testing/money-data';
import { renderApp } from '@/testing/render-app';

const loss: PlanRule = { kind: 'loss', action: 'pause', amount: '40.00', crossed_at: null };

function open(first: Partial<PlanDetail> = {}) {
  let plan: PlanDetail = { ...aPlan, ...first };
  const api = fakeApi({
    'POST /plan/order/detail': () => plan,
    'GET /plan/order/series': () => aSeries,
    'POST /plan/order/rules': ({ body }) => {
      const rules = (body as { rules: PlanRule[] }).rules.map((rule) => ({
        ...rule,
        crossed_at: null,
      }));
      plan = { ...plan, rules };
      return { rules };
    },
    'GET /user/property': () => aProperty,
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/plan/detail?id=42', aUser);
  return api;
}

async function openForm(button: string) {
  await userEvent.click(await screen.findByRole('button', { name: button }));
  return within(await screen.findByRole('dialog', { name: 'Alerts' }));
}

async function choose(kind: string, shown: string, action: string) {
  await userEvent.click(screen.getByRole('button', { name: `${kind}: ${shown}` }));
  const sheet = within(await screen.findByRole('dialog', { name: kind }));
  await userEvent.click(sheet.getByRole('button', { name: action }));
}

describe('alerts of a plan', () => {
  it('are set in one form, with an amount where they compare with one', async () => {
    const api = open();
    const form = await openForm('Set up alerts');
    expect(form.queryByLabelText('Maximum loss')).toBeNull();
    await choose('Loss above a limit', 'Off', 'Pause and notify me');
    await choose('Not shown for six hours', 'Off', 'Notify me');
    await userEvent.type(form.getByLabelText('Maximum loss'), '40');
    await userEvent.click(form.getByRole('button', { name: 'Save alerts' }));
    expect(await screen.findByText('Alerts saved')).toBeVisible();
    expect(api.to('/plan/order/rules')[0]?.body).toEqual({
      id: '42',
      rules: [
        { kind: 'loss', action: 'pause', amount: '40' },
        { kind: 'not_shown', action: 'tell', amount: null },
      ],
    });
    const list = within(await screen.findByRole('list', { name: 'Alerts' }));
    expect(list.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
      'Loss above $40.00Pause and notify me',
      'Not shown for six hoursNotify me',
    ]);
  });

  it('keep what was typed while the form was closed, until it is saved', async () => {
    open();
    const form = await openForm('Set up alerts');
    await choose('Loss above a limit', 'Off', 'Notify me');
    await userEvent.type(form.getByLabelText('Maximum loss'), '40');
    await userEvent.click(form.getByRole('button', { name: 'Close' }));
    const again = await openForm('Set up alerts');
    expect(again.getByLabelText('Maximum loss')).toHaveValue('40');
    await userEvent.click(again.getByRole('button', { name: 'Save alerts' }));
    expect(await screen.findByText('Alerts saved')).toBeVisible();
    const saved = await openForm('Change alerts');
    await userEvent.clear(saved.getByLabelText('Maximum loss'));
    await userEvent.type(saved.getByLabelText('Maximum loss'), '41');
    await choose('Loss above a limit', 'Notify me', 'Off');
    await userEvent.click(saved.getByRole('button', { name: 'Save alerts' }));
    const off = await openForm('Set up alerts');
    expect(off.queryByLabelText('Maximum loss')).toBeNull();
  });

  it('say when they have happened', async () => {
    open({ rules: [{ ...loss, crossed_at: '2026-11-20T09:00:00Z' }] });
    expect(await screen.findByText(/^Happened on Nov 20, 2026/)).toBeVisible();
  });

  it('are switched off again', async () => {
    const api = open({ rules: [loss] });
    const form = await openForm('Change alerts');
    expect(form.getByLabelText('Maximum loss')).toHaveValue('40.00');
    await choose('Loss above a limit', 'Pause and notify me', 'Off');
    await userEvent.click(form.getByRole('button', { name: 'Save alerts' }));
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Alerts' })).toBeNull());
    expect(api.to('/plan/order/rules')[0]?.body).toEqual({ id: '42', rules: [] });
  });

  it('need their amount, and say at its field what the server has found', async () => {
    const api = open();
    const form = await openForm('Set up alerts');
    await choose('Loss above a limit', 'Off', 'Notify me');
    await userEvent.click(form.getByRole('button', { name: 'Save alerts' }));
    expect(form.getByText('Cannot be empty')).toBeVisible();
    expect(api.to('/plan/order/rules')).toEqual([]);
    api.answer('POST /plan/order/rules', () => {
      return new Refusal(400, 'Wrong', { error: 'params', fields: { loss: 'invalid_amount' } });
    });
    await userEvent.type(form.getByLabelText('Maximum loss'), '1.999');
    await userEvent.click(form.getByRole('button', { name: 'Save alerts' }));
    await waitFor(() => expect(form.getByLabelText('Maximum loss')).toBeInvalid());
    expect(form.getByLabelText('Maximum loss')).toHaveValue('1.999');
  });

  it('are not offered for a plan that has ended', async () => {
    open({ status: 'settled', rules: [loss] });
    await screen.findByRole('heading', { name: aPlan.product.name });
    expect(screen.queryByRole('list', { name: 'Alerts' })).toBeNull();
  });

  it('say why they were refused, where no field has to do with it', async () => {
    const api = open();
    const form = await openForm('Set up alerts');
    const error = 'plan_not_running';
    api.answer('POST /plan/order/rules', () => new Refusal(405, 'It has ended', { error }));
    await choose('Not shown for six hours', 'Off', 'Notify me');
    await userEvent.click(form.getByRole('button', { name: 'Save alerts' }));
    expect(await screen.findByText('It has ended')).toBeVisible();
  });
});
