import { formatChange } from '@/i18n/format';
import styles from './LevelPage.module.css';

/** `+2`, `−20`: points with their sign. */
export function PointsChange({ points }: { points: number }) {
  return (
    <span className={styles.change} data-positive={points > 0}>
      {formatChange(points)}
    </span>
  );
}
