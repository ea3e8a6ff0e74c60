// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { quoteOf, quoteWithoutCoupons } from '@/testing/money-data';
import { couponOf, priceOf } from './put-price';

describe('couponOf', () => {
  it('is the best, none, or the one that was chosen', () => {
    expect(couponOf(quoteOf('100.00'), 'best')?.coupon.id).toBe('k1');
    expect(couponOf(quoteOf('100.00'), 'none')).toBeNull();
    expect(couponOf(quoteOf('100.00'), { id: 'k1' })?.coupon.id).toBe('k1');
  });

  it('is none where the chosen one does not fit, and the best where it is gone', () => {
    expect(couponOf(quoteOf('99.00'), { id: 'k1' })).toBeNull();
    expect(couponOf(quoteOf('100.00'), { id: 'gone' })?.coupon.id).toBe('k1');
    expect(couponOf(quoteWithoutCoupons('100.00'), 'best')).toBeNull();
  });
});

describe('priceOf', () => {
  it('is what the server quoted with the coupon', () => {
    expect(priceOf(quoteOf('100.00'), 'best')).toMatchObject({
      couponPays: '10.00',
      availablePays: '90.00',
      promotionalPays: '0.00',
      budget: '100.00',
    });
  });

  it('is what the server quoted without one', () => {
    expect(priceOf(quoteOf('100.00'), 'none')).toMatchObject({
      couponPays: '0.00',
      availablePays: '100.00',
      budget: '100.00',
    });
  });
});
