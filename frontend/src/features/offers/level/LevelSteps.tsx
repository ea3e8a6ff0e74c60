import { useTranslation } from 'react-i18next';
import type { Level } from '@/api/types';
import { formatMoney } from '@/i18n/format';
import { Card } from '@/ui/display/Card';
import { Icon } from '@/ui/display/Icon';
import { StatusTag } from '@/ui/display/StatusTag';
import styles from './LevelPage.module.css';

/** Every level, its threshold, and its benefits. */
export function LevelSteps({ level }: { level: Level }) {
  const { t } = useTranslation();
  return (
    <Card title={t('level.all')}>
      <p className={styles.hint}>{t('level.how')}</p>
      <ol className={styles.steps} aria-label={t('level.all')}>
        {level.levels.map((step) => {
          const current = step.level === level.level;
          return (
            <li key={step.level} className={styles.step} aria-current={current || undefined}>
              <span className={styles.stepNumber} aria-hidden="true">
                {step.level}
              </span>
              <span className={styles.stepText}>
                <span className={styles.stepName}>
                  <strong>{step.name}</strong>
                  {current && <StatusTag tone="accent">{t('level.present')}</StatusTag>}
                </span>
                <span className={styles.hint}>
                  {t('level.from', { amount: formatMoney(step.from) })}
                </span>
                {step.benefits.map((benefit) => (
                  <span key={benefit} className={styles.benefit}>
                    <Icon name="check" size={16} />
                    {benefit}
                  </span>
                ))}
              </span>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
