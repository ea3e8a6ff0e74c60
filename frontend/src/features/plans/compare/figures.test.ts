// @vitest-environment node
import i18next from 'i18next';
import { describe, expect, it } from 'vitest';
import type { Compared } from '@/api/types';
import { aComparedPlan, noResults } from '@/testing/compare-data';

import { figureRows } from './figures';

const better: Compared = {
  ...aComparedPlan,
  delivery: { ...aComparedPlan.delivery, clicks: 12_000, conversions: 310 },
  ratios: {
    ...aComparedPlan.ratios,
    profit: '1159.81',
    return_on_spend: '0.300000',
    cost_per_click: '0.10000',
    cost_per_conversion: '1.50000',
  },
};
const worse: Compared = {
  ...noResults,
  plan: aComparedPlan.plan,
  delivery: { ...noResults.delivery, consumed: '20.00' },
  ratios: { ...noResults.ratios, profit: '-20.00', click_rate: '0.010000' },
};

function cells(key: string, ...items: Compared[]) {
  const row = figureRows(items, i18next.t).find((one) => one.key === key);
  return row?.cells.map(({ text, best }) => (best ? `${text} best` : text));
}

describe('figures side by side', () => {
  it('says of each which is the best', () => {
    const all = [aComparedPlan, better, worse];
    expect(cells('profit', ...all)).toEqual(['+$159.81', '+$1,159.81 best', '-$20.00']);
    expect(cells('roi', ...all)).toEqual(['+21.2%', '+30.0% best', '–']);
    // The cheapest, among those that have any.
    expect(cells('perClick', ...all)).toEqual(['$0.08178 best', '$0.10', '–']);
    expect(cells('perConversion', ...all)).toEqual(['$2.59', '$1.50 best', '–']);
  });

  it('names all that are equally good, and none where they do not differ', () => {
    expect(cells('conversions', aComparedPlan, better, worse)).toEqual([
      '310 best',
      '310 best',
      '0',
    ]);
    expect(cells('conversions', aComparedPlan, better)).toEqual(['310', '310']);
    expect(cells('roi', better, worse)).toEqual(['+30.0%', '–']);
  });

  it('does not call it best to have lost nothing where nothing was spent', () => {
    const offered: Compared = { ...noResults, plan: aComparedPlan.plan };
    expect(cells('profit', offered, worse)).toEqual(['$0.00', '-$20.00']);
    expect(cells('profit', offered, worse, better)).toEqual([
      '$0.00',
      '-$20.00',
      '+$1,159.81 best',
    ]);
  });

  it('does not call it good to have spent more, or to have been seen more', () => {
    for (const key of ['consumed', 'clicks', 'impressions']) {
      expect(cells(key, aComparedPlan, better, worse)?.join()).not.toContain('best');
    }
  });

  it('counts plans for products alone', () => {
    expect(cells('plans', aComparedPlan, better)).toBeUndefined();
    expect(cells('plans', { ...better, plan: null, plans: 3 }, noResults)).toEqual(['3', '0']);
  });
});
