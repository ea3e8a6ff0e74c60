import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BasicConfig, Message } from '@/api/types';
import { unread } from '@/shared/account/unread';
import { forgetDrafts } from '@/shared/forms/draft';
import { barAnswers } from '@/testing/answers';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aConfig, aUser } from '@/testing/data';
import { renderApp } from '@/testing/render-app';
import { aPicture, type FakeUpload, fakeUploads } from '@/testing/uploads';

const list = 'GET /customer/messages';
const send = 'POST /customer/messages';
const read = 'POST /customer/messages/read';
const nobody: BasicConfig = {
  ...aConfig,
  customer_service_url: [],
  recharge_customer_service_url: [],
};

const question: Message = {
  id: '1',
  author: 'user',
  text: 'Where is it?\n<b>Now</b>',
  pictures: [],
  created_at: '2026-11-20T10:00:00Z',
  read: true,
};
const reply: Message = { ...question, id: '2', author: 'staff', text: 'On its way.', read: false };

let begun: FakeUpload[];

function api(items: Message[] = [], more: object = {}) {
  const answer = { items, next_cursor: null, status: items.length ? 'open' : null, unread: 0 };
  return fakeApi({
    ...barAnswers,
    [list]: () => ({ ...answer, ...more }),
    [read]: () => ({ unread: 0 }),
  });
}

const open = (config = nobody) => renderApp('/customer', aUser, config);
const field = () => screen.findByLabelText('Your message');
const press = () => userEvent.click(screen.getByRole('button', { name: 'Send' }));

