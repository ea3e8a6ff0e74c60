import { Scene } from './Scene';
import styles from './Scene.module.css';

/** A receipt with what came and went: no entries. */
export function FlowPicture() {
  return (
    <Scene>
      <rect x="30" y="18" width="60" height="70" rx="14" className={styles.soft} />
      <path
        d="M58 14h44a8 8 0 0 1 8 8v73l-10-7-10 7-10-7-10 7-10-7-10 7V22a8 8 0 0 1 8-8z"
        className={styles.paper}
      />
      <path d="M64 44V30m0 0-5 5m5-5 5 5m-5 17v14m0 0-5-5m5 5 5-5" className={styles.stroke} />
      <rect x="80" y="34" width="20" height="5" rx="2.5" className={styles.line} />
      <rect x="80" y="56" width="14" height="5" rx="2.5" className={styles.line} />
      <rect x="60" y="76" width="40" height="5" rx="2.5" className={styles.faint} />
    </Scene>
  );
}
