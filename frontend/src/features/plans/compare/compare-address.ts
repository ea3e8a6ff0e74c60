import type { Place } from '@/pages';

/** The plans or products that are compared, each once. */
export type ToCompare = { of: 'ids' | 'products'; named: readonly string[] };

const fewest = 2;
export const mostCompared = 4;

/** Plans, unless the address names products. */
export function comparedOf(params: URLSearchParams): ToCompare {
  const of = params.get('products') ? 'products' : 'ids';
  const named = params.get(of)?.split(',').filter(Boolean) ?? [];
  return { of, named: [...new Set(named)] };
}

export function comparePath({ of, named }: ToCompare): Place {
  return `/plan/compare?${of}=${named.map(encodeURIComponent).join(',')}`;
}

export function canCompare(number: number): boolean {
  return number >= fewest && number <= mostCompared;
}
