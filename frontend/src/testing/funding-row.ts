import { screen, within } from '@testing-library/react';

/** A row among all movements: the last ones are shown below the balance as well. */
export async function fundingRow(name: RegExp) {
  const list = await screen.findByRole('list', { name: 'Funding details' });
  return within(list).findByRole('button', { name });
}
