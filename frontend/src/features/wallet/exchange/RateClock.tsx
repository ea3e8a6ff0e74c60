import { useTranslation } from 'react-i18next';
import { formatTime } from '@/i18n/format';
import { Button } from '@/ui/controls/Button';
import { Notice } from '@/ui/feedback/Notice';
import styles from './ExchangeForm.module.css';

type Props = {
  until: string;
  secondsLeft: number;
  /** The server no longer takes the rate, whatever the clock here says. */
  refused: boolean;
  renewing: boolean;
  onRenew: () => void;
};

/** How long the rate holds, stated and not urged; when it has ended, one tap asks for today's. */
export function RateClock({ until, secondsLeft, refused, renewing, onRenew }: Props) {
  const { t } = useTranslation();
  const ended = refused || secondsLeft === 0;
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
        <p className={styles.countdown}>
          {t('exchange.holdsUntil', { time: formatTime(until) })}
          {/* Read aloud every second it would drown everything else. */}
          <span aria-hidden="true"> · {clock(secondsLeft)}</span>
        </p>
      )}
    </div>
  );
}

/** 272 -> 4:32. */
function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
