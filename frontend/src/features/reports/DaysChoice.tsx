import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { serverDate } from '@/api/server-clock';
import { DayRangeFields } from '@/shared/days/DayRangeFields';
import { FilterRow } from '@/ui/controls/FilterRow';
import {
  type DayRange,
  mostDays,
  type Preset,
  presets,
  rangeOfDays,
  rangeProblem,
} from './report-choice';

type Props = { days: Preset | DayRange; onChange: (days: Preset | DayRange) => void };

const choices = [...presets, 'range'] as const;

/** Days that go with the calendar, or any others. */
export function DaysChoice({ days, onChange }: Props) {
  const { t } = useTranslation();
  // Typed days that are not a valid range, until other days are chosen.
  const [draft, setDraft] = useState<{ days: string; range: DayRange } | null>(null);
  const current = JSON.stringify(days);
  const range = draft?.days === current ? draft.range : rangeOfDays(days, serverDate());
  const problem = rangeProblem(range.from, range.to);

  const type = (part: Partial<DayRange>) => {
    const next = { ...range, ...part };
    setDraft({ days: current, range: next });
    if (rangeProblem(next.from, next.to) === null) onChange(next);
  };
  const said = {
    missing: null,
    backwards: t('plans.filter.backwards'),
    tooMany: t('reports.tooMany', { most: mostDays }),
  };
  return (
    <>
      <FilterRow
        scrolls
        legend={t('reports.days')}
        options={choices.map((value) => ({ value, label: t(`reports.presets.${value}`) }))}
        value={typeof days === 'string' ? days : 'range'}
        // Custom days begin with the days that are shown.
        onChange={(next) => onChange(next === 'range' ? range : next)}
      />
      {typeof days !== 'string' && (
        <DayRangeFields days={range} onChange={type} error={problem && said[problem]} />
      )}
    </>
  );
}
