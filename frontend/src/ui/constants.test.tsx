import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { act, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Badge } from '@/ui/display/Badge';
import { ToastProvider } from '@/ui/feedback/ToastProvider';
import { showToast } from '@/ui/feedback/toast-store';
import { Picker } from '@/ui/form/Picker';
import { Dialog } from '@/ui/layers/Dialog';
import { PinField } from '@/ui/pin/PinField';
import { isMobile } from './is-mobile';

const css = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');

describe('a toast', () => {
  it('stays for its time above every popup', () => {
    vi.useFakeTimers();
    render(<ToastProvider />);
    act(() => showToast('Saved'));
    act(() => void vi.advanceTimersByTime(1999));
    const region = screen.getByRole('status');
    expect(region).toHaveTextContent('Saved');
    expect(Number(region.style.zIndex)).toBeGreaterThan(2000);
    act(() => void vi.advanceTimersByTime(1));
    expect(region).toBeEmptyDOMElement();
  });
});

describe('a dialog', () => {
  it('is as wide and lies as high as specified', () => {
    render(
      <Dialog open title="Sure?" onClose={() => {}}>
        text
      </Dialog>,
    );
    const { style } = screen.getByRole('dialog');
    expect(style.zIndex).toBe('2000');
    expect(style.width).toBe('85%');
    expect(css('layers/Layer.module.css')).toMatch(/\.dialog \{[^}]*max-width: 400px;/);
    expect(css('layers/Layer.module.css')).toMatch(/\.sheet,[^}]*width: min\(85%, 480px\);/);
  });
});

describe('a picker', () => {
  it('has rows of the specified height, and as many in sight', () => {
    const options = ['a', 'b'].map((value) => ({ value, text: value }));
    const { container } = render(
      <Picker label="Pick" options={options} value="a" onChange={() => {}} />,
    );
    const [column] = container.getElementsByClassName('rv-picker__columns');
    const [option] = container.getElementsByClassName('rv-picker-column__item');
    expect(column).toHaveStyle({ height: '264px' });
    expect(option).toHaveStyle({ height: '44px' });
  });
});

describe('a badge', () => {
  it.each([
    [99, '99'],
    [100, '99+'],
  ])('shows %i as %s', (count, text) => {
    render(<Badge count={count} />);
    expect(screen.getByText(text)).toBeVisible();
  });
});

describe('mobile detection', () => {
  const agent = (text: string) => vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(text);
  const screenOf = (width: number, touches: number) => {
    vi.stubGlobal('innerWidth', width);
    Object.defineProperty(navigator, 'maxTouchPoints', { value: touches, configurable: true });
  };
  afterEach(() => {
    Reflect.deleteProperty(navigator, 'maxTouchPoints');
  });

  it.each([
    [768, 1, 'Mozilla/5.0 (X11; Linux x86_64)', true],
    [769, 1, 'Mozilla/5.0 (X11; Linux x86_64)', false],
    [375, 0, 'Mozilla/5.0 (X11; Linux x86_64)', false],
    [1280, 0, 'Mozilla/5.0 (Linux; Android 14) Mobile Safari/537.36', true],
    [1280, 0, 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X)', true],
  ])('takes %i px with %i touch points and "%s" for mobile: %s', (width, touches, name, mobile) => {
    screenOf(width, touches);
    agent(name);
    expect(isMobile()).toBe(mobile);
  });

  it('leaves the focus of the password to a phone, and takes it on a desktop after a moment', () => {
    vi.useFakeTimers();
    const field = () => screen.getByLabelText('Digits');
    const show = () => render(<PinField label="Digits" value="" onChange={() => {}} autoFocus />);
    screenOf(375, 1);
    const phone = show();
    act(() => void vi.advanceTimersByTime(1000));
    expect(field()).not.toHaveFocus();
    phone.unmount();
    screenOf(1280, 0);
    show();
    act(() => void vi.advanceTimersByTime(99));
    expect(field()).not.toHaveFocus();
    act(() => void vi.advanceTimersByTime(1));
    expect(field()).toHaveFocus();
  });
});

describe('the style sheets', () => {
  it('make a column of the design out of wide pages', () => {
    const [, from, column] =
      css('tokens.css').match(/min-width: (\d+)px\)[^@]*?--column: (\d+)px/) ?? [];
    expect(from).toBe('751');
    // 750 times 0.8.
    expect(column).toBe('600');
  });

  it('leave out the double-tap zoom, and only that', () => {
    expect(css('base.css')).toMatch(/html {[^}]*touch-action: manipulation;/);
    expect(readFileSync('index.html', 'utf8')).not.toMatch(/user-scalable|maximum-scale/);
  });
});
