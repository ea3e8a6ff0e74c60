import styles from './Badge.module.css';

type Props = { count: number; max?: number };

/** A small count; above `max` it says `99+`, at 0 nothing. */
export function Badge({ count, max = 99 }: Props) {
  if (count <= 0) return null;
  return <span className={styles.badge}>{count > max ? `${max}+` : count}</span>;
}
