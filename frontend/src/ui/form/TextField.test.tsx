import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { LongTextField } from './LongTextField';
import { PasswordField } from './PasswordField';
import { TextField } from './TextField';

const given = { value: '', onChange: () => {} };

it('is typed in from the right where the script is written so', () => {
  render(
    <>
      <TextField label="Nickname" value="שלום!" onChange={() => {}} />
      <LongTextField label="Message" value="שלום!" onChange={() => {}} />
    </>,
  );
  for (const field of screen.getAllByRole('textbox')) expect(field).toHaveAttribute('dir', 'auto');
});

it('leaves a name or a code as it is typed, and corrects prose', () => {
  render(
    <>
      <TextField label="Username" autoCapitalize="none" {...given} />
      <TextField label="Code" autoCapitalize="characters" {...given} />
      <TextField label="Topic" {...given} />
    </>,
  );
  for (const name of ['Username', 'Code']) {
    expect(screen.getByLabelText(name)).toHaveAttribute('autocorrect', 'off');
    expect(screen.getByLabelText(name)).toHaveAttribute('spellcheck', 'false');
  }
  expect(screen.getByLabelText('Topic')).not.toHaveAttribute('autocorrect');
  expect(screen.getByLabelText('Topic')).not.toHaveAttribute('spellcheck');
});

it('sends no password to a spelling service while it is shown', async () => {
  render(<PasswordField label="Password" autoComplete="current-password" {...given} />);
  await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
  const field = screen.getByLabelText('Password');
  expect(field).toHaveAttribute('type', 'text');
  expect(field).toHaveAttribute('spellcheck', 'false');
});
