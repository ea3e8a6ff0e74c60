import { Scene } from './Scene';
import styles from './Scene.module.css';

/** A wallet with a way out: no withdrawals. */
export function WithdrawalsPicture() {
  return (
    <Scene>
      <rect x="28" y="36" width="80" height="52" rx="14" className={styles.soft} />
      <rect x="38" y="46" width="80" height="50" rx="14" className={styles.paper} />
      <path d="M118 62h-18a9 9 0 0 0 0 18h18" className={styles.paper} />
      <circle cx="101" cy="71" r="4" className={styles.accent} />
      <path d="M68 64V16m0 0L55 29m13-13 13 13" className={styles.bold} />
    </Scene>
  );
}
