import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { Level, Property } from '@/api/types';
import { showLanguage } from '@/i18n/texts';
import { barAnswers } from '@/testing/answers';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aConfig, aUser } from '@/testing/data';
import { enterPassword } from '@/testing/enter-password';
import { aLevel, aProperty, rightHash } from '@/testing/money-data';
import { renderApp } from '@/testing/render-app';

const config = {
  ...aConfig,
  vip: { ...aConfig.vip, price: '99.00', days: 30, benefits: ['A fifth less fee'] },
};
const vipUntil = '2099-01-20T09:00:00Z';

function open(level: Partial<Level> = {}, property: Partial<Property> = {}, user = aUser) {
  const api = fakeApi({
    'GET /level': () => ({ ...aLevel, ...level }),
    'GET /level/credit': () => ({
      items: level.credit_history ?? aLevel.credit_history,
      next_cursor: null,
    }),
    'GET /user/info': () => user,
    'GET /user/property': () => ({ ...aProperty, ...property }),
    'POST /vip/subscribe': () => ({ until: vipUntil }),
    'POST /check/password': () => ({}),
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/ad-center/level', user, config);
  return api;
}

describe('LevelPage', () => {
  it('shows the level, what it took and what is left to the next', async () => {
    open();
    expect(await screen.findByRole('heading', { name: 'Silver' })).toBeVisible();
    expect(screen.getByText('Level 2')).toBeVisible();
    expect(screen.getByText('Spent in settled plans: $1,250.00')).toBeVisible();
    expect(screen.getByText('$3,750.00 more to the next level')).toBeVisible();
    const bar = screen.getByRole('progressbar', { name: 'Progress to the next level' });
    expect(bar).toHaveAttribute('aria-valuenow', '25');
  });

  it('offers another try where the balance cannot be read, and does not ask for it without end', async () => {
    const api = open();
    api.answer('GET /user/property', () => new Refusal(500));
    expect(await screen.findByRole('alert')).toHaveTextContent('Request failed');
    expect(screen.getByRole('heading', { name: 'Silver' })).toBeVisible();
    const asked = () => api.sent.filter(({ path }) => path === '/user/property').length;
    const before = asked();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(asked()).toBe(before);
    api.answer('GET /user/property', () => aProperty);
    await userEvent.click(screen.getByRole('button', { name: 'Reload' }));
    expect(await screen.findByRole('button', { name: /VIP/ })).toBeVisible();
  });

  it('is at its beginning with an empty bar, on a track of its own colour', async () => {
    open({ progress: { spent: '0.00', next_at: '5000.00' } });
    const bar = await screen.findByRole('progressbar', { name: 'Progress to the next level' });
    expect(bar).toHaveAttribute('aria-valuenow', '0');
    expect(bar.style.getPropertyValue('--share')).toBe('0%');
    const css = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');
    const page = css('LevelPage.module.css');
    const shared = css('../../../ui/charts/ProgressBar.module.css');
    const part = (name: string) =>
      new RegExp(`\\.${name}\\)? {[^}]*background: var\\(--progress-(\\w+),`).exec(shared)?.[1];
    expect([part('track'), part('rv-progress__portion')]).toEqual(['track', 'fill']);
    expect(shared).toMatch(/\.rv-progress__portion\) {[^}]*width: var\(--share\);/);
    expect(page).toContain('--progress-fill: #fff;');
    expect(page).not.toMatch(/--progress-track: #fff|progressbar/);
  });

  it('ends at the highest level', async () => {
    open({ progress: { spent: '200000.00', next_at: null } });
    expect(await screen.findByText('This is the highest level')).toBeVisible();
  });

  it('lists every level with its threshold and benefits, and marks the present one', async () => {
    open();
    const steps = within(await screen.findByRole('list', { name: 'All levels' }));
    const [first, second, third] = steps.getAllByRole('listitem');
    expect(first).toHaveTextContent('From $0.00 spent in settled plans');
    expect(second).toHaveAttribute('aria-current');
    expect(second).toHaveTextContent('Your level');
    expect(third).toHaveTextContent('2% less fee');
    expect(screen.getByText(/A level cannot be bought/)).toBeVisible();
  });

  it('publishes the formula of the credit score and every contribution', async () => {
    open();
    const score = (await screen.findByRole('heading', { name: 'Credit score' })).closest('section');
    expect(within(score as HTMLElement).getByText('101')).toBeVisible();
    expect(score).toHaveTextContent('from 0 to 200');
    expect(score).toHaveTextContent('Every account starts at 100.');
    expect(score).toHaveTextContent('A plan settles+2');
    expect(score).toHaveTextContent('The provider takes money back-20');
    const history = within(await screen.findByRole('list', { name: 'Score history' }));
    expect(history.getByText(/then 101/)).toBeVisible();
    expect(history.getByRole('link', { name: 'See the plan' })).toHaveAttribute(
      'href',
      '#/plan/detail?id=42',
    );
  });

  it('says when nothing has changed the score', async () => {
    open({ credit_history: [] });
    expect(await screen.findByText('No changes yet')).toBeVisible();
  });

  it('asks for its texts anew in another language', async () => {
    const api = open();
    await screen.findByRole('heading', { name: 'Silver' });
    await act(() => showLanguage('de'));
    await waitFor(() => expect(api.to('/level')).toHaveLength(2));
    expect(api.to('/level').at(-1)?.headers.get('Accept-Language')).toBe('de');
  });

  it('offers to load again what could not be read', async () => {
    const api = fakeApi({
      ...barAnswers,
      'GET /level': lostConnection,
      'GET /level/credit': () => ({ items: [], next_cursor: null }),
      'GET /user/info': () => aUser,
      'GET /user/property': () => aProperty,
    });
    renderApp('/ad-center/level', aUser, config);
    const again = await screen.findByRole('button', { name: /reload/i });
    api.answer('GET /level', () => aLevel);
    await userEvent.click(again);
    expect(await screen.findByRole('heading', { name: 'Silver' })).toBeVisible();
  });
});

describe('the VIP subscription', () => {
  it('shows price, term and benefits, and that nobody renews it, before asking for the password', async () => {
    const api = open();
    expect(await screen.findByText('A fifth less fee')).toBeVisible();
    expect(screen.getByText('30 days')).toBeVisible();
    expect(screen.getByText('$9,901.00')).toBeVisible();
    expect(screen.getByText(/VIP never renews by itself/)).toBeVisible();
    expect(api.to('/vip/subscribe')).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Get VIP for $99.00' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Transaction password' }));
    expect(await dialog.findByText('VIP for 30 days')).toBeVisible();
    expect(dialog.getByText('$99.00')).toBeVisible();
    api.answer('GET /user/info', () => ({ ...aUser, vip_until: vipUntil }));
    await enterPassword();
    expect(await screen.findByRole('button', { name: 'Extend for $99.00' })).toBeVisible();
    const [sent] = api.to('/vip/subscribe');
    expect(sent?.body).toEqual({ password: rightHash });
    expect(sent?.headers.get('Idempotency-Key')).toMatch(/^[!-~]{1,64}$/);
  });

  it('says until when it runs, and that more time is added at the end', async () => {
    open({}, {}, { ...aUser, vip_until: vipUntil });
    expect(await screen.findByText('Added to the end of your current term')).toBeVisible();
    // Messages of the previous test may still be shown outside the page.
    const page = within(screen.getByRole('main'));
    expect(page.getByText('VIP until Jan 20, 2099')).toBeVisible();
  });

  it('does not take one that has ended for one that runs', async () => {
    open({}, {}, { ...aUser, vip_until: '2020-01-20T09:00:00Z' });
    expect(await screen.findByRole('button', { name: 'Get VIP for $99.00' })).toBeEnabled();
    expect(screen.queryByText('VIP until Jan 20, 2020')).toBeNull();
  });

  it('says what stands in the way of paying', async () => {
    open({}, { available: '98.99', pay_password_set: false });
    expect(await screen.findByText('Your available funds do not cover the price.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Set transaction password' })).toHaveAttribute(
      'href',
      '#/wallet/set-password',
    );
    expect(screen.getByRole('button', { name: 'Get VIP for $99.00' })).toBeDisabled();
  });

  it('shows the server’s refusal with the way out', async () => {
    const api = open();
    const refusal = { error: 'insufficient_balance' };
    api.answer('POST /vip/subscribe', () => new Refusal(405, 'Not enough', refusal));
    await userEvent.click(await screen.findByRole('button', { name: 'Get VIP for $99.00' }));
    await enterPassword();
    expect(await screen.findByText('Not enough')).toBeVisible();
    expect(screen.getByRole('button', { name: /Recharge/ })).toBeVisible();
  });

  it('pays once, however often the answer is lost', async () => {
    const api = open();
    api.answer('POST /vip/subscribe', lostConnection);
    await userEvent.click(await screen.findByRole('button', { name: 'Get VIP for $99.00' }));
    await enterPassword();
    expect(await screen.findByText(/it cannot be carried out twice/)).toBeVisible();
    // The payment had gone through, and the rest would not pay for another.
    api.answer('GET /user/property', () => ({ ...aProperty, available: '1.00' }));
    api.answer('POST /vip/subscribe', () => ({ until: vipUntil }));
    await userEvent.click(screen.getByRole('button', { name: 'Get VIP for $99.00' }));
    await enterPassword();
    await waitFor(() => expect(api.to('/vip/subscribe')).toHaveLength(2));
    const keys = api.to('/vip/subscribe').map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys[0]).toBe(keys[1]);
  });
});
