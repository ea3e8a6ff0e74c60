import { Scene } from './Scene';
import styles from './Scene.module.css';

/** A cloud out of reach: no connection. */
export function OfflinePicture() {
  return (
    <Scene>
      <circle cx="74" cy="54" r="40" className={styles.soft} />
      <path
        d="M50 82a17 17 0 0 1-2-34 27 27 0 0 1 52-5 20 20 0 0 1 2 39z"
        className={styles.paper}
      />
      <path d="m52 94 46-68" className={styles.bold} />
    </Scene>
  );
}
