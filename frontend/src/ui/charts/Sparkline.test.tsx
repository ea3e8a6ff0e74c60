import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Sparkline } from './Sparkline';

function draw(...values: number[]) {
  const { container } = render(<Sparkline values={values} tone="loss" />);
  const [zero, line] = [...container.querySelectorAll('path')].map((path) =>
    path.getAttribute('d'),
  );
  return {
    svg: container.querySelector('svg'),
    zero,
    line,
    end: container.querySelector('circle'),
  };
}

it('draws a line from the lowest to the highest, with zero among them', () => {
  const { svg, zero, line, end } = draw(-10, 0, 10);
  expect(zero).toBe('M0 9H44');
  expect(line).toBe('M0 18L22 9L44 0');
  expect([end?.getAttribute('cx'), end?.getAttribute('cy')]).toEqual(['44', '0']);
  expect(svg).toHaveAttribute('aria-hidden', 'true');
  expect(svg).toHaveAttribute('data-tone', 'loss');
});

it('has zero at its edge where all are above or below', () => {
  expect(draw(5, 10)).toMatchObject({ zero: 'M0 18H44', line: 'M0 9L44 0' });
  expect(draw(-5, -10)).toMatchObject({ zero: 'M0 0H44', line: 'M0 9L44 18' });
});

it('has zero in its middle where there is nothing else', () => {
  expect(draw(0, 0)).toMatchObject({ zero: 'M0 9H44', line: 'M0 9L44 9' });
});

it('is a point where there is one, and only the zero line where there is none', () => {
  const one = draw(3);
  expect(one.line).toBe('M22 0');
  expect(one.end).toHaveAttribute('cx', '22');
  const none = draw();
  expect(none).toMatchObject({ zero: 'M0 9H44', line: '', end: null });
});
