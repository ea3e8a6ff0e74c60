import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { NetworkError } from '@/api/errors';
import { Unanswered } from './Unanswered';

const asked = { isPending: false, isError: true, isFetching: false, refetch: () => {} };

it('says when to ask again, whichever of several was asked too often', () => {
  const tooOften = { ...asked, error: new NetworkError(429, '', '840') };
  render(<Unanswered of={[{ ...asked, error: new Error('lost') }, tooOften]} />);
  expect(screen.getByRole('alert')).toHaveTextContent('Please try again in 14 minutes.');
});

it('tells no time where none is known', () => {
  render(<Unanswered of={{ ...asked, error: new NetworkError(500, '') }} />);
  expect(screen.getByRole('alert')).not.toHaveTextContent('try again');
});
