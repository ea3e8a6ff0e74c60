import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { session } from '@/api/session';
import { barAnswers } from '@/testing/answers';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { address, renderApp } from '@/testing/render-app';
import { signIn } from '@/testing/sign-in';

const signed = { token: 'fresh', user: { ...aUser, store_opened: false } };

describe('the login page', () => {
  it('signs in and goes on', async () => {
    const api = fakeApi({ ...barAnswers, 'POST /auth/v2/login': () => signed });
    renderApp('/login');
    await signIn();
    await waitFor(() => expect(address()).toBe('/ad-welcome'));
    expect(session.get().token).toBe('fresh');
    expect(api.to('/auth/v2/login')[0]?.body).toEqual({
      username: 'lena',
      password: 'correct horse',
      lang: 'en',
    });
  });

  it('asks for what is missing, and asks nobody else', async () => {
    const api = fakeApi({});
    renderApp('/login');
    const button = await screen.findByRole('button', { name: 'Log in' });
    await userEvent.click(button);
    expect(screen.getByLabelText('Username')).toBeInvalid();
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription('Cannot be empty');
    expect(api.to('/auth/v2/login')).toEqual([]);
  });

  it('says what the server says, and keeps what was typed', async () => {
    fakeApi({
      'POST /auth/v2/login': () =>
        new Refusal(405, 'Wrong username or password', { error: 'wrong_credentials' }),
    });
    renderApp('/login');
    await signIn();
    expect(await screen.findByText('Wrong username or password')).toBeVisible();
    expect(screen.getByLabelText('Username')).toHaveValue('lena');
    expect(screen.getByLabelText('Password')).toHaveValue('correct horse');
  });

  it('keeps what was typed through a lost connection, and works the second time', async () => {
    const api = fakeApi({ ...barAnswers, 'POST /auth/v2/login': lostConnection });
    renderApp('/login');
    await signIn();
    expect(await screen.findByText(/Nothing you typed is lost/)).toBeVisible();
    expect(screen.getByLabelText('Password')).toHaveValue('correct horse');
    api.answer('POST /auth/v2/login', () => signed);
    await userEvent.click(screen.getByRole('button', { name: 'Log in' }));
    await waitFor(() => expect(address()).toBe('/ad-welcome'));
  });

  it('sends once however often the button is pressed', async () => {
    const api = fakeApi({ 'POST /auth/v2/login': () => new Promise(() => {}) });
    renderApp('/login');
    await signIn();
    await userEvent.click(screen.getByRole('button', { name: 'Log in' }));
    await userEvent.type(screen.getByLabelText('Password'), '{Enter}');
    expect(api.to('/auth/v2/login')).toHaveLength(1);
  });

  it.each([
    [402, 'Account not activated, contact customer service'],
    [403, 'Account disabled, contact customer service'],
    [404, 'Account cancelled, contact customer service'],
  ])('opens customer service for an account that may not act: %i', async (code, text) => {
    fakeApi({ 'POST /auth/v2/login': () => new Refusal(code, '', { lang: 'en' }) });
    renderApp('/login');
    await signIn();
    const dialog = await screen.findByRole('dialog', { name: 'Customer service' });
    expect(dialog).toHaveTextContent(text);
    expect(dialog).toHaveTextContent('Customer service 1 - Live chat');
  });
});
