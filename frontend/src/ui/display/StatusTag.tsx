import type { ReactNode } from 'react';
import { classNames } from '@/ui/class-names';
import styles from './StatusTag.module.css';

export type Tone = 'neutral' | 'accent' | 'positive' | 'warning' | 'negative';

/** A state in a word; the tone only underlines what the word says. */
export function StatusTag({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={classNames(styles.tag, styles[tone])}>{children}</span>;
}
