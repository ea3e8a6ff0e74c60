import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { useCachedConfig } from '@/api/queries/cached-config';
import { useUser } from '@/api/user';
import { openOutside } from '@/shared/navigation/open-outside';
import { openCustomerService } from '@/shared/service/customer-service';
import { Button } from '@/ui/controls/Button';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { LostPicture } from '@/ui/illustrations/LostPicture';
import { MessagesPicture } from '@/ui/illustrations/MessagesPicture';
import { ConversationPage } from '../conversation/ConversationPage';
import { allowedAddress } from './allowed-address';
import styles from './CustomerPage.module.css';

export function CustomerPage() {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const user = useUser();
  const config = useCachedConfig();
  const contacts = [user, config].flatMap((source) => [
    ...(source?.customer_service_url ?? []),
    ...(source?.recharge_customer_service_url ?? []),
  ]);
  const url = params.get('url');
  const address = allowedAddress(url, contacts);
  if (!address) {
    const named = url !== null;
    const contactsInstead = (
      <EmptyState
        picture={named ? <LostPicture /> : <MessagesPicture />}
        title={t(named ? 'app.customer.refusedTitle' : 'app.service.title')}
        description={t(named ? 'app.customer.refusedText' : 'app.customer.elsewhere')}
        action={
          <Button icon="headset" onClick={() => openCustomerService()}>
            {t('faq.ask')}
          </Button>
        }
      />
    );
    if (named) return contactsInstead;
    // If contacts are configured, only a conversation that was begun earlier continues here.
    return <ConversationPage instead={contacts.length > 0 && contactsInstead} />;
  }
  return (
    <div className={styles.page}>
      <iframe
        className={styles.frame}
        title={t('app.customer.frame')}
        src={address}
        sandbox="allow-scripts allow-forms allow-same-origin allow-popups"
        referrerPolicy="no-referrer"
        allow=""
      />
      {/* Some chat services refuse to be framed, which a page cannot notice. */}
      <a
        className={styles.outside}
        href={address}
        target="_blank"
        rel="noopener noreferrer"
        onClick={openOutside}
      >
        {t('app.customer.openOutside')}
      </a>
    </div>
  );
}
