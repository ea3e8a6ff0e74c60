import styles from './Badge.module.css';
import { badgeText } from './badge-text';

type Props = { count: number };

/** A small count; above 99 it says `99+`, at 0 nothing. */
export function Badge({ count }: Props) {
  if (count <= 0) return null;
  return <span className={styles.badge}>{badgeText(count)}</span>;
}
