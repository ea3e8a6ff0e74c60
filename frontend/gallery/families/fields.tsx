import { Field } from '@/ui/form/Field';
import { LongTextField } from '@/ui/form/LongTextField';
import { PasswordField } from '@/ui/form/PasswordField';
import { SearchField } from '@/ui/form/SearchField';
import { TextField } from '@/ui/form/TextField';
import { AmountField } from '@/ui/money/AmountField';
import { AvailableHint } from '@/ui/money/AvailableHint';
import type { Entry } from '../entry';
import { Held } from '../Held';
import { long } from '../samples';

type Given = { start?: string; error?: string; hint?: string; disabled?: boolean; label?: string };

function Name({ start = '', label = 'Name', ...rest }: Given) {
  return (
    <Held start={start}>
      {(value, change) => <TextField {...rest} label={label} value={value} onChange={change} />}
    </Held>
  );
}

function Story({ start = '', ...rest }: Given) {
  return (
    <Held start={start}>
      {(value, change) => (
        <LongTextField {...rest} label="What happened" value={value} onChange={change} />
      )}
    </Held>
  );
}

function Amount({ start = '', label = 'Amount', ...rest }: Given) {
  return (
    <Held start={start}>
      {(value, change) => <AmountField {...rest} label={label} value={value} onChange={change} />}
    </Held>
  );
}

function Available({ amount, text = 'Available: $12,500.00' }: { amount: string; text?: string }) {
  return <AvailableHint text={text} take="All" amount={amount} onTake={() => {}} />;
}

function Password({ start = '', label = 'Password', ...rest }: Given) {
  return (
    <Held start={start}>
      {(value, change) => (
        <PasswordField
          {...rest}
          label={label}
          autoComplete="current-password"
          value={value}
          onChange={change}
        />
      )}
    </Held>
  );
}

export const fields: readonly Entry[] = [
  {
    component: 'TextField',
    and: ['Input'],
    states: {
      empty: () => <Name hint="As it stands on the card" />,
      filled: () => <Name start="Lena Vogt" />,
      focused: () => <Name start="Lena Vogt" />,
      error: () => <Name start="?" error="Type the name as it stands on the card." />,
      disabled: () => <Name start="Lena Vogt" disabled />,
      'long text': () => <Name start={long} label={long} hint={long} error={long} />,
    },
  },
  {
    component: 'SearchField',
    states: {
      // A page has one search; two without names of their own would be one barrier.
      'long text': () => <SearchField label={long} value={long} onSearch={() => {}} />,
    },
  },
  {
    component: 'LongTextField',
    states: {
      empty: () => <Story />,
      filled: () => <Story start={`${long}\n\n${long}`} />,
      focused: () => <Story start={long} />,
      error: () => <Story error="Tell us what happened." />,
      disabled: () => <Story start={long} disabled />,
    },
  },
  {
    component: 'AmountField',
    states: {
      empty: () => <Amount hint="At least $10.00" />,
      filled: () => <Amount start="12500.00" />,
      focused: () => <Amount start="12.50" />,
      error: () => <Amount start="1" error="At least $10.00." />,
      disabled: () => <Amount start="12.50" disabled />,
      'long text': () => <Amount start="9999999999999.99" label={long} hint={long} />,
    },
  },
  {
    component: 'AvailableHint',
    states: {
      'with something to take': () => <Available amount="12500.00" />,
      disabled: () => <Available amount="0" />,
      'long text': () => <Available amount="12500.00" text={long} />,
    },
  },
  {
    component: 'PasswordField',
    states: {
      empty: () => <Password />,
      filled: () => <Password start="correct horse" />,
      focused: () => <Password start="correct horse" />,
      error: () => <Password start="1234" error="Use eight characters or more." />,
      disabled: () => <Password start="correct horse" disabled />,
    },
  },
  {
    component: 'Field',
    states: {
      'around an input of its own': () => (
        <Field label="Day" hint="The day on which it was paid">
          {(described) => <input {...described} type="date" />}
        </Field>
      ),
      error: () => (
        <Field label="Day" error="Choose a day.">
          {(described) => <input {...described} type="date" />}
        </Field>
      ),
    },
  },
];
