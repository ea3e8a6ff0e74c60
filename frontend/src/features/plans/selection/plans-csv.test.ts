import i18next from 'i18next';
import { expect, it } from 'vitest';
import { aListedPlan } from '@/testing/money-data';
import { csv, plansCsv } from './plans-csv';

it('has a line for each plan, with plain figures and the words of the page', () => {
  const loss = { profit: '-20.00', return_on_spend: null, paused: true };
  const named = { ...aListedPlan.product, name: 'Tea, "green"' };
  const settled = { ...aListedPlan, status: 'settled' as const, fee: '48.04' };
  const plans = [aListedPlan, { ...aListedPlan, ...loss, product: named }, settled];
  expect(plansCsv(plans, i18next.t).split('\r\n')).toEqual([
    '\uFEFFPlan number,Product,Plan status,Budget,Consumed,Paid by coupons and credit,Conversions,Advertising revenue,Platform fee,Profit,ROI',
    'P7KQ2M9XRT,Aurora Coffee,Putting,1250.00,803.14,50.00,27,961.00,48.05,159.81,0.212191',
    'P7KQ2M9XRT,"Tea, ""green""",Paused,1250.00,803.14,50.00,27,961.00,48.05,-20.00,',
    'P7KQ2M9XRT,Aurora Coffee,Settlement successful,1250.00,803.14,50.00,27,961.00,48.04,159.81,0.212191',
    '',
  ]);
});

it('adds up to the profit, also before a plan is settled', () => {
  const [head = '', line = ''] = plansCsv([aListedPlan], i18next.t).split('\r\n');
  const names = head.split(',');
  const figure = (name: string) => Number(line.split(',')[names.indexOf(name)]);
  const own = figure('Consumed') - figure('Paid by coupons and credit');
  const profit = figure('Advertising revenue') - figure('Platform fee') - own;
  expect(profit.toFixed(2)).toBe(aListedPlan.profit);
});

it.each([
  ['=1+1', "'=1+1"],
  ['+49', "'+49"],
  ['-5', "'-5"],
  ['@x', "'@x"],
  ['=a,b', '"\'=a,b"'],
  ['two\nlines', '"two\nlines"'],
  ['＝1+1', "'＝1+1"],
  ['x;=1+1', "x;'=1+1"],
  ['x; "-1"', `"x; ""'-1"""`],
  ['x\n=1+1', `"x\n'=1+1"`],
  ['x\r\n+1', `"x\r\n'+1"`],
  ['\t=1', "'\t'=1"],
  ['a; b', 'a; b'],
  ['a=b', 'a=b'],
  ['Aktions\u00adguthaben', 'Aktionsguthaben'],
])('the text %j is no formula, and one cell', (text, written) => {
  expect(csv([[{ text }, { figure: '-1.00' }]])).toBe(`\uFEFF${written},-1.00\r\n`);
});
