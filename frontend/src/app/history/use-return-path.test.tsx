import { renderHook } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { expect, it } from 'vitest';
import { aUser } from '@/testing/data';
import { useReturnPath } from './use-return-path';

it.each([
  ['the page that required it', { from: '/plan/detail?id=42' }, '/plan/detail?id=42'],
  ['home, if no page did', null, '/ad-center'],
  ['home, if another version wrote the history', { from: { path: '/wallet' } }, '/ad-center'],
])('a login leads to %s', (_, state, place) => {
  const { result } = renderHook(useReturnPath, {
    wrapper: ({ children }) => (
      <MemoryRouter initialEntries={[{ pathname: '/login', state }]}>{children}</MemoryRouter>
    ),
  });
  expect(result.current({ ...aUser, store_opened: true })).toBe(place);
  expect(result.current({ ...aUser, store_opened: false })).toBe('/ad-welcome');
});
