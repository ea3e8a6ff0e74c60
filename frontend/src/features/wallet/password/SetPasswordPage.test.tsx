import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { adCenterAnswers } from '@/testing/answers';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { aDaysPage, aProperty, noRechargeForm, rightHash } from '@/testing/money-data';
import { address, renderApp } from '@/testing/render-app';

const newHash = '7358799507ac63262ba5ff9926cb95a3'; // of 274916

function open(set: boolean, route = '/wallet/set-password') {
  let now = set;
  const api = fakeApi({
    // For the page to which it returns.
    ...adCenterAnswers,
    'GET /transaction_flow/by_day': () => aDaysPage,
    'GET /user/recharges': () => ({ items: [], next_cursor: null }),
    'GET /user/recharge/announcements': () => noRechargeForm,
    'GET /user/property': () => ({ ...aProperty, pay_password_set: now }),
    'POST /set/password': () => {
      now = true;
      return {};
    },
  });
  renderApp(route, aUser);
  return api;
}

const input = () => screen.getByLabelText('Enter your 6 digits');

async function step(title: string, digits: string, button: string) {
  expect(await screen.findByRole('heading', { name: title })).toBeVisible();
  await userEvent.type(input(), digits);
  await userEvent.click(screen.getByRole('button', { name: button }));
}

const enter = (digits: string) => step('New transaction password', digits, 'Next');
const repeat = (digits: string) => step('Repeat the new password', digits, 'Save password');

describe('SetPasswordPage', () => {
  it('enters, confirms and finishes', async () => {
    const api = open(false);
    await enter('274916');
    await repeat('274916');
    expect(await screen.findByText('Transaction password saved')).toBeVisible();
    expect(api.to('/set/password')[0]?.body).toEqual({
      password: newHash,
      confirm_password: newHash,
    });
  });

  it('leads whoever forgot the old one to customer service, which resets it', async () => {
    open(true);
    const forgotten = await screen.findByRole('button', {
      name: 'Forgot your transaction password?',
    });
    await userEvent.click(forgotten);
    const service = await screen.findByRole('dialog', { name: 'Customer service' });
    expect(service).toHaveTextContent('Customer service can reset it');
  });

  it('asks for the old one where there is one', async () => {
    const api = open(true);
    await step('Current transaction password', '123456', 'Next');
    await enter('274916');
    await repeat('274916');
    expect(await screen.findByText('Transaction password saved')).toBeVisible();
    expect(api.to('/set/password')[0]?.body).toMatchObject({ old_password: rightHash });
  });

  it.each([
    ['/wallet/set-password', '/wallet'],
    ['/ad-center/edit-pay-password', '/ad-center'],
  ])('is one page at %s, which leads back to %s', async (route, back) => {
    open(false, route);
    await enter('274916');
    await repeat('274916');
    await userEvent.click(await screen.findByRole('button', { name: 'Done' }));
    await waitFor(() => expect(address()).toBe(back));
  });

  it('wants six digits, and the same twice', async () => {
    const api = open(false);
    await enter('27491');
    expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled();
    await userEvent.type(input(), '6');
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    await repeat('222222');
    expect(screen.getByText(/do not match/)).toBeVisible();
    expect(api.to('/set/password')).toHaveLength(0);
    await userEvent.type(input(), '1');
    expect(screen.queryByText(/do not match/)).toBeNull();
  });

  it('says at once that digits are too common, and takes others', async () => {
    const api = open(false);
    await enter('123456');
    expect(screen.getByText(/too easy to guess/)).toBeVisible();
    expect(screen.getByRole('heading', { name: 'New transaction password' })).toBeVisible();
    expect(input()).toHaveValue('');
    await enter('274916');
    api.answer('POST /set/password', () => {
      return new Refusal(400, 'Check', { fields: { password: 'too_common' } });
    });
    await repeat('274916');
    expect(await screen.findByText(/too easy to guess/)).toBeVisible();
    expect(screen.getByRole('heading', { name: 'New transaction password' })).toBeVisible();
  });

  it('says once, where it is typed, that the old one is wrong by now', async () => {
    const api = open(true);
    const data = { error: 'old_password_wrong' };
    api.answer('POST /set/password', () => new Refusal(405, 'The old password is wrong', data));
    await step('Current transaction password', '123456', 'Next');
    await enter('274916');
    await repeat('274916');
    expect(await screen.findByText('Current transaction password')).toBeVisible();
    expect(screen.getAllByText('The old password is wrong')).toHaveLength(1);
    expect(input()).toHaveAccessibleDescription('The old password is wrong');
  });

  it('says once what is of no digits, and keeps them', async () => {
    const api = open(false);
    api.answer('POST /set/password', () => new Refusal(400, 'Cannot be read'));
    await enter('274916');
    await repeat('274916');
    expect(await screen.findAllByText('Cannot be read')).toHaveLength(1);
    expect(screen.getByRole('heading', { name: 'Repeat the new password' })).toBeVisible();
    expect(input()).toHaveValue('274916');
  });

  it('goes back to the old one when that was wrong, keeping the new one', async () => {
    const api = open(true);
    const data = { error: 'wrong_pay_password', attempts_left: 1 };
    api.answer('POST /set/password', () => new Refusal(405, 'Wrong', data));
    await step('Current transaction password', '999999', 'Next');
    await enter('274916');
    await repeat('274916');
    expect(await screen.findByText('Current transaction password')).toBeVisible();
    expect(screen.getByText(/1 attempt left/)).toBeVisible();
    await userEvent.type(input(), '123456');
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    expect(input()).toHaveValue('274916');
  });

  it('steps back with the page’s own arrow', async () => {
    open(false);
    await enter('274916');
    await screen.findByText('Repeat the new password');
    await userEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect(await screen.findByText('New transaction password')).toBeVisible();
    expect(input()).toHaveValue('274916');
  });

  it('keeps the digits over a lost connection', async () => {
    const api = open(false);
    api.answer('POST /set/password', lostConnection);
    await enter('274916');
    await repeat('274916');
    expect(await screen.findByText(/The connection was lost/)).toBeVisible();
    expect(input()).toHaveValue('274916');
    api.answer('POST /set/password', () => ({}));
    await userEvent.click(screen.getByRole('button', { name: 'Save password' }));
    expect(await screen.findByText('Transaction password saved')).toBeVisible();
  });
});
