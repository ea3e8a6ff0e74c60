import { Scene } from './Scene';
import styles from './Scene.module.css';

/** Bars that have yet to grow: no figures. */
export function FiguresPicture() {
  return (
    <Scene>
      <rect x="30" y="16" width="76" height="62" rx="14" className={styles.soft} />
      <rect x="40" y="26" width="78" height="68" rx="14" className={styles.paper} />
      <rect x="54" y="72" width="10" height="10" rx="4" className={styles.line} />
      <rect x="74" y="72" width="10" height="10" rx="4" className={styles.line} />
      <rect x="94" y="72" width="10" height="10" rx="4" className={styles.line} />
      <path d="M56 52h46" className={styles.dashes} />
      <circle cx="59" cy="52" r="6" className={styles.accent} />
    </Scene>
  );
}
