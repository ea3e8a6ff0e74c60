import VantBadge from 'react-vant/es/badge/Badge.js';
import VantButton from 'react-vant/es/button/Button.js';
import { classNames } from '@/ui/class-names';
import { Icon, type IconName } from '@/ui/display/Icon';
import { tick } from '@/ui/motion';
import { UNREAD_BADGE_MAX } from '../constants';
import styles from './IconButton.module.css';

type Props = {
  icon: IconName;
  /** Says what it does, as there is no text. */
  label: string;
  size?: number;
  /** How many wait behind it. */
  count?: number;
  className?: string;
  onClick: () => void;
  'aria-expanded'?: boolean;
  'aria-pressed'?: boolean;
  'aria-haspopup'?: 'dialog';
  'aria-busy'?: boolean;
};

/** A sign to press, as large as a thumb. */
export function IconButton({ icon, label, size = 20, count = 0, ...rest }: Props) {
  const { className, onClick, ...aria } = rest;
  return (
    <VantButton
      {...aria}
      round
      className={classNames(styles.button, className)}
      aria-label={label}
      onPointerDown={tick}
      onClick={onClick}
    >
      {count > 0 ? (
        <VantBadge className={styles.counted} content={<Count of={count} />}>
          <Icon name={icon} size={size} />
        </VantBadge>
      ) : (
        <Icon name={icon} size={size} />
      )}
    </VantButton>
  );
}

/** The label says the whole number; a shortened one beside it, as text, would contradict it. */
function Count({ of }: { of: number }) {
  return <span className={styles.count} data-count={badgeText(of)} aria-hidden="true" />;
}

export function badgeText(count: number): string {
  return count > UNREAD_BADGE_MAX ? `${UNREAD_BADGE_MAX}+` : String(count);
}
