import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { barAnswers } from '@/testing/answers';
import { fakeApi, Refusal } from '@/testing/api';
import { aComparedPlan, noResults } from '@/testing/compare-data';
import { aUser } from '@/testing/data';
import { aProductToPut } from '@/testing/money-data';
import { renderApp } from '@/testing/render-app';

function open(results: unknown) {
  const api = fakeApi({
    ...barAnswers,
    'POST /plan/order/app/detail': () => ({ ...aProductToPut, id: 'p1' }),
    'GET /plan/product/results': () => results,
  });
  renderApp('/plan/goods-detail?id=p1', aUser);
  return api;
}

describe("one's own results with a product", () => {
  it('are on its page, and lead to a comparison', async () => {
    const api = open({ ...aComparedPlan, plan: null, plans: 3 });
    const heading = await screen.findByRole('heading', { name: 'Your results so far' });
    const card = within(heading.closest('section') as HTMLElement);
    expect(card.getByText(/^\+\$159.81/)).toHaveTextContent('+$159.81 Gain');
    for (const text of ['+21.2%', '$803.14', '310', '3'])
      expect(card.getByText(text)).toBeVisible();
    const others = card.getByText('Compare with other products').closest('a');
    expect(others).toHaveAttribute('href', '#/plan/compare?products=p1');
    expect(api.to('/plan/product/results')[0]?.query.get('product_id')).toBe('p1');
  });

  it.each([
    ['nothing was put', noResults],
    ['they cannot be read', new Refusal(405, '', { error: 'not_found' })],
  ])('are not there where %s', async (_why, results) => {
    open(results);
    await screen.findByRole('heading', { name: 'Aurora Coffee' });
    expect(screen.queryByText(/^Your results/)).toBeNull();
  });
});
