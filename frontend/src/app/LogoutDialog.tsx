import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { session } from '@/api/session';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { unread } from './unread';

export function LogoutDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('app.logout.title')} onClose={onClose}>
      <p>{t('app.logout.text')}</p>
      <Button kind="danger" onClick={logout}>
        {t('app.logout.confirm')}
      </Button>
      <Button kind="plain" onClick={onClose}>
        {t('app.logout.cancel')}
      </Button>
    </Dialog>
  );
}

/** The call takes its token before the session is cleared, and nobody waits for its answer. */
function logout() {
  void call('POST', '/auth/logout', { inline: ['all'] }).catch(() => {});
  session.clear();
  unread.reset();
}
