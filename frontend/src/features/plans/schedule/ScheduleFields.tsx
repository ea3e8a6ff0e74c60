import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextField } from '@/ui/form/TextField';
import { HoursField } from './HoursField';
import { type Preset, presetOf } from './hours';
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
          <TextField
            label={t('plans.schedule.start')}
            hint={t('plans.schedule.startHint')}
            type="datetime-local"
            {...field('begins_at')}
          />
        )}
        <TextField
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
