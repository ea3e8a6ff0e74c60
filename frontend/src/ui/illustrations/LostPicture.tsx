import { Scene } from './Scene';
import styles from './Scene.module.css';

/** A signpost: what was asked for is not here. */
export function LostPicture() {
  return (
    <Scene>
      <path d="M74 14v82" className={styles.post} />
      <path d="M98 56H58L46 66l12 10h40a5 5 0 0 0 5-5V61a5 5 0 0 0-5-5z" className={styles.soft} />
      <path d="M50 24h46l14 12-14 12H50a5 5 0 0 1-5-5V29a5 5 0 0 1 5-5z" className={styles.paper} />
      <path d="M58 36h22" className={styles.stroke} />
      <circle cx="93" cy="36" r="5" className={styles.accent} />
    </Scene>
  );
}
