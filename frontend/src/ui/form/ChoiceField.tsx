import type { ReactNode } from 'react';
import { Icon } from '@/ui/display/Icon';
import { Field, type FieldProps } from './Field';
import styles from './Field.module.css';

type Props = FieldProps & {
  /** The current choice. */
  shown: string;
  onOpen: () => void;
  /** The layer it opens. */
  children: ReactNode;
};

/** Shows what is chosen, and opens what there is to choose from. */
export function ChoiceField({ shown, onOpen, children, ...field }: Props) {
  return (
    <Field {...field} after={<Icon name="down" size={18} />}>
      {(described) => (
        <>
          <button
            {...described}
            type="button"
            className={styles.choice}
            aria-haspopup="dialog"
            aria-label={`${field.label}: ${shown}`}
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
