import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Sheet } from './Sheet';

/** What a browser shows of the page: a phone of 800 px until something covers a part. */
class Seen extends EventTarget {
  height = 800;
  offsetTop = 0;
  scale = 1;
}

let seen: Seen;

beforeEach(() => {
  seen = new Seen();
  vi.stubGlobal('visualViewport', seen);
  vi.stubGlobal('innerHeight', 800);
});

afterEach(() => vi.unstubAllGlobals());

function open() {
  render(
    <Sheet open onClose={() => {}} title="Amount">
      <input aria-label="Amount" />
    </Sheet>,
  );
  const { style } = screen.getByRole('dialog');
  return () => [style.getPropertyValue('--covered'), style.getPropertyValue('--in-sight')];
}

function show(change: Partial<Seen>, event = 'resize') {
  act(() => {
    Object.assign(seen, change);
    seen.dispatchEvent(new Event(event));
  });
}

describe('a sheet and the keyboard on the screen', () => {
  it('stands on the keyboard, no higher than what is left, and comes down again', () => {
    const measures = open();
    expect(measures()).toEqual(['', '']);
    show({ height: 460 });
    expect(measures()).toEqual(['340px', '460px']);
    // The browser has moved the page up, to the field.
    show({ offsetTop: 140 }, 'scroll');
    expect(measures()).toEqual(['200px', '460px']);
    show({ height: 800, offsetTop: 0 });
    expect(measures()).toEqual(['', '']);
  });

  it('stays where it is for a bar of the browser, and for fingers that zoom in', () => {
    const measures = open();
    show({ height: 720 });
    expect(measures()).toEqual(['', '']);
    show({ height: 400, scale: 2 });
    expect(measures()).toEqual(['', '']);
  });

  it('stays where it is if the browser makes room itself', () => {
    const measures = open();
    vi.stubGlobal('innerHeight', 460);
    show({ height: 460 });
    expect(measures()).toEqual(['', '']);
  });
});
