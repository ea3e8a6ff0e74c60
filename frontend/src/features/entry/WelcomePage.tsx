import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useSession } from '@/api/session';
import { Button } from '@/ui/Button';
import { OpenAccountForm } from './OpenAccountForm';
import styles from './WelcomePage.module.css';

export function WelcomePage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { token, user } = useSession();
  return (
    <div className={styles.page}>
      <div className={styles.hero}>
        <img className={styles.sign} src="/welcome.svg" alt="" width="220" height="150" />
        <h1 className={styles.title}>{t('auth.welcomeTitle')}</h1>
        <p className={styles.text}>{t('auth.welcomeText')}</p>
      </div>
      <div className={styles.panel}>
        <h2 className={styles.heading}>{t('auth.openTitle')}</h2>
        {!token && (
          <>
            <p className={styles.soft}>{t('auth.loginFirst')}</p>
            <Button onClick={() => navigate('/login')}>{t('auth.login')}</Button>
            <Button variant="secondary" onClick={() => navigate('/register')}>
              {t('auth.register')}
            </Button>
          </>
        )}
        {token && user?.store_opened && (
          <>
            <p className={styles.soft}>{t('auth.alreadyOpen')}</p>
            <Button onClick={() => navigate('/ad-center', { replace: true })}>
              {t('auth.goToAdCenter')}
            </Button>
          </>
        )}
        {token && !user?.store_opened && <OpenAccountForm />}
      </div>
    </div>
  );
}
