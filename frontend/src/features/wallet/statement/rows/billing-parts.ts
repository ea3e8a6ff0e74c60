import type { DayBilling, Flow } from '@/api/types';

type Parts = {
  /** What the user's own money paid, signed; null if nothing. */
  own: string | null;
  /** What the platform added, without a sign. */
  others: { name: 'coupon' | 'promotional'; amount: string }[];
};

/** Whose money a day's billing was. */
export function partsOf({ own, coupon, promotional }: DayBilling): Parts {
  const others = [
    { name: 'coupon', amount: coupon },
    { name: 'promotional', amount: promotional },
  ] as const;
  return {
    own: moved(own) ? own : null,
    others: others
      .filter(({ amount }) => moved(amount))
      .map(({ name, amount }) => ({ name, amount: amount.replace(/^-/, '') })),
  };
}

function moved(amount: string): boolean {
  return /[1-9]/.test(amount);
}

/** What added to the user's money, if a line is not about the user's own. */
export function platformPart({ account, source }: Flow): 'coupon' | 'promotional' | null {
  if (account === 'promotional') return 'promotional';
  return source === 'coupon' || source === 'promotional' ? source : null;
}
