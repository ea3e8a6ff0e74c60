// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { nextOf, stepsOf } from './steps';

type Known = Parameters<typeof stepsOf>[0];

const nothing: Known = {
  user: { store_opened: false },
  property: { available: '0.00', promotional: '0.00', pay_password_set: false },
  all: { orders: 0 },
  activities: [{ received: false }],
};

const states = (known: Partial<Known>) =>
  Object.fromEntries(stepsOf({ ...nothing, ...known }).map(({ key, state }) => [key, state]));
const next = (known: Partial<Known>) => nextOf(stepsOf({ ...nothing, ...known }));
const opened = { user: { store_opened: true } };
const rich = { ...opened, property: { ...nothing.property, available: '0.01' } };
const ready = { ...rich, property: { ...rich.property, pay_password_set: true } };

describe('the first steps', () => {
  it('begin with the ad account, which everything else needs', () => {
    expect(states({})).toEqual({
      account: 'open',
      money: 'locked',
      password: 'open',
      coupon: 'locked',
      plan: 'locked',
      delivery: 'locked',
    });
    expect(next({})).toBe('account');
  });

  it('unlock each step when it is needed', () => {
    expect(states(opened)).toMatchObject({ money: 'open', coupon: 'open', password: 'open' });
    expect(next(opened)).toBe('money');
    expect(states(rich)).toMatchObject({ money: 'done', password: 'open', plan: 'open' });
    expect(next(rich)).toBe('password');
    expect(next(ready)).toBe('plan');
    expect(next({ ...ready, all: { orders: 1 } })).toBe('delivery');
  });

  it('count promotional credit as money, and money that is on a plan already', () => {
    const credit = { ...opened, property: { ...nothing.property, promotional: '5.00' } };
    expect(states(credit)).toMatchObject({ money: 'done', plan: 'open' });
    expect(states({ ...opened, all: { orders: 1 } })).toMatchObject({
      money: 'done',
      plan: 'done',
    });
  });

  it('speak of a coupon only where there is one', () => {
    expect(states({ activities: [] })).not.toHaveProperty('coupon');
    expect(states({ ...opened, activities: [{ received: true }] })).toMatchObject({
      coupon: 'done',
    });
  });
});
