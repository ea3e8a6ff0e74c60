import { type RefObject, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DayRangeFields } from '@/shared/days/DayRangeFields';
import { rangeOf } from '@/shared/days/days';
import { RadioList } from '@/ui/form/RadioList';
import { anyTime, type PutTime } from './plan-filter';

type Days = { from: string; to: string };

/** Typed days that are no range, for as long as the filter is the one beside which they were typed. */
export type KeptDays = RefObject<{ beside: string; days: Days } | null>;

type Props = { value: PutTime; onChange: (time: PutTime) => void; kept: KeptDays };

const times = ['any', '7', '30', 'range'] as const;
type Time = (typeof times)[number];

/** When the amount was put: at any time, lately, or between two days, of which either may be open. */
export function PutTimeField({ value, onChange, kept }: Props) {
  const { t } = useTranslation();
  const beside = JSON.stringify(value);
  const [again] = useState(() => (kept.current?.beside === beside ? kept.current.days : null));
  const [time, setTime] = useState<Time>(again ? 'range' : timeOf(value));
  const [days, setDays] = useState(again ?? { from: value.from ?? '', to: value.to ?? '' });
  const range = rangeOf(days.from, days.to);

  const choose = (chosen: Time) => {
    kept.current = null;
    setTime(chosen);
    if (chosen === '7' || chosen === '30') onChange({ within: chosen, from: null, to: null });
    else onChange(chosen === 'range' && range ? { within: null, ...range } : anyTime);
  };
  const change = (part: Partial<Days>, complete: boolean) => {
    const next = { ...days, ...part };
    setDays(next);
    const read = complete && rangeOf(next.from, next.to);
    // Half a day cannot be kept: the sheet says so before it closes.
    kept.current = complete && !read ? { beside, days: next } : null;
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
