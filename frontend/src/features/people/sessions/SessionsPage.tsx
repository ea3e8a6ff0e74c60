import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SignedInDevice } from '@/api/types';
import { formatDateTime } from '@/i18n/format';
import { forgetAccount } from '@/shared/account/leave-account';
import { showSignedOut } from '@/shared/account/signed-out';
import { useSingleFlight } from '@/shared/forms/use-single-flight';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { IconDisc } from '@/ui/display/IconDisc';
import { StatusTag } from '@/ui/display/StatusTag';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { showToast } from '@/ui/feedback/toast-store';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { SettledPicture } from '@/ui/illustrations/SettledPicture';
import { ConfirmDialog } from '@/ui/layers/ConfirmDialog';
import { ListSkeleton } from '@/ui/lists/ListSkeleton';
import styles from '../me/MePage.module.css';
import { endEverySession, useEndSessions } from '../me/mutations';
import { sessionsQuery } from '../me/queries';
import { deviceName } from './device-name';

export function SessionsPage() {
  const { t } = useTranslation();
  const sessions = useQuery(sessionsQuery);
  const list = (
    <Card flush>
      <ListSkeleton rows={2} />
    </Card>
  );
  return (
    <div className={styles.page}>
      {sessions.data ? (
        <>
          <p className="intro">{t('me.sessions.intro')}</p>
          <Sessions sessions={sessions.data} />
        </>
      ) : (
        <Unanswered of={sessions} meanwhile={list} />
      )}
    </div>
  );
}

function Sessions({ sessions }: { sessions: SignedInDevice[] }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const end = useEndSessions();
  const current = sessions.filter((one) => one.current);
  const others = sessions.filter((one) => !one.current);
  const endThese = (ids: string[]) =>
    end.mutate(ids, {
      onSuccess: () => showToast(t('me.sessions.ended', { count: ids.length }), 'success'),
      onSettled: () => setAsking(false),
    });
  const ending = (id: string) => end.isPending && end.variables.includes(id);
  return (
    <>
      <Card flush>
        <ul aria-label={t('app.title.sessions')}>
          {[...current, ...others].map((one) => (
            <li key={one.id}>
              <SessionRow device={one} ending={ending(one.id)} onEnd={() => endThese([one.id])} />
            </li>
          ))}
        </ul>
        {others.length === 0 && (
          <EmptyState
            picture={<SettledPicture />}
            title={t('me.sessions.only')}
            description={t('me.sessions.onlyHint')}
          />
        )}
      </Card>
      {others.length > 1 && (
        <Button variant="secondary" onClick={() => setAsking(true)}>
          {t('me.sessions.endOthers')}
        </Button>
      )}
      <EndAll />
      <ConfirmDialog
        open={asking}
        title={t('me.sessions.endOthersTitle')}
        confirmLabel={t('me.sessions.endOthers')}
        danger
        busy={end.isPending}
        onConfirm={() => endThese(others.map((one) => one.id))}
        onClose={() => setAsking(false)}
      >
        <p>{t('me.sessions.endOthersText')}</p>
      </ConfirmDialog>
    </>
  );
}

/** Ends this session too, so it is there for who has no other: it keeps customer service out. */
function EndAll() {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const { busy, once } = useSingleFlight(close);
  const end = async () => {
    await endEverySession();
    forgetAccount();
    showSignedOut(t('me.sessions.endedAll'));
  };
  return (
    <>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        {t('me.sessions.endAll')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('me.sessions.endAllTitle')}
        confirmLabel={t('me.sessions.endAll')}
        danger
        busy={busy}
        onConfirm={() => void once(end)}
        onClose={close}
      >
        <p>{t('me.sessions.endAllText')}</p>
      </ConfirmDialog>
    </>
  );
}

type Props = { device: SignedInDevice; ending: boolean; onEnd: () => void };

function SessionRow({ device, ending, onEnd }: Props) {
  const { t } = useTranslation();
  const { operator, reason } = device;
  const name = operator ? t('me.sessions.staff', { operator }) : deviceName(device.device, t);
  return (
    <div className={styles.row}>
      <IconDisc name="device" />
      <div className={styles.text}>
        <p className={styles.name}>{name}</p>
        {operator && (
          <p className={styles.time}>{t('me.sessions.staffReason', { reason: reason ?? '' })}</p>
        )}
        <p className={styles.time}>
          {t('me.sessions.begun', { time: formatDateTime(device.created_at) })}
        </p>
        {device.current ? (
          <StatusTag tone="positive">{t('me.sessions.current')}</StatusTag>
        ) : operator ? null : (
          <p className={styles.time}>
            {t('me.sessions.seen', { time: formatDateTime(device.last_seen) })}
          </p>
        )}
      </div>
      {!device.current && (
        <Button
          variant="secondary"
          size="small"
          loading={ending}
          aria-label={t('me.sessions.endOne', { name })}
          onClick={onEnd}
        >
          {t('me.sessions.end')}
        </Button>
      )}
    </div>
  );
}
