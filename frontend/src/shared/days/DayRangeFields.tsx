import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { halfTyped } from '@/shared/forms/use-form';
import styles from './DayRangeFields.module.css';
import { isFarAhead } from './days';
import { MomentField } from './MomentField';

type Range = { from: string; to: string };
type Props = {
  days: Range;
  /** A day that is typed by half is empty in `part`, and `complete` is false. */
  onChange: (part: Partial<Range>, complete: boolean) => void;
  /** The problem of the range, shown at the last day. */
  error: string | null;
};

/** The first day and the last one, each chosen from the phone's own calendar. */
export function DayRangeFields({ days, onChange, error }: Props) {
  const { t } = useTranslation();
  const fields = useRef<HTMLDivElement>(null);
  const held = useRef(false);
  const change = (part: Partial<Range>) => {
    held.current = halfTyped(fields.current).length > 0;
    onChange(part, !held.current);
  };
  const { from, to } = days;
  const slip = (day: string) => isFarAhead(day) && t('plans.schedule.problem.too_far_ahead');
  const field = (end: keyof Range, problem: string | null | false) => (
    <MomentField
      label={t(`plans.filter.day.${end}`)}
      type="date"
      value={days[end]}
      onChange={(typed) => change({ [end]: typed })}
      error={problem || null}
      // A browser does not tell that the rest of a half-typed day was cleared.
      onBlur={() => held.current && change({})}
    />
  );
  return (
    <div ref={fields} className={styles.days}>
      {field('from', slip(from))}
      {field('to', slip(to) || (!isFarAhead(from) && error))}
    </div>
  );
}
