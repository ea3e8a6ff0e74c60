import { useTranslation } from 'react-i18next';
import type { Level } from '@/api/types';
import { formatCount } from '@/i18n/format';
import { Ring } from '@/ui/charts/Ring';
import { Card } from '@/ui/display/Card';
import styles from './LevelPage.module.css';
import { PointsChange } from './PointsChange';

/** The credit score with its whole formula. */
export function CreditCard({ level }: { level: Level }) {
  const { t } = useTranslation();
  const { credit_score: score, credit_formula: formula } = level;
  const { start, lowest, highest } = formula;
  const part = Math.round(((score - lowest) / (highest - lowest)) * 100);
  return (
    <Card title={t('level.score')}>
      <div className={styles.score}>
        <Ring value={part} label={t('level.score')}>
          <strong>{formatCount(score)}</strong>
        </Ring>
        <span className={styles.hint}>
          {t('level.between', { lowest: formatCount(lowest), highest: formatCount(highest) })}
        </span>
      </div>
      <p className={styles.hint}>{t('level.formula', { start: formatCount(start) })}</p>
      <ul className={styles.rules}>
        {formula.rules.map((rule) => (
          <li key={rule.reason} className={styles.rule}>
            <span>{rule.text}</span>
            <PointsChange points={rule.change} />
          </li>
        ))}
      </ul>
      <p className={styles.hint}>{t('level.scoreNote')}</p>
    </Card>
  );
}
