import { useTranslation } from 'react-i18next';
import { TextField } from '@/ui/form/TextField';
import styles from './DayRangeFields.module.css';

type Range = { from: string; to: string };
type Props = {
  days: Range;
  onChange: (part: Partial<Range>) => void;
  /** What is wrong with the last one. */
  error: string | null;
};

/** The first day and the last one, each chosen from the phone's own calendar. */
export function DayRangeFields({ days, onChange, error }: Props) {
  const { t } = useTranslation();
  const field = (end: keyof Range, problem: string | null) => (
    <TextField
      label={t(`plans.filter.day.${end}`)}
      type="date"
      value={days[end]}
      onChange={(typed) => onChange({ [end]: typed })}
      error={problem}
    />
  );
  return (
    <div className={styles.days}>
      {field('from', null)}
      {field('to', error)}
    </div>
  );
}
