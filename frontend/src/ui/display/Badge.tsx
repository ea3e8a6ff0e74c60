import VantBadge from 'react-vant/es/badge/Badge.js';
import { UNREAD_BADGE_MAX } from '@/ui/constants';
import styles from './Badge.module.css';

/** A small count; above 99 it says `99+`, at 0 nothing. */
export function Badge({ count }: { count: number }) {
  if (count <= 0) return null;
  return <VantBadge className={styles.badge} content={count} max={UNREAD_BADGE_MAX} />;
}
