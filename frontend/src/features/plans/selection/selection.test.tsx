import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import type { ListedPlan } from '@/api/types';
import { adCenterAnswers } from '@/testing/answers';
import { fakeApi, lostConnection, Refusal, type Sent } from '@/testing/api';
import { aComparedPlan } from '@/testing/compare-data';
import { aUser } from '@/testing/data';
import { enterPassword } from '@/testing/enter-password';
import { aListedPlan, aProperty, rightHash } from '@/testing/money-data';
import { address, renderApp } from '@/testing/render-app';
import { closeBatch } from './batch';

const ended: ListedPlan = { ...aListedPlan, id: '44', plan_no: 'PTHREE', status: 'settled' };
const plans: ListedPlan[] = [
  { ...aListedPlan, id: '42', plan_no: 'PONE' },
  { ...aListedPlan, id: '43', plan_no: 'PTWO' },
  ended,
];
const idOf = ({ body }: Sent) => (body as { id: string }).id;
const notRunning = new Refusal(405, 'It does not run', { error: 'plan_not_running' });
/** The settled one is refused. */
const answer = (sent: Sent) => (idOf(sent) === '44' ? notRunning : aListedPlan);

function open(at = '/plan') {
  const api = fakeApi({
    ...adCenterAnswers,
    'GET /plan/order/list': () => ({ items: plans, next_cursor: null, choices: null }),
    'POST /plan/order/await/put/count': () => ({ count: 0 }),
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
    'POST /plan/order/pause': answer,
    'POST /plan/order/resume': answer,
    'POST /plan/order/add_budget': answer,
    'POST /check/password': () => ({}),
    'GET /user/property': () => aProperty,
  });
  renderApp(at, aUser);
  return { ...api, ids: (path: string) => api.to(path).map(idOf) };
}

const box = (number: string) => screen.getByRole('checkbox', { name: `Aurora Coffee, ${number}` });
const deed = (name: string) => within(bar()).getByRole('button', { name });
const bar = () => screen.getByRole('region', { name: 'Actions for the selected plans' });
const goTo = (path: string) =>
  act(() => {
    window.location.hash = `#${path}`;
  });
/** Until the next page is drawn, the list is still there. */
const left = () => waitFor(() => expect(screen.queryByRole('checkbox')).toBeNull());
const summary = async (title: string) => within(await screen.findByRole('dialog', { name: title }));

/** Of a finger; jsdom's own events of this name have no place. */
const pointer = (type: string, clientY = 5) =>
  new MouseEvent(type, { bubbles: true, clientX: 5, clientY });

async function select(...numbers: string[]) {
  await userEvent.click(await screen.findByRole('button', { name: 'Select' }));
  for (const number of numbers) await userEvent.click(box(number));
}

/** jsdom's blobs have no `text()`. */
function textOf(file: Blob | undefined): Promise<string> {
  const reader = new FileReader();
  return new Promise((done) => {
    reader.onload = () => done(String(reader.result));
    reader.readAsText(file as Blob);
  });
}

afterEach(() => act(closeBatch));

