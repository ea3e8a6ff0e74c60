import styles from './Skeleton.module.css';

type Props = { width?: string; height?: string; round?: boolean };

/** A grey shape where something is about to appear. */
export function Skeleton({ width = '100%', height = '1em', round = false }: Props) {
  const borderRadius = round ? 'var(--radius-full)' : undefined;
  return <span className={styles.skeleton} style={{ width, height, borderRadius }} data-skeleton />;
}
