import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { BarChart } from './BarChart';

function heightOf(values: readonly number[]) {
  const bars = [{ key: '1', label: 'Nov', name: 'November', values, texts: ['', ''] }];
  const series = [
    { label: 'In', tone: 'accent' },
    { label: 'Out', tone: 'muted' },
  ] as const;
  const { container } = render(
    <BarChart label="Months" bars={bars} series={series} selected={null} onSelect={() => {}} />,
  );
  return Number(container.querySelector('svg')?.getAttribute('height'));
}

it('leaves no room above bars of nothing', () => {
  expect(heightOf([0, 0])).toBeLessThan(heightOf([1, 0]) / 4);
});
