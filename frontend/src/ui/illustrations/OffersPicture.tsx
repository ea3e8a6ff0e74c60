import { Scene } from './Scene';
import styles from './Scene.module.css';

/** A present: no offers. */
export function OffersPicture() {
  return (
    <Scene>
      <circle cx="74" cy="56" r="38" className={styles.soft} />
      <rect x="42" y="52" width="64" height="44" rx="8" className={styles.paper} />
      <rect x="36" y="38" width="76" height="20" rx="7" className={styles.paper} />
      <path d="M70 38h8v58h-8z" className={styles.accent} />
      <path
        d="M74 38s-6-18-17-18a9 9 0 0 0 0 18zm0 0s6-18 17-18a9 9 0 0 1 0 18z"
        className={styles.stroke}
      />
    </Scene>
  );
}
