import { Scene } from './Scene';
import styles from './Scene.module.css';

/** A ticket with its tear line: no coupons. */
export function CouponsPicture() {
  return (
    <Scene>
      <path
        d="M34 28h80a8 8 0 0 1 8 8v10a9 9 0 0 0 0 18v10a8 8 0 0 1-8 8H34a8 8 0 0 1-8-8V64a9 9 0 0 0 0-18V36a8 8 0 0 1 8-8z"
        transform="rotate(-9 74 55)"
        className={styles.soft}
      />
      <path
        d="M34 32h80a8 8 0 0 1 8 8v9a9 9 0 0 0 0 18v9a8 8 0 0 1-8 8H34a8 8 0 0 1-8-8v-9a9 9 0 0 0 0-18v-9a8 8 0 0 1 8-8z"
        className={styles.paper}
      />
      <path d="M94 38v40" className={styles.dashes} />
      <path d="M70 47 54 69" className={styles.stroke} />
      <circle cx="52" cy="49" r="5" className={styles.accent} />
      <circle cx="72" cy="67" r="5" className={styles.accent} />
    </Scene>
  );
}
