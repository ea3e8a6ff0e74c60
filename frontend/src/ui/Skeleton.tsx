import styles from './Skeleton.module.css';

/** A grey shape of the size of what is coming, so that nothing jumps when it comes. */
export function Skeleton({ height, width = '100%' }: { height: number; width?: string }) {
  return <div className={styles.skeleton} style={{ height, width }} aria-hidden="true" />;
}
