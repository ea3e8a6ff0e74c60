import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

/** Types digits into the transaction-password dialog and confirms them. */
export async function enterPassword(digits = '123456') {
  const user = userEvent.setup();
  const dialog = within(await screen.findByRole('dialog', { name: 'Transaction password' }));
  await user.type(await dialog.findByLabelText('Enter your 6 digits'), digits);
  await user.click(dialog.getByRole('button', { name: 'Confirm' }));
}
