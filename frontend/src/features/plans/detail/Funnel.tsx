import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlanDetail } from '@/api/types';
import { formatCount, formatPercent } from '@/i18n/format';
import { usePoints } from '@/ui/charts/use-points';
import { Icon } from '@/ui/display/Icon';
import styles from './Funnel.module.css';
import { FunnelSheet, type FunnelStep, funnelSteps } from './FunnelSheet';

/** From views to conversions, each step as a share of the previous one. */
export function Funnel({ plan }: { plan: PlanDetail }) {
  const { t } = useTranslation();
  const { delivery } = plan;
  const [opened, setOpened] = useState<FunnelStep | null>(null);
  const { onKeyDown, pointProps } = usePoints('down', funnelSteps.length, 0);
  return (
    <>
      <table className={styles.funnel}>
        <caption className="visually-hidden">{t('plans.funnel.caption')}</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{t('plans.funnel.step')}</th>
            <th scope="col">{t('plans.funnel.count')}</th>
            <th scope="col">{t('plans.funnel.share')}</th>
          </tr>
        </thead>
        <tbody onKeyDown={onKeyDown}>
          {funnelSteps.map((name, at) => {
            const before = at > 0 ? delivery[funnelSteps[at - 1] ?? name] : null;
            const whole = before ?? delivery[name];
            const share = whole > 0 ? delivery[name] / whole : 0;
            return (
              <tr key={name} className={styles.step}>
                <th scope="row">
                  <button
                    type="button"
                    className={styles.open}
                    aria-haspopup="dialog"
                    onClick={() => setOpened(name)}
                    {...pointProps(at)}
                  >
                    {t(`plans.${name}`)}
                    <Icon name="chevron" size={16} />
                  </button>
                </th>
                <td className={styles.count}>{formatCount(delivery[name])}</td>
                <td className={styles.share}>
                  {before !== null && before > 0 && (
                    <span className={styles.rate}>{formatPercent(share.toFixed(6))}</span>
                  )}
                  <span className={styles.track} aria-hidden="true">
                    {/* More than one conversion may follow a click. */}
                    <span style={{ width: `${Math.min(1, share) * 100}%` }} />
                  </span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {opened && <FunnelSheet plan={plan} step={opened} onClose={() => setOpened(null)} />}
    </>
  );
}
