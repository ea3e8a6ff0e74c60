import { Scene } from './Scene';
import styles from './Scene.module.css';

/** A bell: no notices. */
export function NoticesPicture() {
  return (
    <Scene>
      <circle cx="74" cy="54" r="40" className={styles.soft} />
      <path
        d="M74 22c-15 0-23 10-23 24 0 20-9 28-9 28h64s-9-8-9-28c0-14-8-24-23-24z"
        className={styles.paper}
      />
      <path d="M66 82a8.5 8.5 0 0 0 16 0" className={styles.stroke} />
      <circle cx="97" cy="32" r="8" className={styles.accent} />
    </Scene>
  );
}
