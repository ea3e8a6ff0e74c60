import type { ReactNode } from 'react';
import VantDivider from 'react-vant/es/divider/Divider.js';
import styles from './Divider.module.css';

/** A line between two things that go together, with a word on it where that says more. */
export function Divider({ children }: { children?: ReactNode }) {
  return <VantDivider className={styles.divider}>{children}</VantDivider>;
}
