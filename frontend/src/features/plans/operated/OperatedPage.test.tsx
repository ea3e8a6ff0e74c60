import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { fakeApi, lostConnection, Refusal, type Sent } from '@/testing/api';
import { aUser } from '@/testing/data';
import { address, renderApp } from '@/testing/render-app';

const list = 'GET /assistance/list';
const check = 'GET /assistance/check';
const follow = 'POST /assistance/follow';
const current = { operated_id: 'OP-1001', name: 'Aurora desk', since: '2026-11-01T09:00:00Z' };
const records = [
  {
    operated_id: 'OP-1001',
    name: 'Aurora desk',
    followed_at: '2026-11-01T09:00:00Z',
    ended_at: null,
  },
  {
    operated_id: 'OP-1002',
    name: 'Lumen desk',
    followed_at: '2026-10-01T09:00:00Z',
    ended_at: '2026-11-01T09:00:00Z',
  },
];
const own = { operated_id: 'OP-7', name: 'My desk', followers: 1204 };
const nobody = { current: null, own: null, items: [], next_cursor: null };
const following = { ...nobody, current, items: records };

function api(changed = {}) {
  return fakeApi({
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
    [list]: () => nobody,
    [check]: ({ query }: Sent) => ({ operated_id: query.get('operated_id'), name: 'Some desk' }),
    [follow]: () => ({ current }),
    ...changed,
  });
}

async function ask(id: string) {
  await userEvent.type(await screen.findByLabelText('Operated ID'), id);
  await userEvent.click(screen.getByRole('button', { name: 'Follow' }));
}

async function confirm() {
  await userEvent.click(await screen.findByRole('button', { name: 'Follow this ID' }));
}

