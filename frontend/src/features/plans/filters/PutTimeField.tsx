import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RadioList } from '@/ui/form/RadioList';
import { TextField } from '@/ui/form/TextField';
import styles from './PutTimeField.module.css';
import { anyTime, type PutTime, rangeOf } from './plan-filter';

type Props = { value: PutTime; onChange: (time: PutTime) => void };

const times = ['any', '7', '30', 'range'] as const;
type Time = (typeof times)[number];

/** When the amount was put: at any time, lately, or between two days, of which either may be open. */
export function PutTimeField({ value, onChange }: Props) {
  const { t } = useTranslation();
  const [time, setTime] = useState<Time>(timeOf(value));
  const [days, setDays] = useState({ from: value.from ?? '', to: value.to ?? '' });
  const range = rangeOf(days.from, days.to);

  const choose = (chosen: Time) => {
    setTime(chosen);
    if (chosen === '7' || chosen === '30') onChange({ within: chosen, from: null, to: null });
    else onChange(chosen === 'range' && range ? { within: null, ...range } : anyTime);
  };
  const change = (part: Partial<typeof days>) => {
    const next = { ...days, ...part };
    setDays(next);
    const read = rangeOf(next.from, next.to);
    if (read) onChange({ within: null, ...read });
  };
  const day = (end: 'from' | 'to', error?: string | false) => (
    <TextField
      label={t(`plans.filter.day.${end}`)}
      type="date"
      value={days[end]}
      onChange={(typed) => change({ [end]: typed })}
      error={error || null}
    />
  );
  return (
    <>
      <RadioList
        legend={t('plans.filter.put')}
        options={times.map((one) => ({ value: one, content: t(`plans.filter.time.${one}`) }))}
        value={time}
        onChange={choose}
        dense
      />
      {time === 'range' && (
        <div className={styles.days}>
          {day('from')}
          {day('to', range === null && t('plans.filter.backwards'))}
        </div>
      )}
    </>
  );
}

function timeOf({ within, from, to }: PutTime): Time {
  return within ?? (from || to ? 'range' : 'any');
}
