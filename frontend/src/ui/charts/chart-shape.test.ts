// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { areaPath, linePath, placePoints, scaleFor } from './chart-shape';

describe('the scale of a chart', () => {
  it('has round marks from zero to above the highest value', () => {
    expect(scaleFor([3, 7.5]).marks).toEqual([0, 2, 4, 6, 8]);
    expect(scaleFor([120, 980]).marks).toEqual([0, 500, 1000]);
    expect(scaleFor([1284530]).high).toBe(1500000);
  });

  it('has exact decimals', () => {
    expect(scaleFor([0.3]).marks).toEqual([0, 0.1, 0.2, 0.3]);
    expect(scaleFor([0.01]).marks).toEqual([0, 0.005, 0.01]);
  });

  it('counts in whole numbers', () => {
    expect(scaleFor([1], true).marks).toEqual([0, 1]);
    expect(scaleFor([0, 0], true).marks).toEqual([0, 1]);
    expect(scaleFor([3], true).marks).toEqual([0, 1, 2, 3]);
  });

  it('reaches below zero for a loss', () => {
    expect(scaleFor([-5, 5])).toEqual({ low: -5, high: 5, marks: [-5, 0, 5] });
    expect(scaleFor([-3, -1])).toEqual({ low: -3, high: 0, marks: [-3, -2, -1, 0] });
  });

  it('never has more than six marks, and holds every value', () => {
    for (const values of [[0.07], [19, 21], [-1, 99], [-99, 1], [12345.67], [5e11], [-0.4, 0.3]]) {
      const { low, high, marks } = scaleFor(values);
      expect(marks.length).toBeLessThanOrEqual(6);
      expect(low).toBeLessThanOrEqual(Math.min(0, ...values));
      expect(high).toBeGreaterThanOrEqual(Math.max(0, ...values));
    }
  });
});

describe('the shape of the chart', () => {
  const scale = { low: 0, high: 10 };

  it('stands on the bottom of its scale', () => {
    expect(placePoints([0, 5, 10], 100, 50, scale)).toEqual([
      { x: 0, y: 50 },
      { x: 50, y: 25 },
      { x: 100, y: 0 },
    ]);
  });

  it('goes below zero for a loss', () => {
    expect(placePoints([-5, 5], 100, 50, { low: -5, high: 5 })).toEqual([
      { x: 0, y: 50 },
      { x: 100, y: 0 },
    ]);
  });

  it('draws nothing but zeros as a flat line, and one value in the middle', () => {
    expect(placePoints([0, 0], 100, 50, scale).map(({ y }) => y)).toEqual([50, 50]);
    expect(placePoints([10], 100, 50, scale)).toEqual([{ x: 50, y: 0 }]);
  });

  it('joins the points straight', () => {
    const points = placePoints([0, 10], 100, 50, scale);
    expect(linePath(points)).toBe('M0 50L100 0');
    expect(areaPath(points, 50)).toBe('M0 50L100 0L100 50L0 50Z');
    expect(areaPath([], 50)).toBe('');
  });
});
