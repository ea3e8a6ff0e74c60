import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { session } from '@/api/session';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { fillIn } from '@/testing/fill-in';
import { address, renderApp } from '@/testing/render-app';

const typed = {
  'Old password': 'correct horse',
  'New password': 'battery staple',
  'Repeat new password': 'battery staple',
};

function open(user = aUser) {
  const api = fakeApi({
    'POST /update/password': () => ({}),
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/ad-center/edit-login-password', user);
  return api;
}

async function send(changed: Partial<typeof typed> = {}) {
  await screen.findByLabelText('Old password');
  for (const [label, text] of Object.entries({ ...typed, ...changed })) {
    if (text) await fillIn(screen.getByLabelText(label), text);
  }
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }));
}

describe('LoginPasswordPage', () => {
  it('changes the password and asks to log in again', async () => {
    const api = open();
    await send();
    await waitFor(() => expect(address()).toBe('/login'));
    expect(await screen.findByText('Password changed. Please log in again.')).toBeVisible();
    expect(session.get().token).toBeNull();
    expect(api.to('/update/password')[0]?.body).toEqual({
      old_password: 'correct horse',
      new_password: 'battery staple',
      confirm_password: 'battery staple',
    });
  });

  it('tells a password manager whose password it is', async () => {
    open();
    await screen.findByLabelText('Old password');
    expect(document.querySelector('[autocomplete="username"]')).toHaveValue(aUser.username);
  });

  it.each([
    ['Old password', '', 'Cannot be empty'],
    ['New password', '', 'Cannot be empty'],
    ['Repeat new password', '', 'Cannot be empty'],
    ['New password', 'correct horse', 'The new password must differ from the old one'],
    ['Repeat new password', 'battery', 'The passwords do not match'],
  ])('refuses "%s" of "%s" at its field', async (label, text, expected) => {
    const api = open();
    await send({ [label]: text });
    const field = screen.getByLabelText(label);
    expect(field).toBeInvalid();
    expect(field).toHaveAccessibleDescription(expect.stringContaining(expected));
    expect(field).toHaveFocus();
    expect(api.to('/update/password')).toEqual([]);
  });

  it('says once what is wrong with the new one', async () => {
    open();
    await send({ 'New password': 'short' });
    expect(screen.getByLabelText('New password')).toHaveAccessibleDescription(/At least 8/);
    expect(screen.getAllByText('At least 8 characters')).toHaveLength(1);
    expect(screen.getByText('Not the same as your username')).toBeVisible();
  });

  it.each([
    ['old_password_wrong', 'The old password is wrong', 'Old password'],
    ['password_unchanged', 'The new password must differ', 'New password'],
  ])('shows the refusal %s at its field and keeps what was typed', async (error, msg, label) => {
    const api = open();
    api.answer('POST /update/password', () => new Refusal(405, msg, { error }));
    await send();
    expect(await screen.findByText(msg)).toBeVisible();
    expect(screen.getByLabelText(label)).toBeInvalid();
    expect(screen.getByLabelText(label)).toHaveFocus();
    for (const [name, text] of Object.entries(typed)) {
      expect(screen.getByLabelText(name)).toHaveValue(text);
    }
    expect(session.get().token).not.toBeNull();
  });

  it("shows the server's rule at the new password", async () => {
    const api = open();
    const fields = { new_password: 'too_common' };
    api.answer('POST /update/password', () => new Refusal(400, 'Check', { fields }));
    await send();
    expect(await screen.findByText('Too easy to guess, please choose another')).toBeVisible();
    expect(screen.getByLabelText('New password')).toBeInvalid();
  });

  it('loses nothing with the connection', async () => {
    const api = open();
    api.answer('POST /update/password', lostConnection);
    await send();
    expect(await screen.findByText(/Nothing you typed is lost/)).toBeVisible();
    expect(screen.getByLabelText('New password')).toHaveValue('battery staple');
    expect(session.get().token).not.toBeNull();
  });

  it('asks nobody for a password whom the app signs in', async () => {
    open({ ...aUser, entry: 'app' });
    expect(await screen.findByText(/need none: the app logs you in/)).toBeVisible();
  });

  it('speaks of the app to nobody who registered here', async () => {
    open();
    await screen.findByLabelText('Old password');
    expect(screen.queryByText(/the app logs you in/)).not.toBeInTheDocument();
  });
});
