import { Scene } from './Scene';
import styles from './Scene.module.css';

/** Sheets of paper, for whatever has no picture of its own. */
export function SheetsPicture() {
  return (
    <Scene>
      <rect x="31" y="16" width="66" height="78" rx="14" className={styles.soft} />
      <rect x="51" y="26" width="66" height="68" rx="14" className={styles.paper} />
      <circle cx="69" cy="46" r="8" className={styles.accent} />
      <rect x="83" y="41" width="22" height="5" rx="2.5" className={styles.line} />
      <rect x="83" y="50" width="14" height="5" rx="2.5" className={styles.faint} />
      <rect x="63" y="66" width="42" height="5" rx="2.5" className={styles.faint} />
      <rect x="63" y="77" width="28" height="5" rx="2.5" className={styles.faint} />
    </Scene>
  );
}
