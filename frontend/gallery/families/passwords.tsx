import { PinField } from '@/ui/pin/PinField';
import { PinPad } from '@/ui/pin/PinPad';
import type { Entry } from '../entry';
import { Held } from '../Held';
import { nothing } from '../samples';

type Given = { start?: string; error?: string; disabled?: boolean };

function Digits({ start = '', ...rest }: Given) {
  return (
    <Held start={start}>
      {(value, change) => (
        <PinField {...rest} label="Transaction password" value={value} onChange={change} />
      )}
    </Held>
  );
}

/** TransactionPasswordDialog is among the layers. */
export const passwords: readonly Entry[] = [
  {
    component: 'PinField',
    states: {
      empty: () => <Digits />,
      'half typed': () => <Digits start="123" />,
      complete: () => <Digits start="123456" />,
      focused: () => <Digits start="123" />,
      error: () => <Digits error="Wrong. Two tries are left." />,
      disabled: () => <Digits start="123456" disabled />,
    },
  },
  {
    component: 'PinPad',
    states: {
      plain: () => <PinPad value="" onChange={nothing} />,
      focused: () => <PinPad value="" onChange={nothing} />,
      disabled: () => <PinPad value="" onChange={nothing} disabled />,
    },
  },
];
