import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { formatAsOf } from '@/i18n/format';
import { sentences } from '@/i18n/sentences';
import { Icon } from '@/ui/display/Icon';
import { anyHeldBack, isAnswered, isLost, type Lost, lostFigures } from './lost-figures';
import styles from './notices.module.css';

/**
 * Without a connection, this says how old the visible figures are, so that nobody takes them for
 * live ones.
 */
export function OfflineNotice() {
  const { t } = useTranslation();
  const cache = useQueryClient().getQueryCache();
  const lost = useLost();
  if (!isLost(lost)) return null;
  const answered = navigator.onLine && isAnswered(cache);
  const text =
    lost === 'nothing'
      ? t('installed.offline')
      : t(answered ? 'installed.serverFigures' : 'installed.offlineFigures', {
          time: formatAsOf(lost),
        });
  return (
    <p className={styles.offline} role="status">
      <Icon name="warning" size={18} />
      <span>{anyHeldBack(cache) ? sentences(text, t('app.error.adBlocker')) : text}</span>
    </p>
  );
}

function useLost(): Lost {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    (changed) => {
      const end = cache.subscribe(changed);
      window.addEventListener('online', changed);
      window.addEventListener('offline', changed);
      return () => {
        end();
        window.removeEventListener('online', changed);
        window.removeEventListener('offline', changed);
      };
    },
    () => lostFigures(cache, navigator.onLine),
  );
}
