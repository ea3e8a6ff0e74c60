import { type KeyboardEvent, useState } from 'react';

type Axis = 'across' | 'down';

const steps: Record<Axis, Record<string, number>> = {
  across: { ArrowRight: 1, ArrowLeft: -1 },
  down: { ArrowDown: 1, ArrowUp: -1 },
};

/** The point of a chart to which a key moves; null for other keys. */
export function pointAfter(axis: Axis, key: string, at: number, count: number): number | null {
  const last = count - 1;
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  const step = steps[axis][key];
  return step ? Math.min(last, Math.max(0, at + step)) : null;
}

/**
 * One tab stop for all points of a chart: arrow keys, Home and End move between them, Enter opens
 * the details. `first` is read until another one is picked.
 */
export function usePoints(axis: Axis, count: number, first: number) {
  const [picked, setPicked] = useState<number | null>(null);
  const at = Math.min(picked ?? first, count - 1);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const next = pointAfter(axis, event.key, at, count);
    const { target, currentTarget } = event;
    // A button beside the points, such as a question mark, handles its own keys.
    if (next === null || !(target instanceof HTMLElement) || !target.dataset.point) return;
    event.preventDefault();
    currentTarget.querySelector<HTMLElement>(`[data-point="${next}"]`)?.focus();
  };
  const pointProps = (index: number) => ({
    'data-point': index,
    tabIndex: index === at ? 0 : -1,
    onFocus: () => setPicked(index),
  });
  return { at, pick: setPicked, onKeyDown, pointProps };
}
