import { Scene } from './Scene';
import styles from './Scene.module.css';

/** A tick: nothing is left to do. */
export function SettledPicture() {
  return (
    <Scene>
      <circle cx="74" cy="54" r="40" className={styles.soft} />
      <circle cx="74" cy="54" r="29" className={styles.paper} />
      <path d="m61 55 9 9 18-19" className={styles.bold} />
    </Scene>
  );
}
