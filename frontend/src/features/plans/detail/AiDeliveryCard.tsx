import { useTranslation } from 'react-i18next';
import type { AiDelivery } from '@/api/types';
import { formatCount, formatPart, formatPercent, formatPoints } from '@/i18n/format';
import { sentences } from '@/i18n/sentences';
import { ProgressBar } from '@/ui/charts/ProgressBar';
import { sharesOf } from '@/ui/charts/shares';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { ratioOf } from '@/ui/money/decimal';
import { audienceName } from '../audience-names';
import styles from './AiDeliveryCard.module.css';

type Arm = AiDelivery['arms'][number];
type Totals = AiDelivery['holdout'];

/** The choices of AI delivery, and its measured effect. The card promises nothing. */
export function AiDeliveryCard({ ai }: { ai: AiDelivery }) {
  const { t } = useTranslation();
  const shares = sharesOf(ai.arms.map(({ impressions }) => BigInt(impressions)));
  return (
    <Card title={t('plans.ai.title')}>
      <p className="intro">{t('plans.ai.intro')}</p>
      <Facts
        facts={[
          { label: t('plans.progress'), value: soFar(ai.pace.spent_share) },
          { label: t('plans.ai.time'), value: soFar(ai.pace.time_share) },
          {
            label: t('plans.ai.uplift'),
            value: ai.uplift
              ? t('plans.ai.points', { value: formatPoints(ai.uplift.click_rate) })
              : t('plans.ai.early'),
            hint: t('plans.ai.upliftHint'),
          },
        ]}
      />
      {ai.uplift && <Interval uplift={ai.uplift} />}
      <ul className={styles.arms}>
        {ai.arms.map((arm, at) => (
          <ArmRow
            key={`${arm.creative} ${arm.audience}`}
            arm={arm}
            share={shares[at] ?? '0'}
            alone={isAlone(ai.arms)}
          />
        ))}
      </ul>
      <Totals name={t('plans.ai.chosen')} totals={ai.chosen} />
      <Totals name={t('plans.ai.holdout')} totals={ai.holdout} />
    </Card>
  );
}

/** The progress in whole per cent, rounded down like the plan's. */
function soFar(share: string): string {
  return formatPercent(ratioOf(share, '1', 2) ?? '0');
}

/** The difference is only called one if the interval does not contain zero. */
function Interval({ uplift }: { uplift: NonNullable<AiDelivery['uplift']> }) {
  const { t } = useTranslation();
  const uncertain = Number(uplift.low) <= 0 && Number(uplift.high) >= 0;
  const bounds = { low: formatPoints(uplift.low), high: formatPoints(uplift.high) };
  const measured = t('plans.ai.interval', bounds);
  return (
    <p className={styles.note}>
      {uncertain ? sentences(measured, t('plans.ai.chance')) : measured}
    </p>
  );
}

function ArmRow({ arm, share, alone }: { arm: Arm; share: string; alone: boolean }) {
  const { t } = useTranslation();
  const audience = useAudience(arm.audience, alone);
  const label = `${t(`plans.contentType.${arm.creative}`)} · ${audience}`;
  return (
    <li className={styles.arm}>
      <div className={styles.head}>
        <span>{label}</span>
        <span className={styles.share}>{formatPart(share)}</span>
      </div>
      <ProgressBar value={Number(share) * 100} label={t('plans.ai.share', { label })} />
      <Counts counts={arm} />
    </li>
  );
}

function Totals({ name, totals }: { name: string; totals: Totals }) {
  return (
    <div>
      <p className={styles.name}>{name}</p>
      <Counts counts={totals} />
    </div>
  );
}

function Counts({ counts }: { counts: Totals }) {
  const { t } = useTranslation();
  return (
    <ul className={styles.counts}>
      {(['impressions', 'clicks', 'conversions'] as const).map((figure) => (
        <li key={figure}>
          {t(`plans.${figure}`)} <strong>{formatCount(counts[figure])}</strong>
        </li>
      ))}
    </ul>
  );
}

function isAlone(arms: readonly Arm[]) {
  return arms.every((arm) => arm.audience === 'rest');
}

/** `device:mobile` -> Devices: Mobile phones. */
function useAudience(audience: string, alone: boolean): string {
  const { t } = useTranslation();
  const [side, ...rest] = audience.split(':');
  const code = rest.join(':');
  if (side === 'device' || side === 'interest') {
    const part = `${side}s` as const;
    const name = audienceName(part, code, t);
    return t('plans.ai.part', { side: t(`plans.targeting.${part}`), name });
  }
  return alone ? t('plans.targeting.all') : t('plans.ai.others');
}
