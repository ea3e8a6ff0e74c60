import { Scene } from './Scene';
import styles from './Scene.module.css';

/** Two coins that change places: no exchanges. */
export function ExchangePicture() {
  return (
    <Scene>
      <circle cx="52" cy="52" r="28" className={styles.soft} />
      <circle cx="94" cy="66" r="28" className={styles.paper} />
      <circle cx="94" cy="66" r="18" className={styles.dashes} />
      <circle cx="94" cy="66" r="8" className={styles.line} />
      <path d="M60 16c14-7 31-4 40 8m0 0V13m0 11H89" className={styles.stroke} />
      <circle cx="52" cy="52" r="8" className={styles.accent} />
    </Scene>
  );
}
