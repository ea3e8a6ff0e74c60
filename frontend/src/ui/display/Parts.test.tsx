import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Parts } from './Parts';

it('is read as words, without a dot that a line could begin or end with', () => {
  const { container } = render(<Parts parts={['Budget set aside', 'P7KQ2M9XRT']} />);
  expect(container).toHaveTextContent(/^Budget set aside P7KQ2M9XRT$/);
});
