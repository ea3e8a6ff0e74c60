import type { ComponentProps } from 'react';
import { Button } from '@/ui/controls/Button';
import styles from './Form.module.css';

type Props = ComponentProps<'form'> & {
  /** The problem of the form that belongs to none of its fields. */
  problem: string | undefined;
  busy: boolean;
  /** The text of its button, where that stands below all fields. */
  submit?: string;
};

/** Draws a form of `useForm`. The problem is beside the button that was pressed, below all fields. */
export function Form({ problem, busy, submit, children, ...props }: Props) {
  return (
    <form className={styles.form} {...props}>
      {children}
      {submit && (
        <Button type="submit" loading={busy}>
          {submit}
        </Button>
      )}
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </form>
  );
}
