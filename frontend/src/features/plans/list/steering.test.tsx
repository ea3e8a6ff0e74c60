import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { aListedOffer, aListedPlan } from '@/testing/money-data';
import { address, renderApp } from '@/testing/render-app';

const other = { ...aListedPlan, id: '43', plan_no: 'P0THER' };

function open(items: object[] = [aListedPlan, other]) {
  let paused = false;
  const answer = (now: boolean) => () => {
    paused = now;
    return { ...aListedPlan, trend: undefined, paused };
  };
  const api = fakeApi({
    'GET /plan/order/list': () => ({
      items: items.map((item, at) => (at ? item : { ...item, paused })),
      next_cursor: null,
      choices: null,
    }),
    'POST /plan/order/pause': answer(true),
    'POST /plan/order/resume': answer(false),
    'POST /plan/order/await/put/count': () => ({ count: 0 }),
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/plan', aUser);
  return api;
}

const pause = () => screen.findByRole('button', { name: 'Pause: Aurora Coffee, P7KQ2M9XRT' });
const resume = () => screen.findByRole('button', { name: 'Resume: Aurora Coffee, P7KQ2M9XRT' });

describe('a plan that runs', () => {
  it('is paused at once from the list, which can be undone', async () => {
    const api = open();
    await userEvent.click(await pause());
    expect(await screen.findByText('Plan paused')).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(address()).toBe('/plan');
    expect(await resume()).toBeVisible();
    expect(screen.getByText('Paused')).toBeVisible();
    expect(api.to('/plan/order/pause').map(({ body }) => body)).toEqual([{ id: '42' }]);
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Plan resumed')).toBeVisible();
    expect(await pause()).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    expect(api.to('/plan/order/resume').map(({ body }) => body)).toEqual([{ id: '42' }]);
  });

  it('is shown as paused before the list is read again', async () => {
    const api = open();
    await pause();
    api.answer('GET /plan/order/list', () => new Promise(() => {}));
    await userEvent.click(await pause());
    expect(await resume()).toBeVisible();
    expect(screen.getAllByRole('link', { name: /Aurora Coffee/ })).toHaveLength(2);
  });

  it('is paused once, however often the button is pressed', async () => {
    const api = open();
    let answer = (_: object) => {};
    api.answer('POST /plan/order/pause', () => new Promise((done) => (answer = done)));
    const button = await pause();
    await userEvent.click(button);
    expect(button).toHaveAttribute('aria-busy', 'true');
    await userEvent.click(button);
    api.answer('GET /plan/order/list', () => new Promise(() => {}));
    answer({ ...aListedPlan, paused: true });
    expect(await resume()).toBeVisible();
    expect(api.to('/plan/order/pause')).toHaveLength(1);
  });

  it('says why it was not paused, and can be paused again', async () => {
    const api = open();
    api.answer('POST /plan/order/pause', () => new Refusal(405, 'It has ended'));
    await userEvent.click(await pause());
    expect(await screen.findByText('It has ended')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    api.answer('POST /plan/order/pause', lostConnection);
    await userEvent.click(await pause());
    await waitFor(() => expect(screen.queryByText('It has ended')).toBeNull());
    expect(await screen.findByText(/connection/i)).toBeVisible();
    expect(await pause()).toBeVisible();
  });
});

it('has no such button on a plan that does not run', async () => {
  open([aListedOffer, { ...aListedPlan, status: 'settled', id: '44' }]);
  const list = await screen.findByRole('list', { name: 'Plans' });
  expect(within(list).getAllByRole('link')).toHaveLength(2);
  expect(within(list).queryByRole('button')).toBeNull();
});
