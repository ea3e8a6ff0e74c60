import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { session } from '@/api/session';
import { forgetDrafts } from '@/shared/forms/draft';
import { replacePage } from '@/shared/navigation/navigation';
import { ConfirmDialog } from '@/ui/layers/ConfirmDialog';
import { forgetNoted } from './noted';
import { unread } from './unread';

type Props = { open: boolean; onClose(): void };

export function LogoutDialog({ open, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      open={open}
      title={t('app.logout.title')}
      confirmLabel={t('app.logout.confirm')}
      danger
      onConfirm={() => {
        onClose();
        logout();
      }}
      onClose={onClose}
    >
      {t('app.logout.text')}
    </ConfirmDialog>
  );
}

/** The call reads the token before the session is cleared, and nobody waits for its answer. */
function logout() {
  void call('POST', '/auth/logout', { inline: ['all'] }).catch(() => {});
  forgetDrafts();
  forgetNoted();
  session.clear();
  unread.reset();
  replacePage('/login');
}
