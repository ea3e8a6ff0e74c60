import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PICKER_OPTION_HEIGHT, PICKER_VISIBLE_OPTIONS } from '@/ui/constants';
import { Button } from '@/ui/controls/Button';
import { Loading } from '@/ui/feedback/Loading';
import { Sheet } from '@/ui/layers/Sheet';
import { ChoiceField } from './ChoiceField';
import type { FieldProps } from './Field';

// The wheel weighs more than the page around it, and is not needed before somebody chooses.
const Picker = lazy(async () => ({ default: (await import('./Picker')).Picker<string> }));
const room = { height: PICKER_OPTION_HEIGHT * PICKER_VISIBLE_OPTIONS };

type Props<V extends string> = FieldProps & {
  options: readonly { value: V; text: string }[];
  value: V;
  onChange: (value: V) => void;
};

/** A choice among many, on a wheel. */
export function PickerField<V extends string>({ options, value, onChange, ...field }: Props<V>) {
  const { t } = useTranslation();
  const [picked, setPicked] = useState<V | null>(null);
  const shown = options.find((option) => option.value === value)?.text ?? '';
  const close = () => setPicked(null);
  const confirm = () => {
    if (picked !== null && picked !== value) onChange(picked);
    close();
  };
  return (
    <ChoiceField {...field} shown={shown} onOpen={() => setPicked(value)}>
      <Sheet
        open={picked !== null}
        title={field.label}
        onClose={close}
        actions={<Button onClick={confirm}>{t('ui.choose')}</Button>}
      >
        <div style={room}>
          <Suspense fallback={<Loading />}>
            <Picker
              label={field.label}
              options={options}
              value={picked ?? value}
              onChange={(next) => setPicked(next as V)}
            />
          </Suspense>
        </div>
      </Sheet>
    </ChoiceField>
  );
}
