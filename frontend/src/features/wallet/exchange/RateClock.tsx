import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { serverNow } from '@/api/server-clock';
import { formatTime } from '@/i18n/format';
import { Button } from '@/ui/controls/Button';
import { CountDown } from '@/ui/display/CountDown';
import { Notice } from '@/ui/feedback/Notice';
import styles from './ExchangeForm.module.css';

type Props = {
  until: string;
  ended: boolean;
  onEnd: () => void;
  renewing: boolean;
  onRenew: () => void;
};

/**
 * How long the rate holds, stated without urgency. Once it has ended, one tap fetches a new one.
 */
export function RateClock({ until, ended, onEnd, renewing, onRenew }: Props) {
  const { t } = useTranslation();
  const left = useMemo(() => Math.max(0, Date.parse(until) - serverNow()), [until]);
  return (
    <div role="status">
      {ended ? (
        <Notice
          action={
            <Button size="small" icon="reload" loading={renewing} onClick={onRenew}>
              {t('exchange.renew')}
            </Button>
          }
        >
          {t('exchange.ended', { time: formatTime(until) })}
        </Notice>
      ) : (
        <div className={styles.countdown}>
          {t('exchange.holdsUntil', { time: formatTime(until) })} ·{' '}
          <CountDown left={left} onEnd={onEnd} />
        </div>
      )}
    </div>
  );
}
