import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

/** Types a name and a password into the login page and sends them. */
export async function signIn() {
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('Username'), 'lena');
  await user.type(screen.getByLabelText('Password'), 'correct horse');
  await user.click(screen.getByRole('button', { name: 'Log in' }));
}
