import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { LongTextField } from './LongTextField';
import { PasswordField } from './PasswordField';
import { SearchField } from './SearchField';
import { longestSearch } from './search-limit';
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

it('says that a pasted text is too long, and cuts nothing off it', async () => {
  const onSearch = vi.fn();
  render(<SearchField label="Find" value="" onSearch={onSearch} />);
  const field = screen.getByLabelText('Find');
  await userEvent.click(field);
  await userEvent.paste('x'.repeat(longestSearch + 1));
  await userEvent.keyboard('{Enter}');
  expect(field).toHaveValue('x'.repeat(longestSearch + 1));
  expect(field).toBeInvalid();
  expect(field).toHaveAccessibleDescription('Too long');
  expect(onSearch).not.toHaveBeenCalled();
  await userEvent.type(field, '{Backspace}{Enter}');
  expect(onSearch).toHaveBeenCalledWith('x'.repeat(longestSearch));
});
