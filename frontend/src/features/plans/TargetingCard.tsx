import { useTranslation } from 'react-i18next';
import type { Targeting } from '@/api/types';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { audienceName } from './audience-names';

const sides = ['regions', 'languages', 'devices', 'interests'] as const;

/** The audience of the ads; an empty list means everybody. */
export function TargetingCard({ targeting }: { targeting: Targeting }) {
  const { t } = useTranslation();
  return (
    <Card title={t('plans.targeting.title')}>
      <Facts
        facts={sides.map((side) => ({
          label: t(`plans.targeting.${side}`),
          value:
            targeting[side].map((code) => audienceName(side, code, t)).join('\u00a0· ') ||
            t(`plans.targeting.allOf.${side}`),
        }))}
      />
    </Card>
  );
}
