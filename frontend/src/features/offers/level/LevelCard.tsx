import { useTranslation } from 'react-i18next';
import type { Level } from '@/api/types';
import { formatMoney } from '@/i18n/format';
import { ProgressBar } from '@/ui/charts/ProgressBar';
import { Card } from '@/ui/display/Card';
import { Icon } from '@/ui/display/Icon';
import { StatusTag } from '@/ui/display/StatusTag';
import { isPositive, subtractDecimals, toPlot } from '@/ui/money/decimal';
import styles from './LevelPage.module.css';

/** The shop's level, and the distance to the next. */
export function LevelCard({ level }: { level: Level }) {
  const { t } = useTranslation();
  const { spent, next_at: next } = level.progress;
  const left = next && subtractDecimals(next, spent);
  return (
    <section className={styles.hero}>
      <p className={styles.number}>
        <span>{t('level.yours')}</span> <span>{t('level.number', { level: level.level })}</span>
      </p>
      <h2 className={styles.name}>{level.name}</h2>
      <div className={styles.progress}>
        <ProgressBar value={percentOf(spent, next)} label={t('level.progress')} />
        <p className={styles.spent}>
          <span>{t('level.spent', { amount: formatMoney(spent) })}</span>
          {next && <span>{formatMoney(next)}</span>}
        </p>
      </div>
      <p className={styles.next}>
        {left && isPositive(left)
          ? t('level.next', { amount: formatMoney(left) })
          : t('level.highest')}
      </p>
    </section>
  );
}

/** A float is enough for the length of a bar. */
function percentOf(spent: string, next: string | null): number {
  return next && isPositive(next) ? Math.floor((toPlot(spent) / toPlot(next)) * 100) : 100;
}

/** Every level, its threshold, and its benefits. */
export function LevelSteps({ level }: { level: Level }) {
  const { t } = useTranslation();
  return (
    <Card title={t('level.all')}>
      <p className="intro">{t('level.how')}</p>
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
