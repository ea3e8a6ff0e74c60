import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeApi } from '@/testing/api';
import { aUser } from '@/testing/data';
import { aListedPlan } from '@/testing/money-data';
import { address, renderApp } from '@/testing/render-app';

const products = [
  { id: '7', name: 'Aurora Coffee' },
  { id: '8', name: 'Borealis Tea' },
];

function open(at: string, items: object[] = [aListedPlan]) {
  const api = fakeApi({
    'GET /plan/order/list': () => ({ items, next_cursor: null, choices: { products } }),
    'POST /plan/order/await/put/count': () => ({ count: 0 }),
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp(at, aUser);
  const asked = () => Object.fromEntries(api.to('/plan/order/list').at(-1)?.query ?? []);
  return { ...api, asked };
}

async function openSheet() {
  await userEvent.click(await screen.findByRole('button', { name: /^Filters/ }));
  const sheet = within(screen.getByRole('dialog', { name: 'Filters' }));
  await sheet.findByRole('button', { name: /^Product/ });
  return sheet;
}

async function choose(field: RegExp, option: string) {
  await userEvent.click(await within(await theSheet()).findByRole('button', { name: field }));
  const name = field.source.slice(1);
  const choices = within(await screen.findByRole('dialog', { name }));
  await userEvent.click(choices.getByText(option));
}

const theSheet = () => screen.findByRole('dialog', { name: 'Filters' });

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(2026, 10, 21, 12), toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the search for plans', () => {
  it('is the one search among the landmarks, also beside that for a site', async () => {
    open('/plan');
    await openSheet();
    expect(screen.getByLabelText('Site, app or placement')).toBeVisible();
    expect(screen.getAllByRole('search', { hidden: true })).toHaveLength(1);
  });

  it('asks for what was typed, and keeps it in the address without a step back', async () => {
    const { asked } = open('/plan?status=putting');
    await screen.findByRole('link', { name: /Aurora Coffee/ });
    const pushed = vi.spyOn(window.history, 'pushState');
    await userEvent.type(
      await screen.findByLabelText('Search by product or plan number'),
      'Aurora{Enter}',
    );
    await waitFor(() => expect(asked()).toMatchObject({ search: 'Aurora', status: 'putting' }));
    expect(address()).toBe('/plan?status=putting&search=Aurora');
    const steps = pushed.mock.calls.filter(([, , to]) => String(to).includes('search='));
    expect(steps).toEqual([]);
    pushed.mockRestore();
  });

  it('loses nothing that is chosen while somebody types', async () => {
    const { asked } = open('/plan');
    await userEvent.type(
      await screen.findByLabelText('Search by product or plan number'),
      'Aurora',
    );
    await userEvent.click(screen.getByRole('tab', { name: 'Putting' }));
    await waitFor(() => expect(address()).toBe('/plan?status=putting&search=Aurora'));
    await waitFor(() => expect(asked()).toMatchObject({ search: 'Aurora', status: 'putting' }));
  });

  it('looks for a site that was typed just before the sheet was closed', async () => {
    const { asked } = open('/plan');
    const sheet = await openSheet();
    await userEvent.type(sheet.getByLabelText('Site, app or placement'), 'news');
    await userEvent.click(sheet.getByRole('button', { name: 'Show plans' }));
    await waitFor(() => expect(asked()).toMatchObject({ site: 'news' }));
    expect(address()).toBe('/plan?site=news');
  });

  it('says that nothing matches, and clears what was looked for', async () => {
    const api = open('/plan?status=putting&search=zzz&product=7&site=a.example&put=7&sort=roi', []);
    expect(await screen.findByText('No plans match')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Start a plan' })).toBeVisible();
    api.answer('GET /plan/order/list', () => ({ items: [aListedPlan], next_cursor: null }));
    await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(await screen.findByRole('link', { name: /Aurora Coffee/ })).toBeVisible();
    expect(address()).toBe('/plan?status=putting&sort=roi');
    await waitFor(() =>
      expect(screen.getByLabelText('Search by product or plan number')).toHaveValue(''),
    );
  });
});

describe('the filters of plans', () => {
  it('open in a sheet that answers the press before its fields are there', async () => {
    open('/plan');
    fireEvent.click(await screen.findByRole('button', { name: /^Filters/ }));
    const sheet = within(screen.getByRole('dialog', { name: 'Filters' }));
    expect(sheet.queryAllByRole('radio')).toEqual([]);
    expect(await sheet.findAllByRole('radio')).toHaveLength(6);
  });

  it('are read from the address, thirty plans at a time, and counted on their button', async () => {
    const { asked } = open('/plan?product=8&put=7&sort=roi&order=asc');
    expect(await screen.findByRole('button', { name: 'Filters (3)' })).toBeVisible();
    await screen.findByRole('link', { name: /Aurora Coffee/ });
    const sorted = { sort: 'roi', order: 'asc' };
    expect(asked()).toEqual({ limit: '30', product_id: '8', from: '2026-11-15', ...sorted });
    const sheet = await openSheet();
    expect(sheet.getByRole('button', { name: 'Product: Borealis Tea' })).toBeVisible();
    expect(sheet.getByRole('radio', { name: 'In the last 7 days' })).toBeChecked();
    expect(sheet.getByRole('button', { name: 'Sort by: ROI' })).toBeVisible();
    expect(sheet.getByRole('radio', { name: 'Worst first' })).toBeChecked();
  });

  it('are the site, app or placement where it was shown', async () => {
    const { asked } = open('/plan');
    await screen.findByRole('link', { name: /Aurora Coffee/ });
    const sheet = await openSheet();
    await userEvent.type(sheet.getByLabelText('Site, app or placement'), 'news.example{Enter}');
    await waitFor(() => expect(asked()).toMatchObject({ site: 'news.example' }));
    expect(address()).toBe('/plan?site=news.example');
    const clear = await within(await theSheet()).findByRole('button', { name: 'Clear filters' });
    await userEvent.click(clear);
    await waitFor(() => expect(address()).toBe('/plan'));
  });

  it('ignore what is wrong in the address', async () => {
    const { asked } = open('/plan?product=x&put=9&from=2026-11-31&sort=luck&order=up&status=lost');
    expect(await screen.findByRole('button', { name: 'Filters' })).toBeVisible();
    await screen.findByRole('link', { name: /Aurora Coffee/ });
    expect(asked()).toEqual({ limit: '30' });
  });

  it('are the product, among those of the user’s plans', async () => {
    const { asked } = open('/plan');
    await screen.findByRole('link', { name: /Aurora Coffee/ });
    await openSheet();
    await choose(/^Product/, 'Borealis Tea');
    await waitFor(() => expect(asked()).toEqual({ limit: '30', product_id: '8' }));
    expect(address()).toBe('/plan?product=8');
  });

  it('are what comes first, with a word for each direction', async () => {
    const { asked } = open('/plan');
    const sheet = await openSheet();
    expect(sheet.getByRole('radio', { name: 'Newest first' })).toBeChecked();
    await choose(/^Sort by/, 'Profit');
    await userEvent.click(await sheet.findByRole('radio', { name: 'Worst first' }));
    expect(address()).toBe('/plan?sort=profit&order=asc');
    await waitFor(() => expect(asked()).toMatchObject({ sort: 'profit', order: 'asc' }));
    await choose(/^Sort by/, 'Conversions');
    expect(await sheet.findByRole('radio', { name: 'Least first' })).toBeChecked();
  });

  it('are two days of the user’s own, of which one is enough', async () => {
    const { asked } = open('/plan');
    const sheet = await openSheet();
    await userEvent.click(sheet.getByRole('radio', { name: 'Between two days' }));
    fireEvent.change(sheet.getByLabelText('First day'), { target: { value: '2026-11-10' } });
    await waitFor(() => expect(asked()).toEqual({ limit: '30', from: '2026-11-10' }));
    fireEvent.change(sheet.getByLabelText('Last day'), { target: { value: '2026-11-09' } });
    expect(sheet.getByText('The last day is before the first.')).toBeVisible();
    // What would be asked for all the same takes a moment.
    await act(() => new Promise((done) => setTimeout(done, 50)));
    expect(address()).toBe('/plan?from=2026-11-10');
    fireEvent.change(sheet.getByLabelText('Last day'), { target: { value: '2026-11-10' } });
    await waitFor(() => expect(address()).toBe('/plan?from=2026-11-10&to=2026-11-10'));
    expect(sheet.queryByText('The last day is before the first.')).toBeNull();
    await userEvent.click(sheet.getByRole('radio', { name: 'At any time' }));
    expect(address()).toBe('/plan');
  });

  it('are no days of a year with five digits, which is said', async () => {
    const { asked } = open('/plan?from=2026-11-10&to=2026-11-12');
    const sheet = await openSheet();
    const [first, last] = [sheet.getByLabelText('First day'), sheet.getByLabelText('Last day')];
    fireEvent.change(first, { target: { value: '12026-11-11' } });
    expect(first).toHaveAccessibleDescription('This is more than a year ahead.');
    expect(last).toBeValid();
    fireEvent.change(last, { target: { value: '12026-11-12' } });
    expect(last).toHaveAccessibleDescription('This is more than a year ahead.');
    // What would be asked for all the same takes a moment.
    await act(() => new Promise((done) => setTimeout(done, 50)));
    expect(address()).toBe('/plan?from=2026-11-10&to=2026-11-12');
    fireEvent.change(first, { target: { value: '2026-11-11' } });
    fireEvent.change(last, { target: { value: '2026-11-12' } });
    expect(first).toBeValid();
    await waitFor(() => expect(asked()).toMatchObject({ from: '2026-11-11', to: '2026-11-12' }));
  });

  it('keep a day that is typed by half: the sheet stays, says so, and asks for nothing else', async () => {
    const { to } = open('/plan?from=2026-11-10&to=2026-11-12');
    const sheet = await openSheet();
    const first = sheet.getByLabelText('First day');
    const before = to('/plan/order/list').length;
    const half = { badInput: true };
    // As browsers say of a day whose month was cleared.
    Object.defineProperty(first, 'validity', { value: half });
    fireEvent.change(first, { target: { value: '' } });
    await userEvent.click(sheet.getByRole('button', { name: 'Show plans' }));
    expect(first).toHaveAccessibleDescription(/^Not complete yet/);
    expect(first).toHaveFocus();
    await userEvent.click(sheet.getByRole('button', { name: 'Show plans' }));
    expect(await theSheet()).toBeVisible();
    expect(address()).toBe('/plan?from=2026-11-10&to=2026-11-12');
    expect(to('/plan/order/list')).toHaveLength(before);
    // Cleared altogether, of which browsers tell nothing until the field is left.
    half.badInput = false;
    fireEvent.blur(first);
    await waitFor(() => expect(address()).toBe('/plan?to=2026-11-12'));
    await userEvent.click(sheet.getByRole('button', { name: 'Show plans' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('are left without a half-typed day only after it was said that it is one', async () => {
    open('/plan?from=2026-11-10');
    const sheet = await openSheet();
    const last = sheet.getByLabelText('Last day');
    Object.defineProperty(last, 'validity', { value: { badInput: true } });
    fireEvent.input(last, { target: { value: '2026-11-12' } });
    await userEvent.keyboard('{Escape}');
    expect(last).toHaveAccessibleDescription(/^Not complete yet/);
    fireEvent.input(last, { target: { value: '' } });
    await userEvent.keyboard('{Escape}');
    expect(await theSheet()).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(address()).toBe('/plan?from=2026-11-10');
  });

  it('keep two days in the wrong order for the next time', async () => {
    open('/plan?from=2026-11-10');
    const sheet = await openSheet();
    fireEvent.change(sheet.getByLabelText('Last day'), { target: { value: '2026-11-09' } });
    await userEvent.click(sheet.getByRole('button', { name: 'Show plans' }));
    expect(sheet.getByLabelText('Last day')).toHaveFocus();
    await userEvent.keyboard('{Escape}{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(address()).toBe('/plan?from=2026-11-10');
    const again = await openSheet();
    expect(again.getByLabelText('Last day')).toHaveValue('2026-11-09');
    expect(again.getByText('The last day is before the first.')).toBeVisible();
  });

  it('are cleared together, without the search', async () => {
    open('/plan?search=aurora&product=8&put=30&order=asc');
    const sheet = await openSheet();
    await userEvent.click(sheet.getByRole('button', { name: 'Clear filters' }));
    await waitFor(() => expect(address()).toBe('/plan?search=aurora'));
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
