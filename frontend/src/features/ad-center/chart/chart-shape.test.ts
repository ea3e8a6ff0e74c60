import { describe, expect, it } from 'vitest';
import { areaPath, linePath, placePoints } from './chart-shape';

describe('the shape of the chart', () => {
  it('stands on zero and reaches the top with the highest value', () => {
    expect(placePoints([0, 5, 10], 100, 50)).toEqual([
      { x: 0, y: 50 },
      { x: 50, y: 25 },
      { x: 100, y: 0 },
    ]);
  });

  it('goes below zero for a loss', () => {
    expect(placePoints([-5, 5], 100, 50)).toEqual([
      { x: 0, y: 50 },
      { x: 100, y: 0 },
    ]);
  });

  it('draws nothing but zeros as a flat line, and one value in the middle', () => {
    expect(placePoints([0, 0], 100, 50).map(({ y }) => y)).toEqual([50, 50]);
    expect(placePoints([3], 100, 50)).toEqual([{ x: 50, y: 0 }]);
  });

  it('shares its scale with what is drawn beside it', () => {
    expect(placePoints([5, 10], 100, 50, [20])).toEqual([
      { x: 0, y: 37.5 },
      { x: 100, y: 25 },
    ]);
  });

  it('joins the points straight', () => {
    const points = placePoints([0, 10], 100, 50);
    expect(linePath(points)).toBe('M0 50L100 0');
    expect(areaPath(points, 50)).toBe('M0 50L100 0L100 50L0 50Z');
    expect(areaPath([], 50)).toBe('');
  });
});
