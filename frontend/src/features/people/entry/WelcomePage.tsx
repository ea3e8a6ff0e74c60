import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { useSession } from '@/api/session';
import { nativeShell } from '@/shared/navigation/native-shell';
import { useNavigate } from '@/shared/navigation/use-navigate';
import { openCustomerService } from '@/shared/service/customer-service';
import { Button } from '@/ui/controls/Button';
import { LinkButton } from '@/ui/controls/LinkButton';
import { OpenAccountForm } from './OpenAccountForm';
import styles from './WelcomePage.module.css';

export function WelcomePage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { token, user } = useSession();
  const [params] = useSearchParams();
  // A ticket in the address was not accepted.
  const expired = params.has('ticket');
  return (
    <div className={styles.page}>
      <div className={styles.hero}>
        <img className={styles.sign} src="/welcome.svg" alt="" width="220" height="150" />
        <h1 className={styles.title}>{t('auth.welcomeTitle')}</h1>
        <p className={styles.text}>{t('auth.welcomeText')}</p>
      </div>
      <div className={styles.panel}>
        <h2 className={styles.heading}>
          {t(expired ? 'auth.entryFailedTitle' : 'auth.openTitle')}
        </h2>
        {!token && <SignInFirst expired={expired} />}
        {token && expired && user && (
          <p className={styles.soft}>{t('auth.switchFailed', { current: user.username })}</p>
        )}
        {token && user?.store_opened && (
          <>
            {!expired && <p className={styles.soft}>{t('auth.alreadyOpen')}</p>}
            <Button onClick={() => navigate('/ad-center', { replace: true })}>
              {t('auth.goToAdCenter')}
            </Button>
          </>
        )}
        {token && !user?.store_opened && (
          <>
            <OpenAccountForm />
            <LinkButton to="/ad-center" variant="secondary">
              {t('auth.later')}
            </LinkButton>
          </>
        )}
        {/* The bar of this page has no icons, and those without a code must ask for one. */}
        <Button variant="quiet" icon="headset" onClick={() => openCustomerService()}>
          {t('auth.askService')}
        </Button>
      </div>
    </div>
  );
}

/** Users of a shell have no password to log in with: the shell signs them in. */
function SignInFirst({ expired }: { expired: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { signInPath } = useSession();
  const shell = nativeShell();
  if (expired || shell || signInPath === '/ad-welcome') {
    return (
      <>
        <p className={styles.soft}>{t(expired ? 'auth.entryFailedText' : 'auth.enterFromApp')}</p>
        {shell && <Button onClick={() => shell.sessionEnded()}>{t('auth.enterAgain')}</Button>}
      </>
    );
  }
  return (
    <>
      <p className={styles.soft}>{t('auth.loginFirst')}</p>
      <Button onClick={() => navigate('/login')}>{t('auth.login')}</Button>
      <Button variant="secondary" onClick={() => navigate('/register')}>
        {t('auth.register')}
      </Button>
    </>
  );
}
