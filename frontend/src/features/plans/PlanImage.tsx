import { classNames } from '@/ui/class-names';
import { Icon } from '@/ui/display/Icon';
import { Picture } from '@/ui/images/Picture';
import styles from './PlanImage.module.css';

type Props = { src: string | null; size?: 'thumb' | 'hero' | 'creative' };

/** A product's picture, or a quiet stand-in where there is none or it does not load. */
export function PlanImage({ src, size = 'thumb' }: Props) {
  const instead = <Icon name="plans" size={size === 'thumb' ? 24 : 56} />;
  return <Picture className={classNames(styles.frame, styles[size])} src={src} instead={instead} />;
}
