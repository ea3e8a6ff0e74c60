import { Scene } from './Scene';
import styles from './Scene.module.css';

/** A question and its answer: nothing written yet. */
export function MessagesPicture() {
  return (
    <Scene>
      <circle cx="74" cy="54" r="40" className={styles.soft} />
      <path
        d="M42 24h46a8 8 0 0 1 8 8v18a8 8 0 0 1-8 8H60L48 68V58h-6a8 8 0 0 1-8-8V32a8 8 0 0 1 8-8z"
        className={styles.paper}
      />
      <path d="M46 36h38M46 46h24" className={styles.stroke} />
      <path
        d="M78 64h26a8 8 0 0 1 8 8v10a8 8 0 0 1-8 8h-4v8l-10-8H78a8 8 0 0 1-8-8V72a8 8 0 0 1 8-8z"
        className={styles.accent}
      />
    </Scene>
  );
}
