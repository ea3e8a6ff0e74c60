import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { session } from '@/api/session';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { fillIn } from '@/testing/fill-in';
import { address, renderApp } from '@/testing/render-app';

const typed = {
  Username: ' lena ',
  'One half of the code': '1234-5678',
  'The other half': '0hjk mnp1',
  'New password': 'battery staple',
  'Repeat new password': 'battery staple',
};

async function send(changed: Partial<typeof typed> = {}) {
  await screen.findByLabelText('One half of the code');
  for (const [label, text] of Object.entries({ ...typed, ...changed })) {
    if (text) await fillIn(screen.getByLabelText(label), text);
  }
  await userEvent.click(screen.getByRole('button', { name: 'Set new password' }));
}

function nothingIsLost() {
  for (const [label, text] of Object.entries(typed)) {
    expect(screen.getByLabelText(label)).toHaveValue(text);
  }
}

describe('ResetPage', () => {
  it('is found from the login page, and so is customer service', async () => {
    fakeApi({});
    renderApp('/login');
    await userEvent.click(await screen.findByRole('link', { name: 'Forgot your password?' }));
    await waitFor(() => expect(address()).toBe('/reset-password'));
    await userEvent.click(await screen.findByRole('button', { name: 'Ask customer service' }));
    expect(await screen.findByRole('dialog', { name: 'Customer service' })).toBeVisible();
  });

  it('sets the password and asks to log in with it', async () => {
    const api = fakeApi({ 'POST /auth/reset': () => ({}) });
    renderApp('/reset-password');
    await send();
    await waitFor(() => expect(address()).toBe('/login'));
    expect(
      await screen.findByText('Your new password is set. Please log in with it.'),
    ).toBeVisible();
    expect(api.to('/auth/reset')[0]?.body).toEqual({
      username: 'lena',
      code: '1234-5678 0hjk mnp1',
      password: 'battery staple',
      confirm_password: 'battery staple',
    });
  });

  it('ends the session of whoever is signed in here', async () => {
    fakeApi({
      'POST /auth/reset': () => ({}),
      'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
    });
    renderApp('/reset-password', aUser);
    await send();
    await waitFor(() => expect(address()).toBe('/login'));
    expect(session.get().token).toBeNull();
  });

  it.each([
    ['Username', '', 'Cannot be empty'],
    ['One half of the code', '1234-567', 'A half has eight letters and digits'],
    ['The other half', '1234-5678-0', 'A half has eight letters and digits'],
    ['New password', '', 'Cannot be empty'],
    ['Repeat new password', 'battery', 'The passwords do not match'],
  ])('refuses "%s" of "%s" at its field, and uses no try', async (label, text, expected) => {
    const api = fakeApi({});
    renderApp('/reset-password');
    await send({ [label]: text });
    const field = screen.getByLabelText(label);
    expect(field).toBeInvalid();
    expect(field).toHaveAccessibleDescription(expect.stringContaining(expected));
    expect(field).toHaveFocus();
    expect(api.to('/auth/reset')).toEqual([]);
  });

  it('says that the code is wrong, and keeps what was typed', async () => {
    fakeApi({
      'POST /auth/reset': () => new Refusal(405, 'It is wrong', { error: 'wrong_reset_code' }),
    });
    renderApp('/reset-password');
    await send();
    expect(await screen.findByText('It is wrong')).toBeVisible();
    expect(screen.getByLabelText('One half of the code')).toBeInvalid();
    expect(screen.getByLabelText('One half of the code')).toHaveFocus();
    nothingIsLost();
  });

  it("shows the server's rule at the new password", async () => {
    fakeApi({
      'POST /auth/reset': () => new Refusal(400, 'Check', { fields: { password: 'too_common' } }),
    });
    renderApp('/reset-password');
    await send();
    expect(await screen.findByText('Too easy to guess, please choose another')).toBeVisible();
    expect(screen.getByLabelText('New password')).toBeInvalid();
    nothingIsLost();
  });

  it('loses nothing with the connection', async () => {
    fakeApi({ 'POST /auth/reset': lostConnection });
    renderApp('/reset-password');
    await send();
    expect(await screen.findByText(/Nothing you typed is lost/)).toBeVisible();
    nothingIsLost();
  });
});
