import type { Activity, Property, Statistics, User } from '@/api/types';
import { isPositive } from '@/ui/money/decimal';

export type StepKey = 'account' | 'money' | 'password' | 'coupon' | 'plan' | 'delivery';
export type Step = {
  key: StepKey;
  state: 'done' | 'open' | 'locked';
  /** The step that unlocks it, if it needs one. */
  needs: 'account' | 'money' | 'plan' | null;
};

type Known = {
  user: Pick<User, 'store_opened'>;
  property: Pick<Property, 'available' | 'promotional' | 'pay_password_set'>;
  all: Pick<Statistics, 'orders'>;
  activities: readonly Pick<Activity, 'received'>[];
};

/**
 * The steps to the first delivered plan, by the server's own figures. The password needs nothing,
 * and is suggested once there is money for it to protect.
 */
export function stepsOf({ user, property, all, activities }: Known): Step[] {
  const opened = user.store_opened;
  const put = all.orders > 0;
  const funded = put || isPositive(property.available) || isPositive(property.promotional);
  const unlocked = { account: opened, money: funded, plan: put };
  const step = (key: StepKey, done: boolean, needs: Step['needs']): Step => ({
    key,
    state: done ? 'done' : needs === null || unlocked[needs] ? 'open' : 'locked',
    needs,
  });
  const received = activities.every((one) => one.received);
  return [
    step('account', opened, null),
    step('money', funded, 'account'),
    step('password', property.pay_password_set, null),
    ...(activities.length > 0 ? [step('coupon', received, 'account')] : []),
    step('plan', put, 'money'),
    step('delivery', false, 'plan'),
  ];
}

/** The step to take next. A coupon helps, but nothing waits for it. */
export function nextOf(steps: readonly Step[]): StepKey | undefined {
  const open = steps.filter(({ state }) => state === 'open');
  return (open.find(({ key }) => key !== 'coupon') ?? open[0])?.key;
}
