import { useTranslation } from 'react-i18next';
import styles from './DayRangeFields.module.css';
import { isFarAhead } from './days';
import { MomentField } from './MomentField';

type Range = { from: string; to: string };
type Props = {
  days: Range;
  onChange: (part: Partial<Range>) => void;
  /** The problem of the range, shown at the last day. */
  error: string | null;
};

/** The first day and the last one, each chosen from the phone's own calendar. */
export function DayRangeFields({ days, onChange, error }: Props) {
  const { t } = useTranslation();
  const { from, to } = days;
  const slip = (day: string) => isFarAhead(day) && t('plans.schedule.problem.too_far_ahead');
  const field = (end: keyof Range, problem: string | null | false) => (
    <MomentField
      label={t(`plans.filter.day.${end}`)}
      type="date"
      value={days[end]}
      onChange={(typed) => onChange({ [end]: typed })}
      error={problem || null}
    />
  );
  return (
    <div className={styles.days}>
      {field('from', slip(from))}
      {field('to', slip(to) || (!isFarAhead(from) && error))}
    </div>
  );
}
