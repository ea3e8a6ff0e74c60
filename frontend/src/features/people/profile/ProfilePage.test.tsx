import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { session } from '@/api/session';
import { setUser } from '@/api/user';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { enterPassword } from '@/testing/enter-password';
import { fillIn } from '@/testing/fill-in';
import { address, renderApp } from '@/testing/render-app';

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
  if (text) await fillIn(input, text);
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

  it('leads back to where it was opened once it is saved', async () => {
    const api = fakeApi({
      'GET /user/info': () => aUser,
      'POST /user/info/edit': () => ({ ...aUser, nickname: 'Lena V.' }),
      'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
      'POST /check/password': () => ({}),
    });
    renderApp('/me', aUser);
    await userEvent.click(await screen.findByRole('link', { name: /Edit profile/ }));
    await retype('Nickname', 'Lena V.');
    // Behind a question, which is closed first.
    api.answer('POST /user/info/edit', ({ body }) =>
      'password' in (body as object)
        ? { ...aUser, nickname: 'Lena V.' }
        : new Refusal(400, 'Check', { fields: { password: 'required' } }),
    );
    await save();
    await enterPassword();
    await waitFor(() => expect(address()).toBe('/me'));
    expect(await screen.findByText('Profile saved')).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
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

  it('says what is wrong with an address that the browser cannot read', async () => {
    const api = open();
    await retype('Email', 'lena@exa mple.com');
    // As Firefox says of it.
    const field = screen.getByLabelText<HTMLInputElement>('Email');
    const { validity } = field;
    Object.defineProperty(field, 'validity', { value: { ...validity, badInput: true } });
    await save();
    expect(await screen.findByText('Not a valid email address')).toBeVisible();
    expect(api.to('/user/info/edit')).toEqual([]);
  });

  it("shows the server's errors at their fields until they are typed in again", async () => {
    const api = open();
    const fields = { email: 'invalid_email', nickname: 'invalid' };
    api.answer('POST /user/info/edit', () => new Refusal(400, 'Check', { fields }));
    await retype('Nickname', 'Le\u200bna');
    await retype('Email', 'lena@example.org');
    await save();
    expect(await screen.findByText('Not a valid email address')).toBeVisible();
    // What is wrong with it cannot be seen.
    expect(screen.getByText(/invisible or unusual characters/)).toBeVisible();
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

  it('leaves alone what another tab has changed meanwhile', async () => {
    const api = open();
    await retype('Nickname', 'Lena V.');
    const elsewhere = { ...aUser, phone: '+49 30 1234567', email: 'lena@example.org' };
    api.answer('POST /user/info/edit', ({ body }) => ({ ...elsewhere, ...(body as object) }));
    act(() => setUser(elsewhere));
    await save();
    expect(await screen.findByText('Profile saved')).toBeVisible();
    await retype('Nickname', 'Lena Vogt-Sommer');
    await save();
    await waitFor(() =>
      expect(api.to('/user/info/edit').map(({ body }) => body)).toEqual([
        { nickname: 'Lena V.' },
        { nickname: 'Lena Vogt-Sommer' },
      ]),
    );
    expect(screen.getByLabelText('Phone')).toHaveValue('+49 30 1234567');
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

describe('how the user is reached', () => {
  /** The server asks for the transaction password where one is set. */
  const asks = ({ body }: { body?: unknown }) => {
    const { password, ...changes } = body as Record<string, string>;
    return password
      ? { ...aUser, ...changes }
      : new Refusal(400, 'Please check what you entered', {
          error: 'params',
          fields: { password: 'required' },
        });
  };

  async function change() {
    const api = open();
    api.answer('POST /user/info/edit', asks);
    api.answer('POST /check/password', () => ({}));
    await retype('Phone', '+4915112345678');
    await save();
    return { api, phone: screen.getByLabelText('Phone') };
  }

  it('needs the transaction password', async () => {
    const { api } = await change();
    const dialog = await screen.findByRole('dialog', { name: 'Transaction password' });
    await screen.findByLabelText('Enter your 6 digits');
    expect(dialog).toHaveTextContent('+4915112345678');
    expect(dialog).toHaveTextContent('you cannot withdraw or exchange for 24 hours afterwards');
    await userEvent.type(await screen.findByLabelText('Enter your 6 digits'), '274916');
    await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText('Profile saved')).toBeVisible();
    expect(api.to('/user/info/edit').at(-1)?.body).toEqual({
      phone: '+4915112345678',
      password: '7358799507ac63262ba5ff9926cb95a3',
    });
    expect(session.get().user?.phone).toBe('+4915112345678');
  });

  it('keeps what was typed when the password is not given, or the server refuses', async () => {
    const { api, phone } = await change();
    await screen.findByRole('dialog', { name: 'Transaction password' });
    api.answer(
      'POST /user/info/edit',
      () => new Refusal(405, 'Locked', { error: 'pay_password_locked' }),
    );
    await userEvent.type(await screen.findByLabelText('Enter your 6 digits'), '274916');
    await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText('Locked')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(phone).toHaveValue('+4915112345678');
    expect(screen.getByRole('button', { name: 'Save changes' })).toBeEnabled();
  });

  it('is saved at once where no transaction password is set', async () => {
    const api = open();
    api.answer('POST /user/info/edit', ({ body }) => ({ ...aUser, ...(body as object) }));
    await retype('Phone', '+4915112345678');
    await save();
    expect(await screen.findByText('Profile saved')).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
