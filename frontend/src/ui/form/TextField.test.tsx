import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { LongTextField } from './LongTextField';
import { TextField } from './TextField';

it('is typed in from the right where the script is written so', () => {
  render(
    <>
      <TextField label="Nickname" value="שלום!" onChange={() => {}} />
      <LongTextField label="Message" value="שלום!" onChange={() => {}} />
    </>,
  );
  for (const field of screen.getAllByRole('textbox')) expect(field).toHaveAttribute('dir', 'auto');
});
