import { act, render } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { CountUp } from './CountUp';

const euros = (value: string) => `${value} €`;

function withMotion(reduced: boolean) {
  vi.stubGlobal('matchMedia', () => ({ matches: reduced }));
}

function renderFigure() {
  const { container, rerender } = render(<CountUp value="10.00" format={euros} />);
  return {
    shown: () => container.querySelector('[aria-hidden]')?.textContent ?? null,
    told: () => container.querySelector('span')?.textContent,
    change: (value: string, of?: string, format = euros) =>
      rerender(<CountUp value={value} format={format} {...(of && { of })} />),
  };
}

/** 17 ms are a frame. */
const wait = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['requestAnimationFrame', 'cancelAnimationFrame', 'performance'] });
  withMotion(false);
});

describe('CountUp', () => {
  it('shows its first value at once', () => {
    const { shown, told } = renderFigure();
    expect([shown(), told()]).toEqual([null, '10.00 €']);
  });

  it('counts to a new value within 600 ms, and tells the new one alone', async () => {
    const { shown, told, change } = renderFigure();
    change('20.00');
    expect([shown(), told()]).toEqual(['10.00 €', '20.00 €']);
    await wait(100);
    const between = Number.parseFloat(shown() ?? '');
    expect(between).toBeGreaterThan(10);
    expect(between).toBeLessThan(20);
    expect(shown()).toMatch(/^\d\d\.\d\d €$/);
    await wait(500);
    expect([shown(), told()]).toEqual([null, '20.00 €']);
  });

  it('goes on from where it is when the value changes again', async () => {
    const { shown, change } = renderFigure();
    change('20.00');
    await wait(100);
    const before = Number.parseFloat(shown() ?? '');
    change('0.00');
    await wait(17);
    expect(Number.parseFloat(shown() ?? '')).toBeLessThanOrEqual(before);
    await wait(600);
    expect(shown()).toBeNull();
  });

  it.each([
    ['another figure', () => {}, '20.00', 'week', euros],
    ['another language', () => {}, '10.00', undefined, (value: string) => `€${value}`],
    ['motion to be reduced', () => withMotion(true), '20.00', undefined, euros],
    [
      'a page nobody sees',
      () => vi.spyOn(document, 'hidden', 'get').mockReturnValue(true),
      '20.00',
      undefined,
      euros,
    ],
  ])('does not count for %s', (_, given, value, of, format) => {
    const { shown, told, change } = renderFigure();
    given();
    change(value, of, format);
    expect([shown(), told()]).toEqual([null, format(value)]);
  });
});
