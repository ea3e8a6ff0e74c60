import { useTranslation } from 'react-i18next';
import type { PlanDetail } from '@/api/types';
import { formatCount, formatPercent } from '@/i18n/format';
import styles from './Funnel.module.css';

type Props = { delivery: PlanDetail['delivery'] };

/** From who saw the ad to who bought, each step as its share of the one before. */
export function Funnel({ delivery }: Props) {
  const { t } = useTranslation();
  const steps = [
    ['impressions', delivery.impressions, null],
    ['clicks', delivery.clicks, delivery.impressions],
    ['conversions', delivery.conversions, delivery.clicks],
  ] as const;
  return (
    <table className={styles.funnel}>
      <caption className="visually-hidden">{t('plans.funnel.caption')}</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{t('plans.funnel.step')}</th>
          <th scope="col">{t('plans.funnel.count')}</th>
          <th scope="col">{t('plans.funnel.share')}</th>
        </tr>
      </thead>
      <tbody>
        {steps.map(([name, count, before]) => {
          const share = before === null ? 1 : before > 0 ? count / before : 0;
          return (
            <tr key={name} className={styles.step}>
              <th scope="row">{t(`plans.${name}`)}</th>
              <td className={styles.count}>{formatCount(count)}</td>
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
  );
}