describe('selecting plans', () => {
  it('puts a box on each card in place of its link and its button, until it is ended', async () => {
    open();
    await select('PTWO');
    expect(box('PONE')).not.toBeChecked();
    expect(box('PTWO')).toBeChecked();
    expect(bar()).toHaveTextContent('Selected: 1');
    const list = within(screen.getByRole('list', { name: 'Plans' }));
    expect(list.queryByRole('link')).toBeNull();
    expect(list.queryByRole('button', { name: /^Pause/ })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Start a plan' })).toBeNull();
    await userEvent.click(box('PTWO'));
    expect(bar()).toHaveTextContent('Selected: 0');
    expect(deed('Pause')).toBeDisabled();
    await userEvent.click(screen.getByRole('button', { name: 'Stop selecting' }));
    expect(list.getAllByRole('link')).toHaveLength(3);
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  it('leaves the focus on the button that begins and ends it', async () => {
    open();
    await select();
    const end = screen.getByRole('button', { name: 'Stop selecting' });
    expect(end).toHaveFocus();
    // Beside it on a phone there is no room for more, and the row scrolls.
    const all = screen.getByRole('button', { name: 'Select all shown' });
    expect(end.compareDocumentPosition(all)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    await userEvent.keyboard('{Enter}');
    expect(screen.getByRole('button', { name: 'Select' })).toHaveFocus();
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  it('takes all that are shown', async () => {
    open();
    await select('PTWO');
    await userEvent.click(screen.getByRole('button', { name: 'Select all shown' }));
    expect(bar()).toHaveTextContent('Selected: 3');
    for (const checkbox of screen.getAllByRole('checkbox')) expect(checkbox).toBeChecked();
  });

  it('keeps those that another filter hides', async () => {
    const api = open();
    await select('PONE');
    api.answer('GET /plan/order/list', () => ({ items: [ended], next_cursor: null }));
    await userEvent.click(screen.getByRole('tab', { name: 'Settlement successful' }));
    await waitFor(() => expect(screen.getAllByRole('checkbox')).toHaveLength(1));
    expect(bar()).toHaveTextContent('Selected: 1');
  });

  it('begins with a finger that stays on a card, which then leads nowhere', async () => {
    open();
    const [card] = await screen.findAllByRole('link', { name: /Aurora Coffee/ });
    vi.useFakeTimers({ shouldAdvanceTime: true });
    fireEvent(card as HTMLElement, pointer('pointerdown'));
    act(() => void vi.advanceTimersByTime(600));
    expect(box('PONE')).toBeChecked();
    const label = box('PONE').closest('label') as HTMLElement;
    fireEvent(label, pointer('pointerup'));
    fireEvent.click(label);
    expect(box('PONE')).toBeChecked();
    expect(address()).toBe('/plan');
    // The next press is one like any other.
    fireEvent(label, pointer('pointerdown'));
    fireEvent(label, pointer('pointerup'));
    fireEvent.click(label);
    expect(box('PONE')).not.toBeChecked();
  });

  it.each([
    ['moves on', (card: HTMLElement) => fireEvent(card, pointer('pointermove', 40))],
    ['is lifted', (card: HTMLElement) => fireEvent(card, pointer('pointerup'))],
  ])('does not begin with one that %s', async (_how, move) => {
    open();
    const [card] = await screen.findAllByRole('link', { name: /Aurora Coffee/ });
    vi.useFakeTimers({ shouldAdvanceTime: true });
    fireEvent(card as HTMLElement, pointer('pointerdown'));
    move(card as HTMLElement);
    act(() => void vi.advanceTimersByTime(600));
    expect(screen.queryByRole('checkbox')).toBeNull();
  });
});

describe('several plans', () => {
  it('are compared side by side: two to four of them', async () => {
    const api = open();
    api.answer('GET /plan/compare', () => ({ items: [aComparedPlan, aComparedPlan] }));
    await select('PTHREE');
    await userEvent.click(deed('Compare'));
    expect(await screen.findByText('Compare two to four at a time')).toBeVisible();
    expect(address()).toBe('/plan');
    await userEvent.click(box('PONE'));
    await userEvent.click(deed('Compare'));
    await waitFor(() => expect(address()).toBe('/plan/compare?ids=44,42'));
    expect(api.to('/plan/compare')[0]?.query.get('ids')).toBe('44,42');
  });

  it('are paused one after the other, with one summary of what worked and what did not', async () => {
    const api = open();
    let under = 0;
    api.answer('POST /plan/order/pause', async (sent) => {
      under += 1;
      expect(under).toBe(1);
      await Promise.resolve();
      under -= 1;
      return answer(sent);
    });
    await select('PONE', 'PTHREE', 'PTWO');
    await userEvent.click(deed('Pause'));
    const found = await summary('Pause');
    const failed = within(found.getByRole('list', { name: 'Not done (1)' }));
    expect(failed.getByRole('listitem')).toHaveTextContent('Aurora Coffee PTHREEIt does not run');
    const worked = within(found.getByRole('list', { name: 'Done (2)' }));
    expect(worked.getAllByRole('listitem')[1]).toHaveTextContent('Aurora Coffee PTWO');
    expect(api.ids('/plan/order/pause')).toEqual(['42', '44', '43']);
    await userEvent.click(found.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(box('PONE')).not.toBeChecked();
    expect(box('PTHREE')).toBeChecked();
  });

  it('wait where the server wants it: the rest is not sent, and stays selected', async () => {
    const api = open();
    const busy = () => new Response('', { status: 429, headers: { 'Retry-After': '840' } });
    api.answer('POST /plan/order/pause', (sent) => (idOf(sent) === '42' ? aListedPlan : busy()));
    await select('PONE', 'PTWO', 'PTHREE');
    await userEvent.click(deed('Pause'));
    const found = await summary('Pause');
    const failed = within(found.getByRole('list', { name: 'Not done (2)' }));
    const [refused, unsent] = failed.getAllByRole('listitem');
    expect(refused).toHaveTextContent('Too many attempts. Please try again in 14 minutes.');
    expect(unsent).toHaveTextContent('Not sent, because the one before it was refused.');
    expect(found.queryByText(/The connection was lost/)).toBeNull();
    expect(api.ids('/plan/order/pause')).toEqual(['42', '43']);
    await userEvent.click(found.getByRole('button', { name: 'Close' }));
    expect(box('PONE')).not.toBeChecked();
    expect(box('PTWO')).toBeChecked();
    expect(box('PTHREE')).toBeChecked();
  });

  it('are no longer selected once all of it worked, and the list is read again once', async () => {
    const api = open();
    await select('PONE', 'PTWO');
    const before = api.to('/plan/order/list').length;
    await userEvent.click(deed('Resume'));
    const found = await summary('Resume');
    expect(found.queryByText(/^Not done/)).toBeNull();
    await userEvent.click(found.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(api.ids('/plan/order/resume')).toEqual(['42', '43']);
    await waitFor(() => expect(api.to('/plan/order/list')).toHaveLength(before + 1));
  });

  it('are paused once, however often it is pressed, and the page says how far it is', async () => {
    const api = open();
    let go = () => {};
    const waiting = new Promise<void>((done) => {
      go = done;
    });
    api.answer('POST /plan/order/pause', (sent) =>
      idOf(sent) === '43' ? waiting.then(() => aListedPlan) : aListedPlan,
    );
    await select('PONE', 'PTWO');
    const button = deed('Pause');
    fireEvent.click(button);
    fireEvent.click(button);
    await waitFor(() => expect(bar()).toHaveTextContent('Working: 1 of 2'));
    expect(deed('Pause')).toBeDisabled();
    go();
    await summary('Pause');
    expect(api.ids('/plan/order/pause')).toEqual(['42', '43']);
  });

  it('go on while another page is open, and are summed up when one comes back', async () => {
    const api = open();
    let go = () => {};
    const waiting = new Promise<void>((done) => {
      go = done;
    });
    api.answer('POST /plan/order/pause', (sent) => waiting.then(() => answer(sent)));
    await select('PONE', 'PTWO', 'PTHREE');
    await userEvent.click(deed('Pause'));
    await userEvent.click(screen.getByRole('link', { name: 'Ad center' }));
    await waitFor(() => expect(address()).toBe('/ad-center'));
    await left();
    go();
    await waitFor(() => expect(api.ids('/plan/order/pause')).toEqual(['42', '43', '44']));
    await userEvent.click(screen.getByRole('link', { name: 'Plans' }));
    const found = await summary('Pause');
    expect(found.getByRole('list', { name: 'Done (2)' })).toBeVisible();
    expect(found.getByText('It does not run')).toBeVisible();
    await userEvent.click(found.getByRole('button', { name: 'Close' }));
    expect(bar()).toHaveTextContent('Selected: 1');
    expect(box('PTHREE')).toBeChecked();
  });

  it('are selected no more on any page in the history, once it was done', async () => {
    const api = open();
    let go = () => {};
    const waiting = new Promise<void>((done) => {
      go = done;
    });
    api.answer('POST /plan/order/pause', () => waiting.then(() => aListedPlan));
    await select('PONE', 'PTWO');
    await userEvent.click(deed('Pause'));
    await userEvent.click(screen.getByRole('tab', { name: 'Settlement successful' }));
    await waitFor(() => expect(address()).toBe('/plan?status=settled'));
    goTo('/ad-center/feedback');
    await left();
    go();
    await waitFor(() => expect(api.ids('/plan/order/pause')).toEqual(['42', '43']));
    goTo('/plan');
    const found = await summary('Pause');
    await userEvent.click(found.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('checkbox')).toBeNull());
    act(() => window.history.go(-2));
    await waitFor(() => expect(address()).toBe('/plan?status=settled'));
    await screen.findByRole('list', { name: 'Plans' });
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  it('stop with the session, and nobody else sees what came of them', async () => {
    const api = open();
    let go = () => {};
    const waiting = new Promise<void>((done) => {
      go = done;
    });
    api.answer('POST /plan/order/pause', () => waiting.then(() => aListedPlan));
    await select('PONE', 'PTWO');
    await userEvent.click(deed('Pause'));
    await waitFor(() => expect(api.ids('/plan/order/pause')).toEqual(['42']));
    act(() => session.signIn({ token: 'another', user: aUser }));
    await act(async () => go());
    await act(() => new Promise((done) => setTimeout(done, 50)));
    expect(api.ids('/plan/order/pause')).toEqual(['42']);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByText(/^Working/)).toBeNull();
  });

  it('are saved as a table', async () => {
    open();
    const saved: Blob[] = [];
    URL.createObjectURL = (file) => {
      saved.push(file as Blob);
      return 'blob:1';
    };
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    await select('PONE', 'PTHREE');
    // Short enough to stand beside the others.
    expect(deed('Export CSV')).toHaveTextContent(/^CSV$/);
    expect(deed('Add to the budget')).toHaveTextContent(/^Budget$/);
    await userEvent.click(deed('Export CSV'));
    const [link] = click.mock.contexts as HTMLAnchorElement[];
    expect(link?.download).toMatch(/^plans-\d{4}-\d{2}-\d{2}\.csv$/);
    const text = await textOf(saved[0]);
    expect(text.split('\r\n').map((line) => line.split(',')[0])).toEqual([
      'Plan number',
      'PONE',
      'PTHREE',
      '',
    ]);
    expect(await screen.findByText('Table saved')).toBeVisible();
  });
});

describe('an amount for each of several plans', () => {
  async function add(amount: string, ...numbers: string[]) {
    await select(...numbers);
    await userEvent.click(deed('Add to the budget'));
    const sheet = await summary('Add to the budget');
    await userEvent.type(sheet.getByLabelText('Amount for each plan'), amount);
    return sheet;
  }
  const submit = (sheet: Awaited<ReturnType<typeof add>>) =>
    userEvent.click(sheet.getByRole('button', { name: 'Add to the budget' }));

  it('is added with one password, each with a key of its own', async () => {
    const api = open();
    const sheet = await add('20', 'PONE', 'PTWO', 'PTHREE');
    expect(sheet.getByText('Selected running plans').closest('div')).toHaveTextContent('2');
    expect(sheet.getByText('Total').closest('div')).toHaveTextContent('$40.00');
    await submit(sheet);
    await enterPassword();
    const found = await summary('Add to the budget');
    expect(await found.findByRole('list', { name: 'Done (2)' })).toBeVisible();
    expect(found.getByText('It does not run')).toBeVisible();
    const sent = api.to('/plan/order/add_budget');
    const paid = { amount: '20', password: rightHash };
    expect(sent.map(({ body }) => body)).toEqual(['42', '43', '44'].map((id) => ({ id, ...paid })));
    const keys = sent.map(({ headers }) => headers.get('Idempotency-Key'));
    expect(new Set(keys).size).toBe(3);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(api.to('/check/password')).toHaveLength(1);
  });

  it('is repeated with the same key after a lost connection, and says that it may be done', async () => {
    const api = open();
    api.answer('POST /plan/order/add_budget', lostConnection);
    await submit(await add('20', 'PONE'));
    await enterPassword();
    const found = await summary('Add to the budget');
    expect(
      await found.findByText(/^The connection was lost. The change may have gone through/),
    ).toBeVisible();
    await userEvent.click(found.getByRole('button', { name: 'Close' }));
    expect(box('PONE')).toBeChecked();
    api.answer('POST /plan/order/add_budget', answer);
    await userEvent.click(deed('Add to the budget'));
    const again = await summary('Add to the budget');
    await userEvent.type(again.getByLabelText('Amount for each plan'), '20');
    await submit(again);
    await enterPassword();
    await waitFor(() => expect(api.to('/plan/order/add_budget')).toHaveLength(2));
    const [first, second] = api.to('/plan/order/add_budget');
    expect(second?.headers.get('Idempotency-Key')).toBe(first?.headers.get('Idempotency-Key'));
  });

  it('sends nothing more once the password is refused', async () => {
    const api = open();
    const wrong = new Refusal(405, 'Wrong', { error: 'wrong_pay_password', attempts_left: 2 });
    api.answer('POST /plan/order/add_budget', () => wrong);
    await submit(await add('20', 'PONE', 'PTWO'));
    await enterPassword();
    const found = await summary('Add to the budget');
    expect(await found.findByText(/^Wrong transaction password. 2 attempts left/)).toBeVisible();
    expect(found.getByText(/^Not sent, because/)).toBeVisible();
    expect(api.ids('/plan/order/add_budget')).toEqual(['42']);
  });

  it('is not asked for beyond the balance, nor if it is nothing', async () => {
    const api = open();
    const sheet = await add('5000.01', 'PONE', 'PTWO');
    expect(await sheet.findByText('Insufficient balance')).toBeVisible();
    await submit(sheet);
    expect(screen.queryByRole('dialog', { name: 'Transaction password' })).toBeNull();
    await userEvent.clear(sheet.getByLabelText('Amount for each plan'));
    await submit(sheet);
    expect(sheet.getByText('Cannot be empty')).toBeVisible();
    expect(api.to('/plan/order/add_budget')).toEqual([]);
  });

  it('leads to the password that is missing', async () => {
    const api = open();
    api.answer('GET /user/property', () => ({ ...aProperty, pay_password_set: false }));
    const sheet = await add('20', 'PONE');
    await userEvent.click(await sheet.findByRole('button', { name: 'Set transaction password' }));
    await waitFor(() => expect(address()).toBe('/wallet/set-password'));
    // Until the page is drawn, the list is still there.
    await screen.findByText(/^Choose 6 digits/);
    api.answer('GET /user/property', () => aProperty);
    act(() => window.history.back());
    const again = await summary('Add to the budget');
    expect(again.getByLabelText('Amount for each plan')).toHaveValue('20');
    expect(again.getByText('Selected running plans').closest('div')).toHaveTextContent('1');
  });
});
