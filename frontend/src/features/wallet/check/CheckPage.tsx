import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { serverDate } from '@/api/server-clock';
import { formatCount, formatDateTime, formatMonth, formatSize } from '@/i18n/format';
import { ProgressBar } from '@/ui/charts/ProgressBar';
import { classNames } from '@/ui/class-names';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { ErrorState } from '@/ui/feedback/ErrorState';
import { ConfirmDialog } from '@/ui/layers/ConfirmDialog';
import { MonthField } from '../statement/filters/MonthField';
import { useFilterOptions } from '../statement/queries';
import styles from './CheckPage.module.css';
import { CheckResult } from './CheckResult';
import type { Witnessed } from './kept';
import { monthNow, monthsUntil } from './screen-lines';
import { type State, useCheck } from './use-check';

const sentences = ['does', 'log', 'not'] as const;

/** The user's own device recomputes the books, and compares them with what the app shows. */
export function CheckPage() {
  const { t } = useTranslation();
  const { state, kept, start, stop, forget, trust } = useCheck();
  const now = serverDate();
  const first = useFilterOptions()?.first_month ?? monthNow(now);
  const months = monthsUntil(first, now);
  const [month, setMonth] = useState(monthNow(now));
  const begin = () => void (month === '' ? start(months, true) : start([month], false));
  return (
    <div className={styles.page}>
      <Card>
        <div className={classNames('intro', styles.about)}>
          {sentences.map((sentence) => (
            <p key={sentence}>{t(`wallet.check.about.${sentence}`)}</p>
          ))}
        </div>
        <MonthField
          months={[...months].reverse()}
          value={month}
          onChange={setMonth}
          all={t('wallet.allMonths')}
        />
        <Button icon="shield" loading={state.phase === 'running'} onClick={begin}>
          {t('wallet.check.start')}
        </Button>
      </Card>
      {state.phase === 'running' && <Running state={state} onStop={stop} />}
      {state.phase === 'unknown' && (
        <ErrorState message={state.refusal ?? t('wallet.check.unknown')} onRetry={begin} />
      )}
      {state.phase === 'done' && <CheckResult {...state} onTrust={trust} />}
      {kept && state.phase !== 'running' && <KeptCard kept={kept} onForget={forget} />}
    </div>
  );
}

type RunningProps = { state: Extract<State, { phase: 'running' }>; onStop: () => void };

function Running({ state, onStop }: RunningProps) {
  const { t } = useTranslation();
  const { month, step, percent, bytes } = state;
  const size = step === 'file' && bytes > 0 ? ` ${formatSize(bytes)}` : '';
  return (
    <Card title={formatMonth(month)}>
      <ProgressBar value={percent} label={t('wallet.check.progress')} />
      <p role="status">{t(`wallet.check.step.${step}`) + size}</p>
      <Button variant="secondary" onClick={onStop}>
        {t('ui.cancel')}
      </Button>
    </Card>
  );
}

type KeptProps = { kept: Witnessed; onForget: () => Promise<void> };

function KeptCard({ kept, onForget }: KeptProps) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const forget = () => void onForget().then(() => setAsking(false));
  const date = formatDateTime(kept.at);
  return (
    <Card title={t('wallet.check.kept')}>
      <p className="intro">
        {t('wallet.check.keptText', { entries: formatCount(Number(kept.size)), date })}
      </p>
      <Button variant="quiet" size="small" icon="delete" onClick={() => setAsking(true)}>
        {t('wallet.check.forget')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('wallet.check.forgetTitle')}
        confirmLabel={t('wallet.check.forget')}
        danger
        onConfirm={forget}
        onClose={() => setAsking(false)}
      >
        {t('wallet.check.forgetText')}
      </ConfirmDialog>
    </Card>
  );
}
