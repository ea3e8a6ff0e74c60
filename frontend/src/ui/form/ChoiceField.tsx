import type { ReactNode } from 'react';
import { Icon } from '@/ui/display/Icon';
import { Field, type FieldProps } from './Field';
import styles from './Field.module.css';

type Props = FieldProps & {
  id?: string;
  /** What is chosen now. */
  shown: string;
  onOpen: () => void;
  /** The layer it opens. */
  children: ReactNode;
};

/** Shows what is chosen, and opens what there is to choose from. */
export function ChoiceField({ label, error, hint, id, shown, onOpen, children }: Props) {
  return (
    <Field label={label} error={error} hint={hint} id={id} after={<Icon name="down" size={18} />}>
      {(described) => (
        <>
          <button
            {...described}
            type="button"
            className={styles.choice}
            aria-haspopup="dialog"
            aria-label={`${label}: ${shown}`}
            onClick={onOpen}
          >
            {shown}
          </button>
          {children}
        </>
      )}
    </Field>
  );
}
