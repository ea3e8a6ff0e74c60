import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import type { User } from '@/api/types';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { address, renderApp } from '@/testing/render-app';

const inAYear = new Date(Date.now() + 365 * 86_400_000).toISOString();

function open(changed: Partial<User> = {}) {
  const user = { ...aUser, ...changed };
  const api = fakeApi({
    'GET /user/info': () => user,
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
    'POST /auth/logout': () => ({}),
    'GET /auth/v2/lang': lostConnection,
  });
  renderApp('/me', user);
  return api;
}

describe('MePage', () => {
  it('shows who is signed in, their level and their VIP time', async () => {
    open({ vip_until: inAYear, level: 3 });
    const card = within(await screen.findByRole('region', { name: 'Your profile' }));
    expect(card.getByText('Lena Vogt')).toBeVisible();
    expect(card.getByText('lena')).toBeVisible();
    expect(card.getByText('Level 3')).toBeVisible();
    expect(card.getByText(/^VIP until/)).toBeVisible();
  });

  it('says nothing of a VIP time that has ended', async () => {
    open({ vip_until: '2020-01-01T00:00:00Z' });
    await screen.findByText('Level 3');
    expect(screen.queryByText(/^VIP until/)).toBeNull();
  });

  it('is one of the four main pages', async () => {
    open();
    const tabs = within(await screen.findByRole('navigation', { name: 'Main pages' }));
    expect(tabs.getAllByRole('link').map((tab) => tab.textContent)).toEqual([
      'Ad center',
      'Plans',
      'Wallet',
      'Me',
    ]);
    expect(tabs.getByRole('link', { name: 'Me' })).toHaveAttribute('aria-current', 'page');
  });

  it('opens the languages and customer service', async () => {
    open();
    const main = within(await screen.findByRole('main'));
    await userEvent.click(await main.findByRole('button', { name: /Language/ }));
    const sheet = await screen.findByRole('dialog', { name: 'Choose your language' });
    await userEvent.click(within(sheet).getByRole('button', { name: 'Close' }));
    await userEvent.click(main.getByRole('button', { name: 'Customer service' }));
    expect(await screen.findByRole('dialog', { name: 'Customer service' })).toBeVisible();
  });

  it('logs out after asking', async () => {
    open();
    const main = within(await screen.findByRole('main'));
    await userEvent.click(await main.findByRole('button', { name: 'Log out' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Log out?' }));
    expect(session.get().token).not.toBeNull();
    await userEvent.click(dialog.getByRole('button', { name: 'Log out' }));
    await waitFor(() => expect(address()).toBe('/login'));
    expect(session.get().token).toBeNull();
  });

  it('leaves logging out to the shell for who came through one', async () => {
    open({ entry: 'app' });
    await screen.findByText('Level 3');
    expect(screen.queryByRole('button', { name: 'Log out' })).toBeNull();
  });
});

describe('the export', () => {
  const file = () =>
    new Response('{"user":{}}', {
      headers: { 'Content-Disposition': 'attachment; filename="placard-lena.json"' },
    });

  it('hands the file over under the name it is given', async () => {
    const saved: string[] = [];
    URL.createObjectURL = () => 'blob:1';
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      if (this.download) saved.push(this.download);
    });
    const api = open();
    api.answer('GET /user/export', file);
    await userEvent.click(await screen.findByRole('button', { name: /Export my data/ }));
    expect(await screen.findByText('Your data has been downloaded.')).toBeVisible();
    expect(saved).toEqual(['placard-lena.json']);
  });

  it('says when it broke off, and can be tried again', async () => {
    const api = open();
    api.answer('GET /user/export', lostConnection);
    const row = await screen.findByRole('button', { name: /Export my data/ });
    await userEvent.click(row);
    expect(await screen.findByText(/The download was interrupted/)).toBeVisible();
    expect(row).not.toHaveAttribute('aria-busy');
    const refusal = new Refusal(405, 'For viewing only', { error: 'read_only_session' });
    api.answer('GET /user/export', () => refusal);
    await userEvent.click(row);
    expect(await screen.findByText('For viewing only')).toBeVisible();
    expect(screen.queryByText(/The download was interrupted/)).toBeNull();
  });
});
