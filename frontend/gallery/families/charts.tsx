import { formatMarks } from '@/i18n/format';
import { AreaChart, type ChartPoint } from '@/ui/charts/AreaChart';
import { BarChart } from '@/ui/charts/BarChart';
import { ChartTable } from '@/ui/charts/ChartTable';
import { ProgressBar } from '@/ui/charts/ProgressBar';
import { Ring } from '@/ui/charts/Ring';
import { Sparkline } from '@/ui/charts/Sparkline';
import { StackedBar, StackedDot } from '@/ui/charts/StackedBar';
import type { Entry } from '../entry';
import { Held } from '../Held';
import { long } from '../samples';

const names = ['Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec', 'Jan', 'Feb'];
const bars = names.map((label, at) => ({
  key: label,
  label,
  name: `${label} 2026`,
  values: [at * 120, (9 - at) * 80],
  texts: [`$${at * 120}.00`, `$${(9 - at) * 80}.00`],
}));
const series = [
  { label: 'Income', tone: 'accent' },
  { label: 'Expense', tone: 'muted' },
] as const;

type Given = { shown?: typeof bars; start?: string; legend?: typeof series };

function Months({ shown = bars, start = 'Feb' }: Given) {
  return (
    <Held start={start}>
      {(selected, select) => (
        <BarChart
          label="Months"
          bars={shown}
          series={series}
          selected={selected}
          onSelect={select}
        />
      )}
    </Held>
  );
}

function Table() {
  return <ChartTable caption="Months" columns={['Month', 'Income', 'Expense']} rows={bars} />;
}

const parts = [0, 1, 2, 3, 4, 5].map((tone) => ({ key: `${tone}`, value: 6 - tone, tone }));

const hours: ChartPoint[] = [2, 4.5, 3, 7.5, 6].map((value, at) => ({
  label: `${String(8 + at).padStart(2, '0')}:00`,
  value,
  text: `$${value.toFixed(2)}`,
}));
const compared = hours.map((hour) => ({
  ...hour,
  before: { value: hour.value / 2, text: `$${(hour.value / 2).toFixed(2)}` },
}));

function Area({ points = hours }: { points?: ChartPoint[] }) {
  return (
    <AreaChart
      points={points}
      label="Revenue over time"
      total={{ label: 'Revenue today', text: '$23.00' }}
      markTexts={(marks) => formatMarks(marks, 'money')}
      whole={false}
      beforeLabel="Before"
      openLabel={(point) => `${point}: what is behind it`}
      onOpen={() => {}}
    />
  );
}

export const charts: readonly Entry[] = [
  {
    component: 'AreaChart',
    states: {
      data: () => <Area />,
      compared: () => <Area points={compared} />,
      'one point': () => <Area points={hours.slice(0, 1)} />,
      'all at nothing': () => <Area points={hours.map((hour) => ({ ...hour, value: 0 }))} />,
      losses: () => <Area points={hours.map((hour) => ({ ...hour, value: 3 - hour.value }))} />,
      empty: () => <Area points={[]} />,
    },
  },
  {
    component: 'BarChart',
    states: {
      data: () => <Months />,
      focused: () => <Months start="Jun" />,
      'one month': () => <Months shown={bars.slice(-1)} />,
      'all at nothing': () => <Months shown={bars.map((bar) => ({ ...bar, values: [0, 0] }))} />,
      empty: () => <Months shown={[]} />,
      'long text': () => (
        <Months shown={bars.map((bar) => ({ ...bar, label: `${bar.label} 2026` }))} />
      ),
    },
  },
  {
    component: 'ChartTable',
    states: {
      hidden: () => <Table />,
      focused: () => <Table />,
    },
  },
  {
    component: 'StackedBar',
    and: ['StackedDot'],
    states: {
      data: () => <StackedBar parts={parts} />,
      'one part': () => <StackedBar parts={parts.slice(0, 1)} />,
      empty: () => <StackedBar parts={[]} />,
      legend: () => (
        <>
          {parts.map(({ key, tone }) => (
            <p key={key}>
              <StackedDot tone={tone} />
              Part {tone + 1}
            </p>
          ))}
        </>
      ),
      'long legend': () => (
        <p>
          <StackedDot tone={0} />
          {long}
        </p>
      ),
    },
  },
  {
    component: 'Ring',
    states: {
      half: () => (
        <Ring value={50} label="Score">
          <strong>500</strong>
        </Ring>
      ),
      empty: () => (
        <Ring value={0} label="Score">
          0
        </Ring>
      ),
    },
  },
  {
    component: 'Sparkline',
    states: {
      gain: () => <Sparkline values={[0, -4, 2, 8, 12]} tone="gain" />,
      loss: () => <Sparkline values={[0, 3, -2, -6, -9]} tone="loss" />,
      'two points': () => <Sparkline values={[0, 5]} tone="gain" />,
      'one point': () => <Sparkline values={[5]} tone="gain" />,
      'all at nothing': () => <Sparkline values={[0, 0, 0]} tone="even" />,
      empty: () => <Sparkline values={[]} tone="even" />,
    },
  },
  {
    component: 'ProgressBar',
    states: {
      none: () => <ProgressBar label="Consumed" value={0} />,
      half: () => <ProgressBar label="Consumed" value={50} />,
      full: () => <ProgressBar label="Consumed" value={100} />,
      'behind its pace': () => (
        <ProgressBar label="Consumed" value={30} mark={60} text="30 of 60" />
      ),
    },
  },
];
