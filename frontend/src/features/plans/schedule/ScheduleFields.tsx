import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatHour, formatWeekday } from '@/i18n/format';
import { MomentField } from '@/shared/days/MomentField';
import { RadioList } from '@/ui/form/RadioList';
import { SelectField } from '@/ui/form/SelectField';
import {
  hoursOf,
  isClosed,
  type Preset,
  presetNames,
  presetOf,
  presetText,
  readHours,
  type Span,
  spanOf,
  withDay,
} from './hours';
import styles from './Schedule.module.css';

/** Start and end as fields for date and time show them, and hours as a form keeps them. */
export type ScheduleValues = { begins_at: string; ends_at: string; hours: string };

type Field = (name: keyof ScheduleValues) => {
  value: string;
  error?: string | null;
  onChange: (value: string) => void;
};

type Props = {
  field: Field;
  /** Whether a start can still be chosen. */
  withStart: boolean;
};

export function ScheduleFields({ field, withStart }: Props) {
  const { t } = useTranslation();
  const hours = field('hours');
  const [preset, setPreset] = useState<Preset>(() => presetOf(hours.value));
  const choose = (value: string, chosen: Preset) => {
    setPreset(chosen);
    hours.onChange(value);
  };
  return (
    <>
      <div className={styles.ends}>
        {withStart && (
          <MomentField
            label={t('plans.schedule.start')}
            hint={t('plans.schedule.startHint')}
            type="datetime-local"
            {...field('begins_at')}
          />
        )}
        <MomentField
          label={t('plans.schedule.end')}
          hint={t('plans.schedule.endHint')}
          type="datetime-local"
          {...field('ends_at')}
        />
      </div>
      <HoursField value={hours.value} preset={preset} onChange={choose} />
      {hours.error && (
        <p role="alert" className={styles.wrong}>
          {hours.error}
        </p>
      )}
    </>
  );
}

type HoursFieldProps = {
  value: string;
  preset: Preset;
  onChange: (hours: string, preset: Preset) => void;
};

/**
 * The hours of the week in which a plan is shown: some usual presets, or custom hours for each day.
 */
function HoursField({ value, preset, onChange }: HoursFieldProps) {
  const { t } = useTranslation();
  const options = presetNames.map((name) => ({
    value: name,
    content: t(`plans.schedule.preset.${name}`),
  }));
  const choose = (chosen: Preset) => onChange(hoursOf(chosen, value), chosen);
  const change = (day: number, span: Span | null) => onChange(withDay(value, day, span), 'own');
  const text = presetText(preset);
  return (
    <div className={styles.hours}>
      <RadioList
        legend={t('plans.schedule.hours')}
        options={options}
        value={preset}
        onChange={choose}
        dense
      />
      {text && <p className={styles.note}>{text}</p>}
      {preset === 'own' &&
        readHours(value)?.map((open, day) => (
          <DayRow
            key={formatWeekday(day)}
            day={day}
            open={open}
            onChange={(span) => change(day, span)}
          />
        ))}
    </div>
  );
}

type RowProps = { day: number; open: string; onChange: (span: Span | null) => void };

function DayRow({ day, open, onChange }: RowProps) {
  const { t } = useTranslation();
  const span = spanOf(open);
  const name = formatWeekday(day);
  const hour = (n: number) => ({ value: String(n), label: formatHour(n) });
  const starts = [{ value: '', label: t('plans.schedule.closedDay') }, ...hours(0, 23).map(hour)];
  const start = (chosen: string) => {
    if (!chosen) return onChange(null);
    const from = Number(chosen);
    onChange({ from, to: span && span.to > from ? span.to : 24 });
  };
  const ends = span ? hours(span.from + 1, 24).map(hour) : [];
  return (
    <div className={styles.dayRow}>
      <SelectField
        label={t('plans.schedule.from', { day: name })}
        options={starts}
        value={span ? String(span.from) : ''}
        onChange={start}
        hint={!span && !isClosed(open) ? t('plans.schedule.severalTimes') : null}
      />
      {span && (
        <SelectField
          label={t('plans.schedule.until', { day: name })}
          options={ends}
          value={String(span.to)}
          onChange={(chosen) => onChange({ from: span.from, to: Number(chosen) })}
        />
      )}
    </div>
  );
}

const hours = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, n) => first + n);
