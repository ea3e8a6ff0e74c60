import { Scene } from './Scene';
import styles from './Scene.module.css';

/** A placard on its two posts: no plans. */
export function PlansPicture() {
  return (
    <Scene>
      <path d="M56 72v24m40-24v24" className={styles.post} />
      <rect x="26" y="12" width="82" height="52" rx="14" className={styles.soft} />
      <rect x="36" y="22" width="82" height="52" rx="12" className={styles.paper} />
      <path d="m48 64 17-20 13 14 9-9 17 15" className={styles.stroke} />
      <circle cx="96" cy="37" r="6" className={styles.accent} />
    </Scene>
  );
}
