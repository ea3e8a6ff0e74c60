import type { ReactNode } from 'react';
import VantCircle from 'react-vant/es/circle/Circle.js';
import styles from './Ring.module.css';

type Props = {
  /** How much of the ring is filled, 0 to 100. */
  value: number;
  label: string;
  /** Stands in the middle. */
  children: ReactNode;
};

/** A figure between a lowest and a highest; `label` names it for screen readers. */
export function Ring({ value, label, children }: Props) {
  return (
    <div
      className={styles.ring}
      role="progressbar"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      {/* Without a speed, the ring appears at once instead of being animated. */}
      <VantCircle
        rate={value}
        speed={0}
        strokeWidth={80}
        // A round end would be seen where nothing is filled.
        strokeLinecap={value > 0 ? 'round' : 'butt'}
        size={112}
      >
        <div className={styles.middle}>{children}</div>
      </VantCircle>
    </div>
  );
}
