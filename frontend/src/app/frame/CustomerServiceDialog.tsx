import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCachedConfig } from '@/api/queries/cached-config';
import { useSession } from '@/api/session';
import type { Contact } from '@/api/types';
import type { Place } from '@/pages';
import { useBarred } from '@/shared/account/barred';
import { IN_APP_CONTACT_TYPE } from '@/shared/config/constants';
import { openOutside } from '@/shared/navigation/open-outside';
import { useNavigate } from '@/shared/navigation/use-navigate';
import { Button } from '@/ui/controls/Button';
import { Link } from '@/ui/controls/Link';
import { Icon, type IconName } from '@/ui/display/Icon';
import { IconDisc } from '@/ui/display/IconDisc';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { Notice } from '@/ui/feedback/Notice';
import { Dialog } from '@/ui/layers/Dialog';
import styles from './CustomerServiceDialog.module.css';

type Props = { open: boolean; message: string | null; recharge: boolean; onClose(): void };

export function CustomerServiceDialog({ open, message, recharge, onClose }: Props) {
  const { t } = useTranslation();
  const contacts = useContacts(recharge);
  const { token } = useSession();
  const barred = useBarred();
  // A barred user may still write, unless the account is cancelled.
  const writes = token !== null && barred?.code !== 404;
  const close = (
    <Button variant="secondary" onClick={onClose}>
      {t('app.service.close')}
    </Button>
  );
  return (
    <Dialog
      open={open}
      title={recharge ? t('app.service.rechargeTitle') : t('app.service.title')}
      onClose={onClose}
      actions={close}
      wide
    >
      <div className={styles.body}>
        {message && <Notice tone="warning">{message}</Notice>}
        {contacts.length === 0 && !writes && (
          <EmptyState
            title={t('app.service.emptyTitle')}
            description={t(token ? 'app.service.emptyText' : 'app.service.emptyOutside')}
          />
        )}
        {contacts.length === 0 && writes && (
          <>
            <EmptyState title={t('app.service.ownTitle')} description={t('app.service.ownText')} />
            <PageLine to="/customer" icon="message" onOpen={onClose}>
              {t('app.service.write')}
            </PageLine>
          </>
        )}
        {contacts.length > 0 && (
          <ul className={styles.list}>
            {contacts.map((contact, index) => (
              <li key={contact.id}>
                <ContactLine contact={contact} number={index + 1} onOpen={onClose} />
              </li>
            ))}
          </ul>
        )}
        {recharge && token !== null && !barred && (
          <PageLine to="/wallet/recharge" icon="list" onOpen={onClose}>
            {t('app.service.recharges')}
          </PageLine>
        )}
      </div>
    </Dialog>
  );
}

/** A signed-in user may have contacts of their own; others see everybody's. */
function useContacts(recharge: boolean): Contact[] {
  const { user } = useSession();
  const config = useCachedConfig();
  const list = recharge ? 'recharge_customer_service_url' : 'customer_service_url';
  const own = user?.[list] ?? [];
  return own.length > 0 ? own : (config?.[list] ?? []);
}

type PageLineProps = { to: Place; icon: IconName; onOpen(): void; children: ReactNode };

/** Leads to a page of ours. */
function PageLine({ to, icon, onOpen, children }: PageLineProps) {
  return (
    <Link className={styles.line} to={to} onClick={onOpen}>
      <IconDisc name={icon} />
      <span className={styles.text}>{children}</span>
      <Icon name="chevron" size={18} />
    </Link>
  );
}

type LineProps = { contact: Contact; number: number; onOpen(): void };

function ContactLine({ contact, number, onOpen }: LineProps) {
  const { t } = useTranslation();
  const { token } = useSession();
  const navigate = useNavigate();
  // The in-app page needs a login. Those who cannot log in need help most, so they get a separate
  // tab.
  const inApp = contact.type === IN_APP_CONTACT_TYPE && token !== null;
  return (
    <a
      className={styles.line}
      href={contact.url}
      target="_blank"
      rel="noopener noreferrer"
      onClick={(event) => {
        onOpen();
        if (!inApp) return openOutside(event);
        event.preventDefault();
        navigate(`/customer?url=${encodeURIComponent(contact.url)}`);
      }}
    >
      <IconDisc name="headset" />
      <span className={styles.text}>{t('app.service.line', { number, label: contact.label })}</span>
      <Icon name="chevron" size={18} />
    </a>
  );
}
