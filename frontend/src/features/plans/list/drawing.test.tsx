import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { fakeApi } from '@/testing/api';
import { aUser } from '@/testing/data';
import { aListedPlan } from '@/testing/money-data';
import { renderApp } from '@/testing/render-app';
import { Sparkline } from '@/ui/charts/Sparkline';

vi.mock('@/ui/charts/Sparkline', () => ({ Sparkline: vi.fn(() => null) }));

const drawn = () => vi.mocked(Sparkline).mock.calls.length;

it('draws no other card again when one is selected', async () => {
  const plans = Array.from({ length: 30 }, (_, at) => ({ ...aListedPlan, id: `${at}` }));
  fakeApi({
    'GET /plan/order/list': () => ({ items: plans, next_cursor: null, choices: null }),
    'POST /plan/order/await/put/count': () => ({ count: 0 }),
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/plan', aUser);
  await userEvent.click(await screen.findByRole('button', { name: 'Select' }));
  const before = drawn();
  await userEvent.click(screen.getAllByRole('checkbox')[7] as HTMLElement);
  expect(screen.getAllByRole('checkbox')[7]).toBeChecked();
  expect(drawn() - before).toBe(1);
});