describe('plan follow', () => {
  it('tells what following does before it follows', async () => {
    const fake = api();
    renderApp('/ad-center/operated', aUser);
    await ask(' OP-1001 ');
    const dialog = await screen.findByRole('dialog', { name: 'Follow OP-1001?' });
    expect(dialog).toHaveTextContent('Nothing is spent unless you confirm it');
    expect(dialog).toHaveTextContent('Some desk');
    expect(fake.to('/assistance/follow')).toEqual([]);
    fake.answer(list, () => following);
    await confirm();
    expect(await screen.findByText('Aurora desk')).toBeVisible();
    expect(fake.to('/assistance/follow').map(({ body }) => body)).toEqual([
      { operated_id: 'OP-1001' },
    ]);
    expect(screen.getByText('Following')).toBeVisible();
    expect(screen.getByLabelText('Operated ID')).toHaveValue('');
    expect(screen.getByText('You now follow this ID')).toBeVisible();
  });

  it('can be thought over', async () => {
    const { to } = api();
    renderApp('/ad-center/operated', aUser);
    await ask('OP-1001');
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(screen.getByLabelText('Operated ID')).toHaveValue('OP-1001');
    expect(to('/assistance/follow')).toEqual([]);
  });

  it('says which follow ends with it', async () => {
    api({ [list]: () => following });
    renderApp('/ad-center/operated', aUser);
    await ask('OP-1003');
    const dialog = await screen.findByRole('dialog', { name: 'Follow OP-1003?' });
    expect(dialog).toHaveTextContent('You stop following OP-1001');
  });

  it('says at the field that an ID is unknown before anything is confirmed', async () => {
    const { to } = api({
      [check]: () => new Refusal(405, 'ID error, please re-enter', { error: 'follow_id_invalid' }),
    });
    renderApp('/ad-center/operated', aUser);
    await ask('OP-9');
    const field = screen.getByLabelText('Operated ID');
    await waitFor(() => expect(field).toHaveAccessibleDescription(/^ID error, please re-enter/));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(to('/assistance/follow')).toEqual([]);
    await userEvent.type(field, '1');
    expect(field).toBeValid();
  });

  it('says at the field that an ID ended meanwhile, until it is typed anew', async () => {
    api({
      [follow]: () => new Refusal(405, 'ID error, please re-enter', { error: 'follow_id_invalid' }),
    });
    renderApp('/ad-center/operated', aUser);
    await ask('OP-9');
    await confirm();
    const field = screen.getByLabelText('Operated ID');
    await waitFor(() => expect(field).toHaveAccessibleDescription(/^ID error, please re-enter/));
    expect(field).toHaveValue('OP-9');
    await userEvent.type(field, '1');
    expect(field).toBeValid();
  });

  it.each([
    ['op-1001', 'the one that is followed'],
    ['OP-7', 'one’s own'],
  ])('refuses %s, %s, and asks nobody', async (id) => {
    const { to } = api({ [list]: () => ({ ...following, own }) });
    renderApp('/ad-center/operated', { ...aUser, operated_id: 'OP-1001' });
    await ask(id);
    expect(screen.getByLabelText('Operated ID')).toHaveAccessibleDescription(
      /^ID error, please re-enter/,
    );
    expect(to('/assistance/follow')).toEqual([]);
  });

  it('shows a leader the ID that others follow, and how many do', async () => {
    api({ [list]: () => ({ ...nobody, own }) });
    renderApp('/ad-center/operated', aUser);
    expect(await screen.findByText('Your own ID')).toBeVisible();
    expect(screen.getByText(/^When the ID you follow puts an amount/)).toBeVisible();
    expect(screen.getByText('OP-7')).toBeVisible();
    expect(screen.getByText('1,204')).toBeVisible();
    expect(screen.getByText(/People who follow this ID are offered plans/)).toBeVisible();
    expect(screen.queryByText('You follow')).not.toBeInTheDocument();
  });

  it('shows a follower whom they follow, and no ID as their own', async () => {
    api({ [list]: () => following });
    // The user info names the followed ID.
    renderApp('/ad-center/operated', { ...aUser, operated_id: 'OP-1001' });
    expect(await screen.findByText('You follow')).toBeVisible();
    expect(screen.getByText('OP-1001')).toBeVisible();
    expect(screen.queryByText('Your own ID')).not.toBeInTheDocument();
  });

  it('needs an ID', async () => {
    api();
    renderApp('/ad-center/operated', aUser);
    await userEvent.click(await screen.findByRole('button', { name: 'Follow' }));
    expect(screen.getByLabelText('Operated ID')).toHaveAccessibleDescription(/^Cannot be empty/);
  });

  it('keeps the ID through a lost connection, and works the second time', async () => {
    const fake = api({ [follow]: lostConnection });
    renderApp('/ad-center/operated', aUser);
    await ask('OP-1001');
    await confirm();
    const field = screen.getByLabelText('Operated ID');
    await waitFor(() => expect(field).toHaveAccessibleDescription(/No connection/));
    expect(field).toHaveValue('OP-1001');
    fake.answer(follow, () => ({ current }));
    fake.answer(list, () => following);
    await userEvent.click(screen.getByRole('button', { name: 'Follow' }));
    await confirm();
    expect(await screen.findByText('Aurora desk')).toBeVisible();
  });

  it('keeps the ID where the connection is lost before it is checked', async () => {
    api({ [check]: lostConnection });
    renderApp('/ad-center/operated', aUser);
    await ask('OP-1001');
    const field = screen.getByLabelText('Operated ID');
    await waitFor(() => expect(field).toHaveAccessibleDescription(/No connection/));
    expect(field).toHaveValue('OP-1001');
  });

  it('lists the records in a tab of its own', async () => {
    api({ [list]: () => following });
    renderApp('/ad-center/operated', aUser);
    await userEvent.click(await screen.findByRole('tab', { name: 'Follow records' }));
    expect(address()).toBe('/ad-center/operated?tab=records');
    const rows = within(await screen.findByRole('list', { name: 'Follow records' }));
    expect(rows.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
      'OP-1001Aurora deskSince Nov 1, 2026Following',
      'OP-1002Lumen deskOct 1, 2026 – Nov 1, 2026Ended',
    ]);
  });

  it('opens with the records where a link asks for them, and says when there are none', async () => {
    api();
    renderApp('/ad-center/operated?tab=records', aUser);
    expect(await screen.findByText('No follow records yet')).toBeVisible();
    await userEvent.click(screen.getByRole('link', { name: 'Follow' }));
    expect(await screen.findByLabelText('Operated ID')).toBeVisible();
  });

  it('can be loaded again after a failure', async () => {
    const fake = api({ [list]: lostConnection });
    renderApp('/ad-center/operated', aUser);
    const again = await screen.findByRole('button', { name: 'Reload' });
    fake.answer(list, () => nobody);
    await userEvent.click(again);
    expect(await screen.findByLabelText('Operated ID')).toBeVisible();
  });
});
