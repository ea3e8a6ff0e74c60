import { useTranslation } from 'react-i18next';
import type { VideoFigures } from '@/api/types';
import { formatCount, formatPercent } from '@/i18n/format';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { ratioOf } from '@/ui/money/decimal';

/** How far the plan’s video was played, as the readers’ players report it. */
export function VideoCard({ video }: { video: VideoFigures }) {
  const { t } = useTranslation();
  const part = (share: string) => t('plans.video.reached', { part: formatPercent(share) });
  const of = (label: string, count: number) => {
    const share = ratioOf(String(count), String(video.started), 4);
    const hint = share === null ? undefined : formatPercent(share);
    return { label, value: formatCount(count), hint };
  };
  return (
    <Card title={t('plans.video.title')}>
      <Facts
        facts={[
          {
            label: t('plans.video.started'),
            value: formatCount(video.started),
            hint: t('plans.video.hint'),
          },
          of(part('0.25'), video.first_quartile),
          of(part('0.5'), video.midpoint),
          of(part('0.75'), video.third_quartile),
          of(t('plans.video.completed'), video.completed),
          of(t('plans.video.skipped'), video.skipped),
        ]}
      />
    </Card>
  );
}
