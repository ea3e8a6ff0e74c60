import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { call } from '@/api/call';
import { NetworkError } from '@/api/errors';
import { session } from '@/api/session';
import type { Signed } from '@/api/types';
import { Button } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';
import { Skeleton } from '@/ui/Skeleton';
import styles from './EntryPage.module.css';

/** Where the native shell enters: a ticket for a session. */
export function EntryPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const ticket = params.get('ticket');
  const [failed, setFailed] = useState<'refused' | 'offline' | null>(ticket ? null : 'refused');
  const exchanged = useRef(false);

  const exchange = useCallback(async () => {
    setFailed(null);
    try {
      const signed = await call<Signed>('POST', '/auth/entry', {
        body: { ticket },
        inline: ['ticket_invalid', 'network'],
      });
      session.signIn(signed);
      navigate(signed.user.store_opened ? '/ad-center' : '/ad-welcome', { replace: true });
    } catch (error) {
      setFailed(error instanceof NetworkError ? 'offline' : 'refused');
    }
  }, [ticket, navigate]);

  useEffect(() => {
    // A ticket works once: running this effect twice would spend it and then be refused.
    if (!ticket || exchanged.current) return;
    exchanged.current = true;
    void exchange();
  }, [ticket, exchange]);

  if (!failed) {
    return (
      <div className={styles.wait} role="status">
        <p>{t('auth.entering')}</p>
        <Skeleton height={120} />
        <Skeleton height={220} />
      </div>
    );
  }
  return (
    <EmptyState
      icon="key"
      title={failed === 'offline' ? t('app.failed.title') : t('auth.entryFailedTitle')}
      text={failed === 'offline' ? t('auth.entryOfflineText') : t('auth.entryFailedText')}
    >
      {failed === 'offline' ? (
        <Button onClick={exchange}>{t('app.failed.reload')}</Button>
      ) : (
        <Button onClick={() => navigate('/login', { replace: true })}>{t('auth.login')}</Button>
      )}
    </EmptyState>
  );
}
