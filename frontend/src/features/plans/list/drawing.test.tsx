import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { fakeApi } from '@/testing/api';
import { aUser } from '@/testing/data';
import { aListedPlan } from '@/testing/money-data';
import { renderApp } from '@/testing/render-app';
import { Sparkline } from '@/ui/charts/Sparkline';
import { useLongPress } from '@/ui/use-long-press';

vi.mock('@/ui/charts/Sparkline', () => ({ Sparkline: vi.fn(() => null) }));
vi.mock('@/ui/use-long-press', () => ({ useLongPress: vi.fn(() => ({})) }));

/** How often the figures of a card, and all of a card, were drawn. */
const drawn = () => [Sparkline, useLongPress].map((part) => vi.mocked(part).mock.calls.length);

it('draws no card’s figures again when plans are selected, and no other card', async () => {
  const plans = Array.from({ length: 30 }, (_, at) => ({ ...aListedPlan, id: `${at}` }));
  fakeApi({
    'GET /plan/order/list': () => ({ items: plans, next_cursor: null, choices: null }),
    'POST /plan/order/await/put/count': () => ({ count: 0 }),
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/plan', aUser);
  await screen.findByRole('button', { name: 'Select' });
  expect(drawn()).toEqual([30, 30]);
  await userEvent.click(screen.getByRole('button', { name: 'Select' }));
  expect(drawn()).toEqual([30, 60]);
  await userEvent.click(screen.getAllByRole('checkbox')[7] as HTMLElement);
  expect(screen.getAllByRole('checkbox')[7]).toBeChecked();
  expect(drawn()).toEqual([30, 61]);
});
