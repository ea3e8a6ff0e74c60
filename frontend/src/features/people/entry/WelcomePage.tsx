import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { call } from '@/api/call';
import type { Refusal } from '@/api/contract/refusal';
import { isRefusal } from '@/api/errors';
import { invalidateAfter } from '@/api/queries/invalidate';
import { queryClient } from '@/api/query-client';
import { useSession } from '@/api/session';
import { setUser } from '@/api/user';
import { Form } from '@/shared/forms/Form';
import { useDraft } from '@/shared/forms/use-draft';
import { useForm } from '@/shared/forms/use-form';
import { nativeShell } from '@/shared/navigation/native-shell';
import { useNavigate } from '@/shared/navigation/use-navigate';
import { openCustomerService } from '@/shared/service/customer-service';
import { Button } from '@/ui/controls/Button';
import { LinkButton } from '@/ui/controls/LinkButton';
import { showToast } from '@/ui/feedback/toast-store';
import { TextField } from '@/ui/form/TextField';
import { empty } from '../auth/auth.schema';
import styles from './WelcomePage.module.css';

export function WelcomePage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { token, user } = useSession();
  const [params] = useSearchParams();
  // A ticket in the address was not accepted.
  const expired = params.has('ticket');
  const open = token !== null && user?.store_opened === true;
  return (
    <div className={styles.page}>
      <div className={styles.hero}>
        <img className={styles.sign} src="/welcome.svg" alt="" width="220" height="150" />
        <h1 className={styles.title}>{t('auth.welcomeTitle')}</h1>
        <p className={styles.text}>{t('auth.welcomeText')}</p>
      </div>
      <div className={styles.panel}>
        <h2 className={styles.heading}>{t(headingOf(expired, open))}</h2>
        {!token && <SignInFirst expired={expired} />}
        {token && expired && user && (
          <p className="intro">{t('auth.switchFailed', { current: user.username })}</p>
        )}
        {open && (
          <>
            {!expired && <p className="intro">{t('auth.openedText')}</p>}
            <Button onClick={() => navigate('/ad-center', { replace: true })}>
              {t('auth.goToAdCenter')}
            </Button>
          </>
        )}
        {token && !open && (
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

function headingOf(expired: boolean, open: boolean) {
  if (expired) return 'auth.entryFailedTitle';
  return open ? 'auth.openedTitle' : 'auth.openTitle';
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
        <p className="intro">{t(expired ? 'auth.entryFailedText' : 'auth.enterFromApp')}</p>
        {shell && <Button onClick={() => shell.sessionEnded()}>{t('auth.enterAgain')}</Button>}
      </>
    );
  }
  return (
    <>
      <p className="intro">{t('auth.loginFirst')}</p>
      <Button onClick={() => navigate('/login')}>{t('auth.login')}</Button>
      <Button variant="secondary" onClick={() => navigate('/register')}>
        {t('auth.register')}
      </Button>
    </>
  );
}

const aboutTheCode: Refusal[] = ['authorization_code_not_found', 'authorization_code_used'];

function OpenAccountForm() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  // Whoever has looked for the code meanwhile, or has signed in again, goes on typing.
  const [values, keep, drop] = useDraft('opening', () => ({ authorization_code: '' }));
  const form = useForm({
    state: [values, keep],
    problems: empty(values),
    send: async () => {
      const user = await call('POST', '/opening_store', {
        body: { authorization_code: values.authorization_code.trim() },
        inline: ['fields', ...aboutTheCode],
      });
      drop();
      setUser(user);
      void invalidateAfter(queryClient, 'openStore');
      showToast(t('auth.opened'), 'success');
      navigate('/ad-center', { replace: true });
    },
    refusedAt: (failure) =>
      isRefusal(failure, ...aboutTheCode) ? { authorization_code: failure.msg } : {},
  });
  return (
    <Form {...form.props} submit={t('auth.open')}>
      <p className="intro">{t('auth.openText')}</p>
      <TextField
        {...form.field('authorization_code')}
        label={t('auth.licenseKey')}
        autoComplete="off"
        autoCapitalize="characters"
      />
    </Form>
  );
}
