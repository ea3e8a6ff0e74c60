import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { session } from '@/api/session';
import { aUser } from '@/testing/data';
import { useSessionText } from './use-session-text';

function Form() {
  const [text, setText] = useSessionText('form');
  return <input aria-label="Text" value={text} onChange={(event) => setText(event.target.value)} />;
}

it('gives back what was typed, also after the session has ended, until the user leaves', async () => {
  session.signIn({ token: 'one', user: aUser });
  const first = render(<Form />);
  await userEvent.type(screen.getByLabelText('Text'), 'abc');
  first.unmount();
  const second = render(<Form />);
  expect(screen.getByLabelText('Text')).toHaveValue('abc');
  second.unmount();
  session.expire();
  session.signIn({ token: 'two', user: aUser });
  const third = render(<Form />);
  expect(screen.getByLabelText('Text')).toHaveValue('abc');
  third.unmount();
  session.clear();
  session.signIn({ token: 'three', user: aUser });
  render(<Form />);
  expect(screen.getByLabelText('Text')).toHaveValue('');
});

it('shows nobody else what was typed', async () => {
  session.signIn({ token: 'one', user: aUser });
  const first = render(<Form />);
  await userEvent.type(screen.getByLabelText('Text'), 'abc');
  first.unmount();
  session.expire();
  session.signIn({ token: 'two', user: { ...aUser, id: 'another' } });
  render(<Form />);
  expect(screen.getByLabelText('Text')).toHaveValue('');
});
