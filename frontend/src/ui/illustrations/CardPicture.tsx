import { Scene } from './Scene';
import styles from './Scene.module.css';

/** A bank card: nowhere to pay to yet. */
export function CardPicture() {
  return (
    <Scene>
      <rect
        x="28"
        y="22"
        width="86"
        height="56"
        rx="12"
        transform="rotate(-7 71 50)"
        className={styles.soft}
      />
      <rect x="30" y="34" width="88" height="58" rx="12" className={styles.paper} />
      <path d="M30 48h88v11H30z" className={styles.line} />
      <rect x="42" y="72" width="24" height="6" rx="3" className={styles.faint} />
      <circle cx="102" cy="76" r="7" className={styles.accent} />
    </Scene>
  );
}
