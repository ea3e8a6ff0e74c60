import i18next from 'i18next';
import { expect, it } from 'vitest';
import { aListedPlan } from '@/testing/money-data';
import { csv, plansCsv } from './plans-csv';

it('has a line for each plan, with plain figures and the words of the page', () => {
  const loss = { profit: '-20.00', return_on_spend: null, paused: true };
  const named = { ...aListedPlan.product, name: 'Tea, "green"' };
  const plans = [aListedPlan, { ...aListedPlan, ...loss, product: named }];
  expect(plansCsv(plans, i18next.t).split('\r\n')).toEqual([
    '\uFEFFPlan number,Product,Plan status,Budget,Consumed,Conversions,Ad revenue,Platform fee,Profit,ROI',
    'P7KQ2M9XRT,Aurora Coffee,Putting,1250.00,803.14,27,961.00,0.00,159.81,0.212191',
    'P7KQ2M9XRT,"Tea, ""green""",Paused,1250.00,803.14,27,961.00,0.00,-20.00,',
    '',
  ]);
});

it.each([
  ['=1+1', "'=1+1"],
  ['+49', "'+49"],
  ['-5', "'-5"],
  ['@x', "'@x"],
  ['=a,b', '"\'=a,b"'],
  ['two\nlines', '"two\nlines"'],
  ['a=b', 'a=b'],
])('the text %j is no formula, and one cell', (text, written) => {
  expect(csv([[{ text }, { figure: '-1.00' }]])).toBe(`\uFEFF${written},-1.00\r\n`);
});