describe('the conversation', () => {
  beforeEach(() => {
    begun = fakeUploads();
    window.scrollTo = vi.fn() as unknown as typeof window.scrollTo;
  });
  afterEach(() => {
    forgetDrafts();
    unread.reset();
  });

  it('opens where no contact is configured, and says what it is for', async () => {
    api();
    open();
    expect(await screen.findByText('Write to us')).toBeVisible();
    expect(await field()).toBeEnabled();
  });

  it('shows what was written as text, who wrote it and whether it was read', async () => {
    api([reply, question]);
    const { container } = open();
    const log = await screen.findByRole('log', { name: 'Conversation with customer service' });
    const [first, second] = within(log).getAllByRole('listitem');
    expect(first).toHaveTextContent(/You.*Where is it\? <b>Now<\/b>.*Read/);
    expect(second).toHaveTextContent(/Customer service.*On its way\./);
    expect(container.querySelector('b')).toBeNull();
  });

  it('marks answers as read, and asks what is left in the bell', async () => {
    const { to } = api([reply, question], { unread: 1 });
    open();
    await screen.findByText('On its way.');
    await waitFor(() => expect(to('/customer/messages/read')[0]?.body).toEqual({ until: '2' }));
    await waitFor(() => expect(to('/user/notifications/unread_count')).toHaveLength(2));
  });

  it('marks them with the next look where the first try was lost', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const fake = api([reply, question], { unread: 1 });
    fake.answer(read, lostConnection);
    open();
    await screen.findByText('On its way.');
    await waitFor(() => expect(fake.to('/customer/messages/read')).toHaveLength(1));
    fake.answer(read, () => ({ unread: 0 }));
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    await waitFor(() => expect(fake.to('/customer/messages/read')).toHaveLength(2));
  });

  it('sends a message and shows it', async () => {
    const fake = api();
    fake.answer(send, () => ({ ...question, text: 'Hello', read: false }));
    open();
    await userEvent.type(await field(), ' Hello ');
    fake.answer(list, () => ({
      items: [{ ...question, text: 'Hello', read: false }],
      next_cursor: null,
      status: 'open',
      unread: 0,
    }));
    await press();
    expect(await screen.findByText('Hello')).toBeVisible();
    expect(screen.getByText('Sent')).toBeVisible();
    expect(await field()).toHaveValue('');
    const sent = fake.sent.filter(({ method }) => method === 'POST');
    expect(sent.find(({ path }) => path === '/customer/messages')?.body).toEqual({
      text: 'Hello',
      pictures: [],
    });
  });

  it('sends nothing empty, and says so at the field', async () => {
    const { sent } = api();
    open();
    const message = await field();
    await press();
    expect(message).toHaveAccessibleDescription('Cannot be empty');
    expect(
      sent.filter(({ path, method }) => path === '/customer/messages' && method === 'POST'),
    ).toEqual([]);
  });

  it('keeps a message through a lost connection and a reload, and sends it again as the same', async () => {
    const fake = api();
    fake.answer(send, lostConnection);
    const { unmount } = open();
    await userEvent.type(await field(), 'Hello');
    await press();
    expect(await screen.findByText(/is not confirmed/)).toBeVisible();
    unmount();
    open();
    expect(await field()).toHaveValue('Hello');
    fake.answer(send, () => ({ ...question, text: 'Hello' }));
    await press();
    await waitFor(async () => expect(await field()).toHaveValue(''));
    const keys = fake.sent
      .filter(({ path, method }) => path === '/customer/messages' && method === 'POST')
      .map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBeTruthy();
    expect(keys[1]).toBe(keys[0]);
  });

  it('sends a changed message under another key', async () => {
    const fake = api();
    fake.answer(send, lostConnection);
    open();
    await userEvent.type(await field(), 'Hello');
    await press();
    await screen.findByText(/is not confirmed/);
    await userEvent.type(await field(), '!');
    await press();
    const keys = () =>
      fake.sent
        .filter(({ path, method }) => path === '/customer/messages' && method === 'POST')
        .map(({ headers }) => headers.get('Idempotency-Key'));
    await waitFor(() => expect(keys()).toHaveLength(2));
    expect(keys()[0]).not.toBe(keys()[1]);
  });

  it('says that a text is too long, and cuts nothing of it', async () => {
    const fake = api();
    open();
    await userEvent.click(await field());
    await userEvent.paste('x'.repeat(2001));
    expect(await field()).toHaveValue('x'.repeat(2001));
    await press();
    expect(await field()).toHaveAccessibleDescription('Too long');
    expect(fake.sent.filter(({ path, method }) => `${method} ${path}` === send)).toEqual([]);
  });

  it('keeps a refused message and says why', async () => {
    const fake = api();
    fake.answer(
      send,
      () => new Refusal(400, '', { error: 'params', fields: { text: 'too_long' } }),
    );
    open();
    await userEvent.type(await field(), 'Hello');
    await press();
    await waitFor(async () => expect(await field()).toHaveAccessibleDescription(/Too long/));
    expect(await field()).toHaveValue('Hello');
  });

  it('sends pictures to where only customer service sees them', async () => {
    const fake = api();
    fake.answer(send, () => ({ ...question, text: '', pictures: ['f1'] }));
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Add images' }));
    await userEvent.upload(screen.getByLabelText('Add image'), aPicture());
    expect(begun[0]?.address).toBe('POST /api/customer/pictures');
    await press();
    expect(screen.getByText(/still being uploaded/)).toBeVisible();
    await act(async () => begun[0]?.done('f1'));
    await press();
    await waitFor(() => {
      const sent = fake.sent.find(
        ({ path, method }) => path === '/customer/messages' && method === 'POST',
      );
      expect(sent?.body).toEqual({ text: '', pictures: ['f1'] });
    });
  });

  it('keeps what is typed and added while the message is under way', async () => {
    const fake = api();
    let arrive = () => {};
    const arrival = new Promise<void>((done) => {
      arrive = done;
    });
    fake.answer(send, () => arrival.then(() => ({ ...question, text: 'Hello' })));
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Add images' }));
    await userEvent.upload(screen.getByLabelText('Add image'), aPicture('one.png'));
    await act(async () => begun[0]?.done('f1'));
    await userEvent.type(await field(), 'Hello');
    await press();
    await userEvent.type(await field(), ' and one more thing');
    await userEvent.upload(screen.getByLabelText('Add image'), aPicture('two.png'));
    await act(async () => arrive());
    await waitFor(async () => expect(await field()).toHaveValue('and one more thing'));
    expect(screen.queryByText('one.png: uploaded')).toBeNull();
    await act(async () => begun[1]?.done('f2'));
    await press();
    await waitFor(() => {
      const sent = fake.sent.filter(({ path, method }) => `${method} ${path}` === send);
      expect(sent.map(({ body }) => body)).toEqual([
        { text: 'Hello', pictures: ['f1'] },
        { text: 'and one more thing', pictures: ['f2'] },
      ]);
      expect(new Set(sent.map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(2);
    });
  });

  it('loads earlier messages above what is there', async () => {
    const fake = api([reply], { next_cursor: '2' });
    open();
    const more = await screen.findByRole('button', { name: 'Show earlier messages' });
    fake.answer(list, () => ({ items: [question], next_cursor: null, status: 'open', unread: 0 }));
    await userEvent.click(more);
    await screen.findByText(/Where is it/);
    const rows = within(screen.getByRole('log')).getAllByRole('listitem');
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringContaining('Where is it'),
      expect.stringContaining('On its way'),
    ]);
    expect(fake.to('/customer/messages').at(-1)?.query.get('cursor')).toBe('2');
    expect(screen.queryByRole('button', { name: 'Show earlier messages' })).toBeNull();
  });

  it('says that it is closed, and how it is opened again', async () => {
    api([question], { status: 'closed' });
    open();
    expect(await screen.findByText(/has closed this conversation/)).toBeVisible();
  });

  it('gives way to a configured contact, unless it was begun before', async () => {
    api();
    const { unmount } = open(aConfig);
    // Nobody has named an address.
    expect(await screen.findByText(/use one of the listed contacts/)).toBeVisible();
    expect(screen.queryByText('This address is not ours')).toBeNull();
    unmount();
    api([question]);
    open(aConfig);
    expect(await screen.findByText(/Where is it/)).toBeVisible();
  });
});
