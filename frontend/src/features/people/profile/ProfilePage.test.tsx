import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { session } from '@/api/session';
import { setUser } from '@/api/user';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { renderApp } from '@/testing/render-app';

function open() {
  let user = aUser;
  const api = fakeApi({
    'GET /user/info': () => user,
    'POST /user/info/edit': ({ body }) => {
      user = { ...user, ...(body as object) };
      return user;
    },
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/me/profile', aUser);
  return api;
}

async function retype(label: string, text: string) {
  const input = await screen.findByLabelText(label);
  await userEvent.clear(input);
  if (text) await userEvent.type(input, text);
}

const save = () => userEvent.click(screen.getByRole('button', { name: 'Save changes' }));

describe('ProfilePage', () => {
  it('sends what has changed, and only that', async () => {
    const api = open();
    expect(await screen.findByRole('button', { name: 'Save changes' })).toBeDisabled();
    await retype('Nickname', 'Lena V.');
    await retype('Phone', '+49 30 901820');
    await save();
    expect(await screen.findByText('Profile saved')).toBeVisible();
    expect(api.to('/user/info/edit')[0]?.body).toEqual({
      nickname: 'Lena V.',
      phone: '+49 30 901820',
    });
    expect(session.get().user?.nickname).toBe('Lena V.');
    expect(screen.getByRole('button', { name: 'Save changes' })).toBeDisabled();
  });

  it.each([
    ['Nickname', '', 'Cannot be empty'],
    ['Nickname', 'x'.repeat(33), 'Too long'],
    ['Email', 'lena@example', 'Not a valid email address'],
    ['Email', 'lena example.com', 'Not a valid email address'],
    ['Phone', '+49 12', 'Not a valid phone number'],
    ['Phone', 'call me', 'Not a valid phone number'],
  ])('says at %s what is wrong with "%s"', async (label, text, expected) => {
    const api = open();
    await retype(label, text);
    await save();
    expect(await screen.findByText(expected)).toBeVisible();
    expect(screen.getByLabelText(label)).toBeInvalid();
    expect(screen.getByLabelText(label)).toHaveFocus();
    expect(api.to('/user/info/edit')).toEqual([]);
  });

  it("shows the server's errors at their fields until they are typed in again", async () => {
    const api = open();
    const fields = { email: 'invalid_email' };
    api.answer('POST /user/info/edit', () => new Refusal(400, 'Check', { fields }));
    await retype('Email', 'lena@example.org');
    await save();
    expect(await screen.findByText('Not a valid email address')).toBeVisible();
    expect(screen.getByLabelText('Email')).toHaveValue('lena@example.org');
    await userEvent.type(screen.getByLabelText('Email'), '.uk');
    expect(screen.getByLabelText('Email')).toBeValid();
  });

  it('keeps what was typed over a lost connection, and saves it the second time', async () => {
    const api = open();
    const answered = { ...aUser, nickname: 'Lena V.' };
    api.answer('POST /user/info/edit', lostConnection);
    await retype('Nickname', 'Lena V.');
    await save();
    expect(await screen.findByText(/Nothing you typed is lost/)).toBeVisible();
    expect(screen.getByLabelText('Nickname')).toHaveValue('Lena V.');
    api.answer('POST /user/info/edit', () => answered);
    await save();
    expect(await screen.findByText('Profile saved')).toBeVisible();
  });

  it('keeps what was typed when another tab changes the user', async () => {
    open();
    await retype('Nickname', 'Half typed');
    act(() => setUser({ ...aUser, phone: '+49 30 1' }));
    expect(screen.getByLabelText('Nickname')).toHaveValue('Half typed');
  });

  it('says when the profile cannot be read, and reads it again', async () => {
    const api = fakeApi({
      'GET /user/info': () => new Refusal(500, 'Server error'),
      'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
    });
    renderApp('/me/profile', aUser);
    const again = await screen.findByRole('button', { name: 'Reload' });
    api.answer('GET /user/info', () => aUser);
    await userEvent.click(again);
    await waitFor(() => expect(screen.getByLabelText('Nickname')).toHaveValue('Lena Vogt'));
  });
});
