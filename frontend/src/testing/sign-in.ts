import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fillIn } from './fill-in';

/** Fills in a name and a password into the login page and sends them. */
export async function signIn() {
  await fillIn(await screen.findByLabelText('Username'), 'lena');
  await fillIn(screen.getByLabelText('Password'), 'correct horse');
  await userEvent.click(screen.getByRole('button', { name: 'Log in' }));
}
