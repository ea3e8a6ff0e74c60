import { act, render, renderHook, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { ApiError, type ErrorData } from '@/api/errors';
import { TextField } from '@/ui/form/TextField';
import { Form } from './Form';
import { useForm } from './use-form';

function Person({ send }: { send: () => Promise<unknown> }) {
  const state = useState({ name: 'Lena', email: 'lena@example.com' });
  const [values] = state;
  const form = useForm({
    state,
    problems: { name: values.name ? null : 'fields.required' },
    send,
    refusedAt: (failure) =>
      (failure as ApiError).error === 'user_exists' ? { name: 'Taken' } : {},
  });
  return (
    <Form {...form.props}>
      <TextField {...form.field('name')} label="Name" />
      <TextField {...form.field('email')} label="Email" />
      {form.failure && <p>{form.failure.message}</p>}
      <button type="submit">{form.busy ? 'Sending' : 'Send'}</button>
    </Form>
  );
}

const name = () => screen.getByLabelText('Name');
const email = () => screen.getByLabelText('Email');
const alert = () => screen.queryByText('Refused', { selector: '[role=alert]' });
const send = () => userEvent.click(screen.getByRole('button'));
const refusal = (data: ErrorData) => () => Promise.reject(new ApiError(400, 'Refused', data));

describe('a form', () => {
  it('sends once, however often it is pressed meanwhile', async () => {
    let answer = () => {};
    const sent = vi.fn(
      () =>
        new Promise<void>((resolve) => {
          answer = resolve;
        }),
    );
    render(<Person send={sent} />);
    await send();
    await send();
    expect(screen.getByRole('button')).toHaveTextContent('Sending');
    expect(sent).toHaveBeenCalledTimes(1);
    await act(async () => answer());
    expect(screen.getByRole('button')).toHaveTextContent('Send');
    await send();
    expect(sent).toHaveBeenCalledTimes(2);
  });

  it('sends nothing while a field is wrong, and says so until it is right', async () => {
    const sent = vi.fn(async () => {});
    render(<Person send={sent} />);
    await userEvent.clear(name());
    expect(name()).toBeValid();
    await send();
    expect(name()).toBeInvalid();
    expect(name()).toHaveFocus();
    expect(sent).not.toHaveBeenCalled();
    await userEvent.type(name(), 'L');
    expect(name()).toBeValid();
  });

  it('shows what the server finds at its fields, each until it is typed in', async () => {
    const fields = { email: 'invalid_email', name: 'of_a_later_version' };
    render(<Person send={refusal({ fields })} />);
    await send();
    await waitFor(() => expect(email()).toHaveAccessibleDescription('Not a valid email address'));
    expect(name()).toHaveAccessibleDescription('Not valid');
    expect(name()).toHaveFocus();
    expect(alert()).toBeNull();
    expect(name()).toHaveValue('Lena');
    await userEvent.type(name(), '!');
    expect(name()).toBeValid();
    expect(email()).toBeInvalid();
  });

  it('shows a refusal that names no field at the field it is about', async () => {
    render(<Person send={refusal({ error: 'user_exists' })} />);
    await send();
    await waitFor(() => expect(name()).toHaveAccessibleDescription('Taken'));
    expect(name()).toHaveFocus();
  });

  it('hands out why it failed, until something else is typed', async () => {
    render(<Person send={refusal({})} />);
    await send();
    expect(await screen.findByText('Refused')).toBeVisible();
    await userEvent.type(email(), 'x');
    expect(screen.queryByText('Refused')).toBeNull();
  });

  it('says itself what the server finds where it has no field', async () => {
    const refuse = refusal({ fields: { email: 'invalid_email', country: 'required' } });
    render(<Person send={refuse} />);
    await send();
    await waitFor(() => expect(email()).toBeInvalid());
    expect(alert()).toBeVisible();
    expect(email()).toHaveFocus();
    await userEvent.type(name(), '!');
    expect(alert()).toBeNull();
  });

  it('leaves it to the text at a field, where that stands for the other', async () => {
    render(<Person send={refusal({ error: 'user_exists', fields: { username: 'taken' } })} />);
    await send();
    await waitFor(() => expect(name()).toHaveAccessibleDescription('Taken'));
    expect(alert()).toBeNull();
  });

  it('takes two changes at once', () => {
    const { result } = renderHook(() => {
      const state = useState({ name: '', email: '' });
      return useForm({ state, problems: {}, send: () => {} });
    });
    const { field } = result.current;
    act(() => {
      field('name').onChange('Lena');
      field('email').onChange('lena@example.com');
    });
    expect(result.current.field('name').value).toBe('Lena');
    expect(result.current.field('email').value).toBe('lena@example.com');
  });
});
