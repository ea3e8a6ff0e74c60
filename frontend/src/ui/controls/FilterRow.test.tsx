import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FilterRow } from './FilterRow';

const options = ['one', 'two', 'three'].map((value) => ({ value, label: `The ${value}` }));

function Example({ first, scrolls }: { first: string; scrolls?: boolean }) {
  const [value, setValue] = useState(first);
  return (
    <FilterRow
      legend="Examples"
      options={options}
      value={value}
      onChange={setValue}
      scrolls={scrolls}
    />
  );
}

afterEach(() => vi.restoreAllMocks());

const row = () => screen.getByRole('radio', { name: 'The one' }).closest('div') as HTMLElement;

describe('FilterRow', () => {
  it('shows what is chosen in the middle of a row that scrolls', async () => {
    const from = vi.spyOn(HTMLElement.prototype, 'offsetLeft', 'get').mockReturnValue(400);
    vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(100);
    vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(300);
    render(<Example first="three" scrolls />);
    expect(row().scrollLeft).toBe(300);
    from.mockReturnValue(120);
    await userEvent.click(screen.getByRole('radio', { name: 'The two' }));
    expect(screen.getByRole('radio', { name: 'The two' })).toBeChecked();
    expect(row().scrollLeft).toBe(20);
  });

  it('leaves a row that wraps where it is', () => {
    vi.spyOn(HTMLElement.prototype, 'offsetLeft', 'get').mockReturnValue(400);
    render(<Example first="three" />);
    expect(row().scrollLeft).toBe(0);
  });
});
