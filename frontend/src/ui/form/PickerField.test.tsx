import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { PickerField } from './PickerField';

const options = [
  { value: 'a', text: 'Apples' },
  { value: 'p', text: 'Pears' },
] as const;

function Example({ onChange }: { onChange: (value: string) => void }) {
  const [value, setValue] = useState<'a' | 'p'>('a');
  return (
    <PickerField
      label="Fruit"
      options={options}
      value={value}
      onChange={(next) => {
        setValue(next);
        onChange(next);
      }}
    />
  );
}

const field = () => screen.getByRole('button', { name: /^Fruit/ });
const sheet = () => within(screen.getByRole('dialog', { name: 'Fruit' }));

describe('PickerField', () => {
  it('shows what is chosen and takes another once it is confirmed', async () => {
    const onChange = vi.fn();
    render(<Example onChange={onChange} />);
    expect(field()).toHaveTextContent('Apples');
    await userEvent.click(field());
    await userEvent.click(await sheet().findByRole('radio', { name: 'Pears' }));
    expect(onChange).not.toHaveBeenCalled();
    await userEvent.click(sheet().getByRole('button', { name: 'Choose' }));
    expect(onChange).toHaveBeenCalledExactlyOnceWith('p');
    expect(field()).toHaveAccessibleName('Fruit: Pears');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('keeps what was chosen when the wheel is left', async () => {
    const onChange = vi.fn();
    render(<Example onChange={onChange} />);
    await userEvent.click(field());
    await userEvent.click(await sheet().findByRole('radio', { name: 'Pears' }));
    await userEvent.keyboard('{Escape}');
    expect(onChange).not.toHaveBeenCalled();
    expect(field()).toHaveTextContent('Apples');
  });
});
