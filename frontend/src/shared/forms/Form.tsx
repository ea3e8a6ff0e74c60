import type { ComponentProps } from 'react';
import styles from './Form.module.css';

type Props = ComponentProps<'form'> & {
  /** What is wrong with it that none of its fields can say. */
  problem: string | undefined;
};

/** Draws a form of `useForm`. The problem is beside the button that was pressed, below all fields. */
export function Form({ problem, children, ...props }: Props) {
  return (
    <form {...props}>
      {children}
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </form>
  );
}
