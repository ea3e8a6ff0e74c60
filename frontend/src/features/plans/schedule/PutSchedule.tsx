import { useTranslation } from 'react-i18next';
import { SwitchField } from '@/ui/form/SwitchField';
import { ScheduleFields, type ScheduleValues } from './ScheduleFields';
import { noSchedule, problemsOf, refusedAt, valuesOf } from './use-schedule';

type Props = {
  value: ScheduleValues | null;
  /** Why the put was refused. */
  failure: Error | null | undefined;
  onChange: (value: ScheduleValues | null) => void;
};

/**
 * The choice between showing a plan at once and at all hours, or from a start to an end in some
 * hours.
 */
export function PutSchedule({ value, failure, onChange }: Props) {
  const { t } = useTranslation();
  const problems: Partial<ReturnType<typeof problemsOf>> = value ? problemsOf(value) : {};
  const refused = refusedAt(failure);
  const field = (name: keyof ScheduleValues) => {
    const problem = problems[name];
    return {
      value: value?.[name] ?? '',
      error: problem ? t(problem) : refused[name],
      onChange: (typed: string) => value && onChange({ ...value, [name]: typed }),
    };
  };
  return (
    <>
      <SwitchField
        label={t('plans.schedule.title')}
        hint={t('plans.schedule.intro')}
        checked={value !== null}
        onChange={(checked) => onChange(checked ? valuesOf(noSchedule) : null)}
      />
      {value && <ScheduleFields field={field} withStart />}
    </>
  );
}
