import { useTranslation } from 'react-i18next';
import { useCachedConfig } from '@/api/queries/cached-config';
import type { User } from '@/api/types';
import { useUserInfo } from '@/api/user';
import { formatCount, formatDate } from '@/i18n/format';
import { languageName } from '@/i18n/language-name';
import { currentLanguage } from '@/i18n/texts';
import { useAccountDialogs } from '@/shared/account/use-account-dialogs';
import { vipUntil } from '@/shared/account/vip';
import { openCustomerService } from '@/shared/service/customer-service';
import { classNames } from '@/ui/class-names';
import { Button } from '@/ui/controls/Button';
import { MenuRow } from '@/ui/controls/MenuRow';
import { Card } from '@/ui/display/Card';
import { Avatar } from '@/ui/images/Avatar';
import { ExportRow } from './ExportRow';
import styles from './MePage.module.css';

/** The user's name, and everything about the account itself. */
export function MePage() {
  const { t } = useTranslation();
  const { data: user } = useUserInfo();
  const config = useCachedConfig();
  const dialogs = useAccountDialogs();
  if (!user) return null;
  return (
    <div className={styles.page}>
      <ProfileCard user={user} />
      <Card title={t('me.group.account')} flush>
        <MenuRow icon="user" label={t('app.title.profile')} to="/me/profile" />
        <MenuRow icon="star" label={t('me.level')} hint={t('me.levelHint')} to="/ad-center/level" />
        <MenuRow
          icon="globe"
          label={t('app.bar.language')}
          value={languageName(currentLanguage())}
          onClick={() => dialogs.open('language')}
        />
      </Card>
      <Card title={t('me.group.security')} flush>
        <MenuRow
          icon="shield"
          label={t('app.title.setPassword')}
          hint={t('me.payPasswordHint')}
          to="/ad-center/edit-pay-password"
        />
        <MenuRow
          icon="lock"
          label={t('app.title.loginPassword')}
          hint={t('me.loginPasswordHint')}
          to="/ad-center/edit-login-password"
        />
        <MenuRow
          icon="device"
          label={t('app.title.sessions')}
          hint={t('me.sessionsHint')}
          to="/me/sessions"
        />
        {config?.push_key && (
          <MenuRow icon="bell" label={t('app.title.push')} hint={t('me.pushHint')} to="/me/push" />
        )}
      </Card>
      <Card title={t('me.group.help')} flush>
        <MenuRow icon="question" label={t('me.faq')} to="/ad-center/questions" />
        <MenuRow icon="message" label={t('me.feedback')} to="/ad-center/feedback" />
        <MenuRow
          icon="headset"
          label={t('app.bar.service')}
          onClick={() => openCustomerService()}
        />
      </Card>
      <Card title={t('me.group.data')} flush>
        <ExportRow />
        <MenuRow
          icon="close"
          label={t('app.title.closeAccount')}
          hint={t('me.closeHint')}
          to="/me/close"
        />
      </Card>
      {user.entry === 'register' && (
        <Button variant="secondary" icon="logout" onClick={() => dialogs.open('logout')}>
          {t('app.bar.logout')}
        </Button>
      )}
      {dialogs.shown}
    </div>
  );
}

function ProfileCard({ user }: { user: User }) {
  const { t } = useTranslation();
  const name = user.nickname || user.username;
  const vip = vipUntil(user);
  return (
    <section className={styles.card} aria-label={t('me.profile')}>
      <Avatar name={name} picture={user.avatar} size={72} />
      <div className={styles.profileCardText}>
        <h2 className={classNames('verbatim', styles.profileCardName)}>{name}</h2>
        <p className={classNames('verbatim', styles.username)}>
          <span className="visually-hidden">{t('auth.username')}: </span>
          {user.username}
        </p>
        <ul className={styles.tags}>
          <li>{t('me.levelTag', { level: formatCount(user.level) })}</li>
          {vip && <li>{t('me.vipUntil', { date: formatDate(vip) })}</li>}
        </ul>
      </div>
    </section>
  );
}
