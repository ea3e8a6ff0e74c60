import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PICKER_OPTION_HEIGHT, PICKER_VISIBLE_OPTIONS } from '@/ui/constants';
import { Button } from '@/ui/controls/Button';
import { Icon } from '@/ui/display/Icon';
import { Sheet } from '@/ui/layers/Sheet';
import { Field, type FieldProps } from './Field';
import styles from './Field.module.css';

// The wheel weighs more than the page around it, and is not needed before somebody chooses.
const Picker = lazy(async () => ({ default: (await import('./Picker')).Picker<string> }));
const room = { minHeight: PICKER_OPTION_HEIGHT * PICKER_VISIBLE_OPTIONS };

type Props<V extends string> = FieldProps & {
  options: readonly { value: V; text: string }[];
  value: V;
  onChange: (value: V) => void;
};

/** A choice among many: the field shows what is chosen and opens the wheel to choose another. */
export function PickerField<V extends string>({
  label,
  error,
  hint,
  options,
  value,
  onChange,
}: Props<V>) {
  const { t } = useTranslation();
  const [picked, setPicked] = useState<V | null>(null);
  const shown = options.find((option) => option.value === value)?.text ?? '';
  const close = () => setPicked(null);
  const confirm = () => {
    if (picked !== null && picked !== value) onChange(picked);
    close();
  };
  return (
    <Field label={label} error={error} hint={hint} after={<Icon name="down" size={18} />}>
      {(described) => (
        <>
          <button
            {...described}
            type="button"
            className={styles.choice}
            aria-haspopup="dialog"
            aria-label={`${label}: ${shown}`}
            onClick={() => setPicked(value)}
          >
            {shown}
          </button>
          <Sheet
            open={picked !== null}
            title={label}
            onClose={close}
            actions={<Button onClick={confirm}>{t('ui.choose')}</Button>}
          >
            <div style={room}>
              <Suspense>
                <Picker
                  label={label}
                  options={options}
                  value={picked ?? value}
                  onChange={(next) => setPicked(next as V)}
                />
              </Suspense>
            </div>
          </Sheet>
        </>
      )}
    </Field>
  );
}
