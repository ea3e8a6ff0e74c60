import type { Product } from '@/api/types';
import { compareDecimals, fromMinor, isPositive, toMinor } from '@/ui/money/decimal';
import { useDebounced } from '@/ui/use-debounced';
import type { Price } from './put-price';

type PutProblem = 'required' | 'range' | 'balance';

/** The problem of an amount; a missing price is none. */
export function checkPut(
  amount: string,
  product: Pick<Product, 'min_put' | 'max_put'>,
  price: Pick<Price, 'affordable'> | null,
): PutProblem | null {
  if (amount === '') return 'required';
  if (!isPositive(amount)) return 'range';
  if (compareDecimals(amount, product.min_put) < 0) return 'range';
  if (compareDecimals(amount, product.max_put) > 0) return 'range';
  return price && !price.affordable ? 'balance' : null;
}

/** Wrong whatever is typed next, or not about to be completed. */
function isPlain(
  problem: PutProblem,
  amount: string,
  { max_put }: Pick<Product, 'max_put'>,
  paused: boolean,
): boolean {
  if (problem === 'required') return false;
  return problem === 'balance' || paused || compareDecimals(amount, max_put) > 0;
}

/** Whoever rests this long has typed what they mean. */
const typingMs = 900;

/** Whether the problem of an amount is said before the button is pressed. */
export function useShowWhileTyping(
  problem: PutProblem | null,
  amount: string,
  bounds: Pick<Product, 'max_put'>,
): boolean {
  const paused = useDebounced(amount, typingMs) === amount;
  return problem !== null && isPlain(problem, amount, bounds, paused);
}

/** A few round amounts within the limits, smallest first. */
export function quickAmounts(min: string, max: string): string[] {
  const least = toMinor(min);
  const most = toMinor(max);
  if (least === null || most === null || least <= 0n) return [];
  return [1n, 2n, 5n, 10n]
    .map((times) => least * times)
    .filter((amount) => amount <= most)
    .map((amount) => fromMinor(amount).replace(/\.0+$/, ''));
}

/** How many impressions or clicks the whole amount pays for, rounded down. */
export function unitsFor(amount: string, rule: Product['put_rule']): number {
  const budget = toMinor(amount || '0');
  const price = toMinor(rule.price);
  if (budget === null || price === null || price <= 0n) return 0;
  return Number((budget * (rule.pricing === 'cpm' ? 1000n : 1n)) / price);
}
