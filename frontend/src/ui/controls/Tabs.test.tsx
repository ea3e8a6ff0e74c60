import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { Tabs } from './Tabs';

const tabs = [
  { key: 'one', label: 'One' },
  { key: 'two', label: 'Two', badge: 128 },
  { key: 'three', label: 'Three' },
] as const;

type Key = (typeof tabs)[number]['key'];

function Example({ first = 'one' }: { first?: Key }) {
  const [value, setValue] = useState<Key>(first);
  return (
    <Tabs label="Examples" tabs={tabs} value={value} onChange={setValue}>
      Panel of {value}
    </Tabs>
  );
}

describe('Tabs', () => {
  it('name the chosen tab’s panel', async () => {
    render(<Example />);
    await userEvent.click(screen.getByRole('tab', { name: /Two/ }));
    expect(screen.getByRole('tabpanel', { name: /Two/ })).toHaveTextContent('Panel of two');
    expect(screen.getByRole('tab', { name: /Two/ })).toHaveAttribute('aria-selected', 'true');
  });

  it('are one stop of the Tab key and move by arrows, round the ends', async () => {
    render(<Example />);
    await userEvent.tab();
    expect(screen.getByRole('tab', { name: 'One' })).toHaveFocus();
    await userEvent.keyboard('{ArrowLeft}');
    expect(screen.getByRole('tab', { name: 'Three' })).toHaveFocus();
    expect(screen.getByRole('tabpanel')).toHaveTextContent('Panel of three');
    await userEvent.keyboard('{ArrowRight}{ArrowRight}');
    expect(screen.getByRole('tab', { name: /Two/ })).toHaveFocus();
    await userEvent.keyboard('{End}');
    expect(screen.getByRole('tab', { name: 'Three' })).toHaveFocus();
    await userEvent.keyboard('{Home}');
    expect(screen.getByRole('tab', { name: 'One' })).toHaveFocus();
  });

  it('count to 99+', () => {
    render(<Example />);
    expect(screen.getByRole('tab', { name: /Two/ })).toHaveTextContent('99+');
  });

  it('show the chosen one in the middle, also to who opens the page on it', async () => {
    const from = vi.spyOn(HTMLElement.prototype, 'offsetLeft', 'get').mockReturnValue(400);
    const width = vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(100);
    const room = vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(300);
    render(<Example first="three" />);
    expect(screen.getByRole('tablist').scrollLeft).toBe(300);
    from.mockReturnValue(200);
    await userEvent.click(screen.getByRole('tab', { name: /Two/ }));
    expect(screen.getByRole('tablist').scrollLeft).toBe(100);
    for (const spy of [from, width, room]) spy.mockRestore();
  });
});
