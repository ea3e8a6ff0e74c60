import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { Property } from '@/api/types';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { enterPassword } from '@/testing/enter-password';
import { aProperty, rightHash } from '@/testing/money-data';
import { renderApp } from '@/testing/render-app';

function open(property: Partial<Property> = {}, read?: () => unknown) {
  const api = fakeApi({
    'GET /user/property': read ?? (() => ({ ...aProperty, deposit: '300.00', ...property })),
    'POST /user/deposit/pay': () => ({ deposit: '400.00', available: '9900.00' }),
    'POST /user/deposit/return': () => ({ deposit: '200.00', available: '10100.00' }),
    'POST /check/password': () => ({}),
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/wallet/deposit', aUser);
  return api;
}

const amount = () => screen.findByLabelText('Amount');
const submit = (name: string) => userEvent.click(screen.getByRole('button', { name }));

describe('DepositPage', () => {
  it('pays in out of available funds, with what is left shown first', async () => {
    const api = open();
    const hero = within(await screen.findByRole('region', { name: 'Deposit' }));
    expect(hero.getByText('$300.00')).toBeVisible();
    await userEvent.type(await amount(), '100');
    expect(screen.getByText('Available afterwards').nextElementSibling).toHaveTextContent(
      '$9,900.00',
    );
    expect(screen.getByText('Deposit afterwards').nextElementSibling).toHaveTextContent('$400.00');
    await submit('Pay in');
    await enterPassword();
    expect(await screen.findByText('Deposit paid in')).toBeVisible();
    const [sent] = api.to('/user/deposit/pay');
    expect(sent?.body).toEqual({ amount: '100', password: rightHash });
    expect(sent?.headers.get('Idempotency-Key')).toBeTruthy();
    expect(await amount()).toHaveValue('');
  });

  it('takes all of it back', async () => {
    const api = open();
    await userEvent.click(await screen.findByRole('tab', { name: 'Take back' }));
    await userEvent.click(screen.getByRole('button', { name: 'All' }));
    expect(await amount()).toHaveValue('300.00');
    await submit('Take back');
    await enterPassword();
    expect(await screen.findByText('Deposit taken back')).toBeVisible();
    expect(api.to('/user/deposit/return')[0]?.body).toMatchObject({ amount: '300.00' });
  });

  it.each([
    ['Pay in', '', 'Cannot be empty'],
    ['Pay in', '0', 'The amount must be greater than 0'],
    ['Pay in', '10000.01', 'Insufficient balance'],
    ['Take back', '300.01', 'More than your deposit'],
  ])('%s asks for no password for %j', async (direction, typed, problem) => {
    open();
    await userEvent.click(await screen.findByRole('tab', { name: direction }));
    if (typed) await userEvent.type(await amount(), typed);
    await submit(direction);
    expect(screen.getByText(problem)).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('says that plans hold it back, and leads to them', async () => {
    const api = open();
    const refusal = new Refusal(405, 'Plans are under way', { error: 'plans_under_way' });
    api.answer('POST /user/deposit/return', () => refusal);
    await userEvent.click(await screen.findByRole('tab', { name: 'Take back' }));
    await userEvent.type(await amount(), '50');
    await submit('Take back');
    await enterPassword();
    expect(await screen.findByText('Plans are under way')).toBeVisible();
    expect(screen.getByRole('link', { name: 'See your plans' })).toHaveAttribute('href', '#/plan');
    expect(await amount()).toHaveValue('50');
  });

  it('asks for a password first', async () => {
    open({ pay_password_set: false });
    expect(await screen.findByRole('link', { name: 'Set transaction password' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Pay in' })).toBeDisabled();
  });

  it('keeps the amount over a lost connection and pays in once', async () => {
    const api = open();
    api.answer('POST /user/deposit/pay', lostConnection);
    await userEvent.type(await amount(), '100');
    await submit('Pay in');
    await enterPassword();
    expect(await screen.findByText(/it cannot be carried out twice/)).toBeVisible();
    expect(await amount()).toHaveValue('100');
    api.answer('POST /user/deposit/pay', () => ({ deposit: '400.00', available: '9900.00' }));
    await submit('Pay in');
    await enterPassword();
    await waitFor(() => expect(api.to('/user/deposit/pay')).toHaveLength(2));
    const keys = api.to('/user/deposit/pay').map(({ headers }) => headers.get('Idempotency-Key'));
    expect(new Set(keys).size).toBe(1);
    expect(await screen.findByText('Deposit paid in')).toBeVisible();
  });

  it('offers to reload where the figures could not be read', async () => {
    const api = open({}, lostConnection);
    const reload = await screen.findByRole('button', { name: 'Reload' }, { timeout: 4000 });
    api.answer('GET /user/property', () => aProperty);
    await userEvent.click(reload);
    expect(await amount()).toBeVisible();
  });
});
