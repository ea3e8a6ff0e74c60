import { useTranslation } from 'react-i18next';
import type { Creative } from '@/api/types';
import { StatusTag } from '@/ui/display/StatusTag';
import styles from './CreativePreview.module.css';
import { PlanImage } from './PlanImage';

type Props = {
  creative: Creative;
  /** A few lines, if the whole ad was shown before. */
  small?: boolean;
};

/** The ad as the audience sees it, label included. */
export function CreativePreview({ creative, small = false }: Props) {
  const { t } = useTranslation();
  return (
    <figure className={styles.preview} data-small={small} aria-label={t('plans.preview')}>
      {creative.video && !small ? (
        // biome-ignore lint/a11y/useMediaCaption: the advertiser's file comes without captions.
        <video
          className={styles.video}
          src={creative.video}
          poster={creative.image || undefined}
          controls
          preload="none"
          playsInline
        />
      ) : (
        <PlanImage src={creative.image} size={small ? 'thumb' : 'creative'} />
      )}
      <figcaption className={styles.caption}>
        <span className={styles.title}>
          {creative.title} <StatusTag>{t('plans.adLabel')}</StatusTag>
        </span>
        <span className={styles.text}>{creative.text}</span>
      </figcaption>
    </figure>
  );
}
