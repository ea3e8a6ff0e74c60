import { Fragment } from 'react';
import styles from './Parts.module.css';

/** Short texts with a dot between them, which is left out where a line ends. */
export function Parts({ parts }: { parts: readonly string[] }) {
  return (
    <span className={styles.parts}>
      {parts.map((part) => (
        <Fragment key={part}>
          <span>{part}</span>{' '}
        </Fragment>
      ))}
    </span>
  );
}
