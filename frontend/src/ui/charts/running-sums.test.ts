// @vitest-environment node
import { expect, it } from 'vitest';
import { runningSums } from './running-sums';

it('begins with nothing and adds one part after another, exactly', () => {
  expect(runningSums(['0.10', '0.20', '-1.00'])).toEqual([0, 0.1, 0.3, -0.7]);
});

it('is nothing where there are no parts', () => {
  expect(runningSums([])).toEqual([]);
});
