import { useTranslation } from 'react-i18next';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Notice } from '@/ui/feedback/Notice';

/** Moving money needs the transaction password: users without one are led to setting it. */
export function PasswordFirst() {
  const { t } = useTranslation();
  return (
    <Notice
      tone="warning"
      action={
        <LinkButton to="/wallet/set-password" size="small" variant="secondary">
          {t('ui.waySetPassword')}
        </LinkButton>
      }
    >
      {t('wallet.passwordFirst')}
    </Notice>
  );
}
