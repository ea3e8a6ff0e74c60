import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { Tabs } from './Tabs';

const tabs = [
  { key: 'one', label: 'One' },
  { key: 'two', label: 'Two', badge: 128 },
  { key: 'three', label: 'Three' },
] as const;

function Example() {
  const [value, setValue] = useState<(typeof tabs)[number]['key']>('one');
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
});
