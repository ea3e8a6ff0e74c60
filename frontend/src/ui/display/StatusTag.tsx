import type { ReactNode } from 'react';
import VantTag from 'react-vant/es/tag/Tag.js';
import { classNames } from '@/ui/class-names';
import styles from './StatusTag.module.css';

export type Tone = 'neutral' | 'accent' | 'positive' | 'warning' | 'negative';

/** A state in a word; the tone only underlines what the word says. */
export function StatusTag({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <VantTag round size="medium" className={classNames(styles.tag, styles[tone])}>
      {children}
    </VantTag>
  );
}
