import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { session } from '@/api/session';
import { forgetDrafts } from '@/shared/forms/draft';
import { barAnswers } from '@/testing/answers';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { fillIn } from '@/testing/fill-in';
import { address, renderApp } from '@/testing/render-app';

const typed = {
  Username: 'lena',
  Password: 'correct horse',
  'Repeat password': 'correct horse',
  Email: 'lena@example.com',
  Phone: '+49 170 1234567',
  'Authorization code': 'ABCD-1234',
};
const opened = { token: 't', user: { ...aUser, store_opened: false } };

async function fill(changed: Partial<typeof typed> = {}) {
  await screen.findByLabelText('Username');
  for (const [label, text] of Object.entries({ ...typed, ...changed })) {
    if (text) await fillIn(screen.getByLabelText(label), text);
  }
  await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
}

function expectAllKept() {
  for (const [label, text] of Object.entries(typed)) {
    expect(screen.getByLabelText(label)).toHaveValue(text);
  }
}

afterEach(() => forgetDrafts());

describe('the register page', () => {
  it('keeps what was typed, but for passwords, for who leaves and comes back', async () => {
    fakeApi({});
    renderApp('/register');
    await fill({ 'Authorization code': '' });
    await userEvent.click(screen.getByRole('link', { name: 'Log in' }));
    await userEvent.click(await screen.findByRole('link', { name: 'Create one' }));
    expect(await screen.findByLabelText('Username')).toHaveValue(typed.Username);
    expect(screen.getByLabelText('Email')).toHaveValue(typed.Email);
    expect(screen.getByLabelText('Phone')).toHaveValue(typed.Phone);
    expect(screen.getByLabelText('Password')).toHaveValue('');
    expect(screen.getByLabelText('Repeat password')).toHaveValue('');
  });

  it('sends all six fields and goes on', async () => {
    const api = fakeApi({ ...barAnswers, 'POST /auth/v2/register': () => opened });
    renderApp('/register');
    await fill();
    await waitFor(() => expect(address()).toBe('/ad-welcome'));
    expect(api.to('/auth/v2/register')[0]?.body).toEqual({
      username: 'lena',
      password: 'correct horse',
      confirm_password: 'correct horse',
      email: 'lena@example.com',
      phone: '+49 170 1234567',
      license_key: 'ABCD-1234',
      lang: 'en',
    });
  });

  it.each([
    ['Password', 'short', 'At least 8 characters'],
    ['Repeat password', 'other', 'The passwords do not match'],
    ['Email', 'lena.example.com', 'This is not a valid email address'],
    ['Phone', 'call me', 'This is not a valid phone number'],
    ['Authorization code', '', 'Cannot be empty'],
  ])('says at %s what is wrong with "%s"', async (label, text, expected) => {
    const api = fakeApi({});
    renderApp('/register');
    await fill({ [label]: text });
    const field = screen.getByLabelText(label);
    expect(field).toBeInvalid();
    expect(field.closest('form')).toHaveTextContent(expected);
    expect(field).toHaveFocus();
    expect(api.to('/auth/v2/register')).toEqual([]);
  });

  it.each(Object.keys(typed))('cannot do without %s', async (label) => {
    const api = fakeApi({});
    renderApp('/register');
    await fill({ [label]: '' });
    expect(screen.getByLabelText(label)).toBeInvalid();
    expect(screen.getByLabelText(label)).toHaveAccessibleDescription(/^Cannot be empty/);
    expect(api.to('/auth/v2/register')).toEqual([]);
  });

  it('ticks off the rules for the password while it is typed', async () => {
    fakeApi({});
    renderApp('/register');
    const kept = () =>
      [...document.querySelectorAll('[data-kept=true]')].map((rule) => rule.textContent);
    await userEvent.type(await screen.findByLabelText('Username'), 'LenaVogt');
    const password = screen.getByLabelText('Password');
    await userEvent.type(password, 'lenavog');
    expect(kept()).toEqual(['Not the same as your username (met)']);
    await userEvent.type(password, 't');
    expect(kept()).toEqual(['At least 8 characters (met)']);
    await userEvent.type(password, '!');
    expect(kept()).toHaveLength(2);
    expect(password).toHaveAccessibleDescription(/Not a password that many people use/);
  });

  it("shows the server's errors at their fields, until they are typed in again", async () => {
    fakeApi({
      'POST /auth/v2/register': () =>
        new Refusal(400, 'params error', { fields: { email: 'invalid_email' } }),
    });
    renderApp('/register');
    await fill();
    await waitFor(() => expect(screen.getByLabelText('Email')).toBeInvalid());
    expect(screen.queryByText('params error')).not.toBeInTheDocument();
    expectAllKept();
    await userEvent.type(screen.getByLabelText('Email'), 'x');
    expect(screen.getByLabelText('Email')).toBeValid();
  });

  it('says which names there are, where the typed one breaks the rules', async () => {
    const fields = { username: 'invalid', phone: 'invalid_phone' };
    fakeApi({ 'POST /auth/v2/register': () => new Refusal(400, 'params error', { fields }) });
    renderApp('/register');
    await fill();
    const name = screen.getByLabelText('Username');
    await waitFor(() => expect(name).toBeInvalid());
    expect(name).toHaveAccessibleDescription(/Only letters, digits and \._-@\+/);
    expect(screen.getByLabelText('Phone')).toBeInvalid();
    expectAllKept();
  });

  it('tells who has to wait for staff so, and stays signed in', async () => {
    const waits = () => new Refusal(402, '', { error: 'account_not_activated', lang: 'en' });
    fakeApi({
      'POST /auth/v2/register': () => ({
        token: 't',
        user: { ...aUser, status: 'not_activated' },
      }),
      'GET /user/info': waits,
      'GET /ad/order/data_statistics/list': waits,
      'GET /products': waits,
      'POST /user/notifications/unread_count': waits,
    });
    renderApp('/register');
    await fill();
    const dialog = await screen.findByRole('dialog', { name: 'Customer service' });
    expect(dialog).toHaveTextContent('Account not activated, contact customer service');
    expect(dialog).toHaveTextContent('Customer service 1 - Live chat');
    expect(address()).toBe('/ad-center');
    expect(session.get().token).toBe('t');
  });

  it('says once that a username is taken, at its field', async () => {
    fakeApi({ 'POST /auth/v2/register': () => new Refusal(4001, '', { error: 'user_exists' }) });
    renderApp('/register');
    await fill();
    expect(await screen.findAllByText('Username already exists')).toHaveLength(1);
    expect(screen.getByLabelText('Username')).toHaveAccessibleDescription(
      'Username already exists',
    );
    expectAllKept();
  });

  it.each([
    [4001, 'user_exists', 'Username'],
    [405, 'authorization_code_not_found', 'Authorization code'],
    [405, 'authorization_code_used', 'Authorization code'],
  ])('says %i %s at %s, in the server’s words', async (code, error, label) => {
    fakeApi({ 'POST /auth/v2/register': () => new Refusal(code, 'As the server says', { error }) });
    renderApp('/register');
    await fill();
    await waitFor(() => expect(screen.getByLabelText(label)).toBeInvalid());
    expect(screen.getByLabelText(label)).toHaveAccessibleDescription(/As the server says/);
    expectAllKept();
  });

  it('leads to customer service who has no code yet', async () => {
    fakeApi({});
    renderApp('/register');
    expect(await screen.findByText('No code yet?')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Ask customer service' }));
    const dialog = await screen.findByRole('dialog', { name: 'Customer service' });
    expect(dialog).toHaveTextContent('Customer service 1 - Live chat');
  });

  it('loses nothing with the connection', async () => {
    fakeApi({ 'POST /auth/v2/register': lostConnection });
    renderApp('/register');
    await fill();
    expect(await screen.findByText(/Nothing you typed is lost/)).toBeVisible();
    expectAllKept();
  });
});
