import { Scene } from './Scene';
import styles from './Scene.module.css';

/** Somebody to follow: no records. */
export function TeamPicture() {
  return (
    <Scene>
      <circle cx="74" cy="54" r="40" className={styles.soft} />
      <path d="M44 96c0-18 13-30 30-30s30 12 30 30z" className={styles.paper} />
      <circle cx="74" cy="44" r="17" className={styles.paper} />
      <path
        d="m106 24 3 6.5 7 .9-5.2 4.900 1.3 7-6.1-3.400-6.1 3.400 1.3-7-5.2-4.900 7-.9z"
        className={styles.accent}
      />
    </Scene>
  );
}
