import VantSkeleton from 'react-vant/es/skeleton/Skeleton.js';
import styles from './Skeleton.module.css';

type Props = { width?: string; height?: string; round?: boolean };

/** A grey shape where something is about to appear. */
export function Skeleton({ width = '100%', height = '1em', round = false }: Props) {
  return (
    <VantSkeleton
      row={1}
      rowWidth={width}
      rowHeight={height}
      round={round}
      className={styles.skeleton}
    />
  );
}
