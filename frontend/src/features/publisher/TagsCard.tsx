import { useTranslation } from 'react-i18next';
import frame from '@/shared/link/LinkPage.module.css';
import { CopyRow } from '@/ui/controls/CopyRow';
import { Card } from '@/ui/display/Card';
import { Skeleton } from '@/ui/feedback/Skeleton';
import { Unanswered } from '@/ui/feedback/Unanswered';
import styles from './PublisherPage.module.css';
import { usePublisherSlots } from './queries';

const kinds = ['tag', 'frame'] as const;

/** What the publisher copies into its pages. */
export function TagsCard({ link }: { link: string }) {
  const { t } = useTranslation();
  const slots = usePublisherSlots(link);
  return (
    <Card title={t('publisher.tags')}>
      <p className={frame.muted}>{t('publisher.tagsHint')}</p>
      {slots.data ? (
        <ul className={styles.tags}>
          {slots.data.items.map((slot) => (
            <li key={slot.key} className={frame.stack}>
              <h3 className={styles.subtitle}>{slot.key}</h3>
              {kinds.map((kind) => (
                <CopyRow
                  key={kind}
                  label={t(`publisher.${kind}`)}
                  text={slot[kind]}
                  copies={t('plans.tracking.copy', {
                    link: `${slot.key}: ${t(`publisher.${kind}`)}`,
                  })}
                />
              ))}
            </li>
          ))}
          {slots.data.items.length === 0 && <li>{t('publisher.noSlots')}</li>}
        </ul>
      ) : (
        <Unanswered of={slots} meanwhile={<Skeleton height="8em" />} />
      )}
    </Card>
  );
}
