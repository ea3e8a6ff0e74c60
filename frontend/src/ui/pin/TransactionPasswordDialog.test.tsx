import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { describe, expect, it, vi } from 'vitest';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { enterPassword } from '@/testing/enter-password';
import { rightHash } from '@/testing/money-data';
import { TransactionPasswordDialog } from './TransactionPasswordDialog';
import { OPENING_MS } from './use-just-opened';

type Props = { onConfirm?: (hash: string) => Promise<unknown> };

function Example({ onConfirm = async () => {} }: Props) {
  const [open, setOpen] = useState(true);
  return (
    <MemoryRouter>
      <TransactionPasswordDialog open={open} onClose={() => setOpen(false)} onConfirm={onConfirm}>
        Pay $5.00
      </TransactionPasswordDialog>
    </MemoryRouter>
  );
}

/** The sheet comes once the press that opened it has been answered. */
async function show(props: Props = {}) {
  render(<Example {...props} />);
  await screen.findByLabelText('Enter your 6 digits');
}

/** Until then the pad is deaf. */
const opened = () =>
  vi.waitFor(() =>
    expect(screen.getByRole('group', { name: 'Digits' })).not.toHaveAttribute('inert'),
  );

const input = () => screen.getByLabelText('Enter your 6 digits');
const confirm = () => screen.getByRole('button', { name: 'Confirm' });
const forgotten = () => screen.queryByRole('link', { name: 'Forgot your transaction password?' });
const wrong = (left: number) =>
  new Refusal(405, 'Wrong', { error: 'wrong_pay_password', attempts_left: left });

