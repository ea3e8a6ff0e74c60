import { useTranslation } from 'react-i18next';
import { session } from '@/api/session';
import { replacePage } from '@/shared/navigation/navigation';
import { ConfirmDialog } from '@/ui/layers/ConfirmDialog';
import { leaveAccount } from './leave-account';

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

function logout() {
  leaveAccount();
  session.clear();
  replacePage('/login');
}
