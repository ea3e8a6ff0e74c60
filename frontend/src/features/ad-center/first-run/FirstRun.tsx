import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { activitiesQuery } from '@/api/queries/use-activities';
import type { Property, Statistics, User } from '@/api/types';
import { formatCount } from '@/i18n/format';
import { ProgressBar } from '@/ui/charts/ProgressBar';
import { Button } from '@/ui/controls/Button';
import { IconButton } from '@/ui/controls/IconButton';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Card } from '@/ui/display/Card';
import { Icon } from '@/ui/display/Icon';
import styles from './FirstRun.module.css';
import { nextOf, type Step, type StepKey, stepsOf } from './steps';
import { dismissFirstRun } from './use-first-run';

type Props = {
  user: User;
  property: Property;
  all: Pick<Statistics, 'orders'>;
  onStart?: () => void;
};

const none = () => {};

/** The steps to the first delivered plan. */
export function FirstRun({ user, property, all, onStart = none }: Props) {
  const { t } = useTranslation();
  const activities = useQuery(activitiesQuery()).data ?? [];
  const steps = stepsOf({ user, property, all, activities });
  const done = steps.filter(({ state }) => state === 'done').length;
  const next = nextOf(steps);
  const soFar = t('adCenter.first.done', {
    done: formatCount(done),
    total: formatCount(steps.length),
  });
  return (
    <Card
      title={t('adCenter.first.heading')}
      aside={
        <IconButton
          icon="close"
          label={t('adCenter.first.hide')}
          className={styles.hide}
          onClick={dismissFirstRun}
        />
      }
    >
      <div className={styles.progress}>
        <ProgressBar value={Math.round((done / steps.length) * 100)} label={soFar} text={soFar} />
        <p aria-hidden="true">{soFar}</p>
      </div>
      <ol className={styles.steps}>
        {steps.map((step) => (
          <StepLine key={step.key} step={step} next={step.key === next} onStart={onStart} />
        ))}
      </ol>
    </Card>
  );
}

type LineProps = { step: Step; next: boolean; onStart: () => void };

const signs = { done: 'check', open: 'chevron', locked: 'lock' } as const;

function StepLine({ step: { key, state, needs }, next, onStart }: LineProps) {
  const { t } = useTranslation();
  return (
    <li className={styles.step} data-state={state} aria-current={next ? 'step' : undefined}>
      <span className={styles.sign}>
        <Icon name={signs[state]} size={16} />
      </span>
      <div className={styles.text}>
        <p className={styles.name}>
          {t(`adCenter.first.title.${key}`)}
          {state !== 'open' && (
            <span className="visually-hidden"> {t(`adCenter.first.state.${state}`)}</span>
          )}
        </p>
        {state !== 'done' && (
          <p className={styles.hint}>
            {state === 'locked' && needs
              ? t(`adCenter.first.after.${needs}`)
              : t(`adCenter.first.text.${key}`)}
          </p>
        )}
        {state === 'open' && (
          <div className={styles.act}>
            <Act step={key} next={next} onStart={onStart} />
          </div>
        )}
      </div>
    </li>
  );
}

const pages = {
  account: '/ad-welcome',
  money: '/wallet/recharge',
  password: '/wallet/set-password',
  coupon: '/ad-center/activities',
  delivery: '/plan',
} as const;

function Act({ step, next, onStart }: { step: StepKey; next: boolean; onStart: () => void }) {
  const { t } = useTranslation();
  const look = { size: 'small', variant: next ? 'primary' : 'secondary' } as const;
  const name = t(`adCenter.first.act.${step}`);
  if (step === 'plan') {
    return (
      <Button {...look} onClick={onStart}>
        {name}
      </Button>
    );
  }
  return (
    <LinkButton {...look} to={pages[step]}>
      {name}
    </LinkButton>
  );
}
