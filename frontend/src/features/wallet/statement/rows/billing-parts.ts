import type { DayBilling, Flow } from '@/api/types';

type Parts = {
  /** The part that the user's own money paid, signed; null if nothing. */
  own: string | null;
  /** The parts that the platform added, without a sign. */
  others: { name: 'coupon' | 'promotional'; amount: string }[];
};

/** The parts of a day's billing, by source of the money. */
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

/** The platform's money that a line is about, if it is not the user's own. */
export function platformPart({ account, source }: Flow): 'coupon' | 'promotional' | null {
  if (account === 'promotional') return 'promotional';
  return source === 'coupon' || source === 'promotional' ? source : null;
}
