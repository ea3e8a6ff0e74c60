import { render } from '@testing-library/react';
import { Picker as VantPicker } from 'react-vant';
import { expect, it, vi } from 'vitest';
import { Picker } from './Picker';

vi.mock('react-vant', () => ({ Picker: vi.fn(() => null) }));

it('lets a swipe of the wheel run for the specified time', () => {
  render(
    <Picker label="Pick" options={[{ value: 'a', text: 'a' }]} value="a" onChange={() => {}} />,
  );
  const [props] = vi.mocked(VantPicker).mock.calls[0] ?? [];
  expect(props).toMatchObject({ swipeDuration: 1000, itemHeight: 44, visibleItemCount: 6 });
});