describe('TransactionPasswordDialog', () => {
  it('takes digits alone, at most six, and confirms no fewer', async () => {
    await show();
    expect(confirm()).toBeDisabled();
    await userEvent.type(input(), '12a-3 45');
    expect(input()).toHaveValue('12345');
    expect(confirm()).toBeDisabled();
    await userEvent.type(input(), '67');
    expect(input()).toHaveValue('123456');
    expect(confirm()).toBeEnabled();
  });

  it.each(['１２３４５６', '١٢٣٤٥٦', '۱۲۳۴۵۶', '๑๒๓๔๕๖'])(
    'takes the digits of %s',
    async (typed) => {
      await show();
      await userEvent.type(input(), typed);
      expect(input()).toHaveValue('123456');
    },
  );

  it('is no login password to a browser that stores those', async () => {
    await show();
    expect(input()).toHaveAttribute('type', 'password');
    expect(input()).toHaveAttribute('autocomplete', 'one-time-code');
  });

  it('sends the hash and never the digits, then confirms and closes', async () => {
    const { to, sent } = fakeApi({ 'POST /check/password': () => ({}) });
    const onConfirm = vi.fn(async () => {});
    render(<Example onConfirm={onConfirm} />);
    await enterPassword();
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(to('/check/password')[0]?.body).toEqual({ password: rightHash });
    expect(onConfirm).toHaveBeenCalledExactlyOnceWith(rightHash);
    expect(JSON.stringify(sent)).not.toContain('123456');
  });

  it('stays open on a wrong one and says so until the user types again', async () => {
    fakeApi({ 'POST /check/password': () => wrong(3) });
    const onConfirm = vi.fn(async () => {});
    render(<Example onConfirm={onConfirm} />);
    await enterPassword('654321');
    expect(await screen.findByText(/3 attempts left/)).toBeVisible();
    expect(screen.getByRole('dialog')).toBeVisible();
    expect(input()).toHaveValue('');
    expect(input()).toBeInvalid();
    expect(onConfirm).not.toHaveBeenCalled();
    expect(forgotten()).toHaveAttribute('href', '/wallet/set-password');
    await userEvent.type(input(), '1');
    expect(screen.queryByText(/attempts left/)).toBeNull();
    expect(input()).toBeValid();
  });

  it.each([
    [61, /Try again in 2 minutes/],
    [86_400, /Try again in 24 hours/],
  ])('says for how long it is locked, as people say it', async (retry_after, text) => {
    fakeApi({
      'POST /check/password': () =>
        new Refusal(405, 'Locked', { error: 'pay_password_locked', retry_after }),
    });
    render(<Example />);
    await enterPassword();
    expect(await screen.findByText(text)).toBeVisible();
  });

  it('tells a lost connection from a wrong password, and works when it is back', async () => {
    const api = fakeApi({ 'POST /check/password': lostConnection });
    const onConfirm = vi.fn(async () => {});
    render(<Example onConfirm={onConfirm} />);
    await enterPassword();
    expect(await screen.findByText(/was not checked, and nothing was sent/)).toBeVisible();
    expect(forgotten()).toBeNull();
    api.answer('POST /check/password', () => ({}));
    await enterPassword();
    await vi.waitFor(() => expect(onConfirm).toHaveBeenCalledOnce());
  });

  it.each([
    [429, { 'Retry-After': '120' }, 'Too many attempts. Please try again in 2 minutes.'],
    [502, {}, 'The server cannot answer right now. Please try again in a moment.'],
  ])('calls no connection lost where HTTP %i was answered', async (status, headers, text) => {
    fakeApi({ 'POST /check/password': () => new Response('', { status, headers }) });
    render(<Example />);
    await enterPassword();
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.queryByText(/No connection/)).toBeNull();
  });

  it('asks once, however often Enter is pressed', async () => {
    const { to } = fakeApi({ 'POST /check/password': () => new Promise(() => {}) });
    await show();
    await userEvent.type(input(), '123456{Enter}{Enter}{Enter}');
    expect(to('/check/password')).toHaveLength(1);
  });

  it('runs nothing once it was closed while the password was checked', async () => {
    let answer = () => {};
    fakeApi({
      'POST /check/password': () =>
        new Promise((done) => {
          answer = () => done({});
        }),
    });
    const onConfirm = vi.fn(async () => {});
    render(<Example onConfirm={onConfirm} />);
    await enterPassword();
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    answer();
    await act(() => new Promise((late) => setTimeout(late, 50)));
    expect(onConfirm).not.toHaveBeenCalled();
  });

  it('stays until the answer, and says so, once the action was sent', async () => {
    fakeApi({ 'POST /check/password': () => ({}) });
    let answer = () => {};
    const onConfirm = () =>
      new Promise<void>((done) => {
        answer = done;
      });
    render(<Example onConfirm={onConfirm} />);
    await enterPassword();
    expect(await screen.findByText(/^Sent/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    await userEvent.keyboard('{Escape}');
    expect(screen.getByRole('dialog')).toBeVisible();
    await act(async () => answer());
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('closes when the confirmed action fails: its page says why', async () => {
    fakeApi({ 'POST /check/password': () => ({}) });
    render(<Example onConfirm={() => Promise.reject(new Error('refused'))} />);
    await enterPassword();
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('takes the focus after 100 ms where there is a keyboard', () => {
    vi.useFakeTimers();
    render(<Example />);
    act(() => vi.advanceTimersToNextFrame());
    act(() => vi.advanceTimersByTime(1));
    vi.advanceTimersByTime(99);
    expect(input()).not.toHaveFocus();
    vi.advanceTimersByTime(1);
    expect(input()).toHaveFocus();
  });

  it('takes no digit from the second tap of the press that opened it', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true }));
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await show();
    const digit = await screen.findByRole('button', { name: '5' });
    fireEvent.click(digit);
    await act(() => vi.advanceTimersByTimeAsync(OPENING_MS - 200));
    fireEvent.click(digit);
    expect(input()).toHaveValue('');
    await act(() => vi.advanceTimersByTimeAsync(200));
    fireEvent.click(digit);
    expect(input()).toHaveValue('5');
  });

  it('offers a pad under fingers, and no other keyboard', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true }));
    await show();
    expect(input()).toHaveAttribute('inputmode', 'none');
    await opened();
    for (const digit of ['1', '2', '9']) {
      await userEvent.click(await screen.findByRole('button', { name: digit }));
    }
    await userEvent.click(screen.getByRole('button', { name: 'Delete last digit' }));
    expect(input()).toHaveValue('12');
  });

  it('does not send the form again that it was opened from', async () => {
    fakeApi({ 'POST /check/password': () => ({}) });
    const onSubmit = vi.fn();
    const onConfirm = vi.fn(async () => {});
    render(
      <form onSubmit={onSubmit}>
        <Example onConfirm={onConfirm} />
      </form>,
    );
    await enterPassword();
    await vi.waitFor(() => expect(onConfirm).toHaveBeenCalledOnce());
    expect(onSubmit).not.toHaveBeenCalled();
  });
});
