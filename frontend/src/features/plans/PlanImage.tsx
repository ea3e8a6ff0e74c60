import { useState } from 'react';
import { Icon } from '@/ui/display/Icon';
import styles from './PlanImage.module.css';

type Props = { src: string | null; size?: 'thumb' | 'hero' | 'creative' };

/** A product's picture, or a quiet stand-in where there is none or it does not load. */
export function PlanImage({ src, size = 'thumb' }: Props) {
  const [broken, setBroken] = useState(false);
  return (
    <span className={styles.frame} data-size={size}>
      {src && !broken ? (
        // The name of the product stands beside it.
        <img
          className={styles.image}
          src={src}
          alt=""
          loading={size === 'hero' ? 'eager' : 'lazy'}
          onError={() => setBroken(true)}
        />
      ) : (
        <Icon name="plans" size={size === 'thumb' ? 24 : 56} />
      )}
    </span>
  );
}
