import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DayRangeFields } from '@/shared/days/DayRangeFields';
import { rangeOf } from '@/shared/days/days';
import { RadioList } from '@/ui/form/RadioList';
import { anyTime, type PutTime } from './plan-filter';

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
        <DayRangeFields
          days={days}
          onChange={change}
          error={range === null ? t('plans.filter.backwards') : null}
        />
      )}
    </>
  );
}

function timeOf({ within, from, to }: PutTime): Time {
  return within ?? (from || to ? 'range' : 'any');
}
