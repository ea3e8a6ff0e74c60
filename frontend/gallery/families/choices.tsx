import { useEffect, useRef } from 'react';
import { FilterRow } from '@/ui/controls/FilterRow';
import { Tabs } from '@/ui/controls/Tabs';
import { Card } from '@/ui/display/Card';
import { Picker } from '@/ui/form/Picker';
import { PickerField } from '@/ui/form/PickerField';
import { RadioList } from '@/ui/form/RadioList';
import { SelectField } from '@/ui/form/SelectField';
import { SwitchField } from '@/ui/form/SwitchField';
import type { Entry } from '../entry';
import { Held } from '../Held';
import { long } from '../samples';

const networks = ['TRON', 'Ethereum', 'Polygon', 'Solana', 'Base', 'Stellar'];
const options = networks.map((name) => ({ value: name, label: name, text: name }));

type Given = { label?: string; error?: string; hint?: string; start?: string };

function Select({ label = 'Network', start = 'TRON', ...rest }: Given) {
  const all = [...options, { value: long, label: long }];
  return (
    <Held start={start}>
      {(value, change) => (
        <SelectField {...rest} label={label} options={all} value={value} onChange={change} />
      )}
    </Held>
  );
}

function PickerBox({ label = 'Network', start = 'TRON', ...rest }: Given) {
  const all = [...options, { value: long, text: long }];
  return (
    <Held start={start}>
      {(value, change) => (
        <PickerField {...rest} label={label} options={all} value={value} onChange={change} />
      )}
    </Held>
  );
}

function OpenedPicker() {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector('button')?.click(), []);
  return (
    <main ref={box}>
      <PickerBox />
    </main>
  );
}

function Radios({ legend = 'Network', names = networks.slice(0, 3), dense = false }) {
  const all = names.map((name) => ({ value: name, content: <span>{name}</span> }));
  return (
    <Held start={names[0] ?? ''}>
      {(value, change) => (
        <RadioList legend={legend} options={all} value={value} onChange={change} dense={dense} />
      )}
    </Held>
  );
}

function Switch({ label = 'Automatic delivery', start = false, hint = '' }) {
  return (
    <Held start={start}>
      {(checked, change) => (
        <SwitchField label={label} hint={hint} checked={checked} onChange={change} />
      )}
    </Held>
  );
}

type TabsGiven = { names: readonly string[]; variant?: 'pills'; badge?: number };

function SomeTabs({ names, variant = undefined, badge = 0 }: TabsGiven) {
  const tabs = names.map((label, at) => ({ key: label, label, badge: at ? badge : 0 }));
  return (
    <Held start={names[0] ?? ''}>
      {(value, change) => (
        <Tabs label="Plans" tabs={tabs} value={value} onChange={change} variant={variant}>
          <p>{value}</p>
        </Tabs>
      )}
    </Held>
  );
}

function Filter({ names, scrolls }: { names: readonly string[]; scrolls?: boolean }) {
  return (
    <Held start={names[0] ?? ''}>
      {(value, change) => (
        <FilterRow
          scrolls={scrolls}
          legend="Plans"
          options={names.map((name) => ({ value: name, label: name }))}
          value={value}
          onChange={change}
        />
      )}
    </Held>
  );
}

const statuses = ['All', 'Running', 'Paused', 'Settled'];
/** The kinds of events in the language with the longest words. */
const kinds = ['Impressionen', 'Sichtbar', 'Klicks', 'Conversions'];

export const choices: readonly Entry[] = [
  {
    component: 'SelectField',
    states: {
      plain: () => <Select hint="Where the coins are sent" />,
      focused: () => <Select />,
      error: () => <Select error="Choose a network." />,
      'long text': () => <Select label={long} start={long} hint={long} />,
    },
  },
  {
    component: 'PickerField',
    and: ['ChoiceField'],
    states: {
      plain: () => <PickerBox hint="Where the coins are sent" />,
      focused: () => <PickerBox />,
      error: () => <PickerBox error="Choose a network." />,
      'long text': () => <PickerBox label={long} start={long} hint={long} />,
    },
  },
  { component: 'PickerField opened', states: { 'on a page': OpenedPicker }, covers: true },
  {
    component: 'Picker',
    states: {
      plain: () => (
        <Held start="Polygon">
          {(value, change) => (
            <Picker label="Network" options={options} value={value} onChange={change} />
          )}
        </Held>
      ),
      focused: () => (
        <Held start="Polygon">
          {(value, change) => (
            <Picker label="Network" options={options} value={value} onChange={change} />
          )}
        </Held>
      ),
    },
  },
  {
    component: 'RadioList',
    states: {
      plain: () => <Radios />,
      focused: () => <Radios />,
      dense: () => <Radios names={networks} dense />,
      'long text': () => <Radios legend={long} names={[long, ...networks]} />,
    },
  },
  {
    component: 'SwitchField',
    and: ['InertDrawing'],
    states: {
      off: () => <Switch hint="Places go to where they convert." />,
      on: () => <Switch start />,
      focused: () => <Switch />,
      'long text': () => <Switch label={long} hint={long} />,
    },
  },
  {
    component: 'FilterRow',
    states: {
      plain: () => <Filter names={statuses} />,
      focused: () => <Filter names={statuses} />,
      scrolling: () => (
        <Card>
          <Filter names={[...statuses, ...networks]} scrolls />
        </Card>
      ),
      'long text': () => <Filter names={[long, ...statuses]} />,
    },
  },
  {
    component: 'Tabs',
    states: {
      segments: () => <SomeTabs names={statuses} />,
      'segments with long text': () => <SomeTabs names={kinds} />,
      pills: () => <SomeTabs names={statuses} variant="pills" />,
      'with counts': () => <SomeTabs names={statuses.slice(0, 2)} badge={120} />,
      focused: () => <SomeTabs names={statuses} />,
      'long text': () => <SomeTabs names={[long, ...statuses]} variant="pills" />,
    },
  },
];
