import { render } from '@testing-library/react';
import VantPicker from 'react-vant/es/picker/Picker.js';
import { expect, it, vi } from 'vitest';
import { Picker } from './Picker';

vi.mock('react-vant/es/picker/Picker.js', () => ({ default: vi.fn(() => null) }));

it('lets a swipe of the wheel run for the specified time', () => {
  render(
    <Picker label="Pick" options={[{ value: 'a', text: 'a' }]} value="a" onChange={() => {}} />,
  );
  const [props] = vi.mocked(VantPicker).mock.calls[0] ?? [];
  expect(props).toMatchObject({ swipeDuration: 1000, itemHeight: 44, visibleItemCount: 6 });
});
