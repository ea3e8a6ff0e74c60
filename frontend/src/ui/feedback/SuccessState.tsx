import { type ReactNode, useEffect, useRef } from 'react';
import { Icon } from '@/ui/display/Icon';
import { State } from './State';
import styles from './State.module.css';

type Props = { title: string; description?: string; action?: ReactNode };

/** Reports success, and what can be done next. It takes the focus of the form that it replaces. */
export function SuccessState({ title, description, action }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const sign = (
    <span className={styles.success}>
      <Icon name="check" size={30} />
    </span>
  );
  const words = (
    <h2 ref={heading} tabIndex={-1} className={styles.title}>
      {title}
    </h2>
  );
  return (
    <State picture={sign} title={words} description={description}>
      {action}
    </State>
  );
}
