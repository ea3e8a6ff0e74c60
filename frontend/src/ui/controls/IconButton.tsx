import VantButton from 'react-vant/es/button/Button.js';
import { classNames } from '@/ui/class-names';
import { Icon, type IconName } from '@/ui/display/Icon';
import { tick } from '@/ui/motion';
import styles from './IconButton.module.css';

type Props = {
  icon: IconName;
  /** Says what it does, as there is no text. */
  label: string;
  size?: number;
  className?: string;
  onClick: () => void;
  'aria-pressed'?: boolean;
};

/** A sign to press, as large as a thumb. */
export function IconButton({ icon, label, size = 20, className, onClick, ...aria }: Props) {
  return (
    <VantButton
      {...aria}
      round
      className={classNames(styles.button, className)}
      aria-label={label}
      onPointerDown={tick}
      onClick={onClick}
    >
      <Icon name={icon} size={size} />
    </VantButton>
  );
}
