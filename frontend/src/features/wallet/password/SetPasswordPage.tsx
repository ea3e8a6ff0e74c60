import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { ApiError } from '@/api/errors';
import { useProperty } from '@/api/queries/use-property';
import { RefusalNotice } from '@/shared/money/RefusalNotice';
import { hasPreviousPage, takeOverBack } from '@/shared/navigation/page-back';
import { useNavigate } from '@/shared/navigation/use-navigate';
import { PAY_PASSWORD_LENGTH } from '@/ui/constants';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { Icon } from '@/ui/display/Icon';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { ErrorState } from '@/ui/feedback/ErrorState';
import { PinField } from '@/ui/pin/PinField';
import { passwordProblem } from '@/ui/pin/password-problem';
import { pinHash } from '@/ui/pin/pin-hash';
import { useOpening } from '@/ui/pin/use-opening';
import { useSetPassword } from '../mutations';
import { isCommonPin } from './common-pin';
import styles from './SetPasswordPage.module.css';

export function SetPasswordPage() {
  const property = useProperty();
  // From the first answer: after setting it, the page must still show the result.
  const [had, setHad] = useState<boolean | null>(null);
  const set = property.data?.pay_password_set;
  useEffect(() => {
    if (set !== undefined) setHad((before) => before ?? set);
  }, [set]);

  if (had !== null) return <Steps hadPassword={had} />;
  return (
    <div className={styles.page}>
      {property.isError ? (
        <ErrorState onRetry={property.refetch} retrying={property.isFetching} />
      ) : (
        <CardSkeleton />
      )}
    </div>
  );
}

type Step = 'old' | 'enter' | 'confirm' | 'finished';
const empty = { old: '', enter: '', confirm: '' };

function Steps({ hadPassword }: { hadPassword: boolean }) {
  const { t } = useTranslation();
  const first: Step = hadPassword ? 'old' : 'enter';
  const [step, setStep] = useState<Step>(first);
  const [digits, setDigits] = useState(empty);
  const [error, setError] = useState('');
  const save = useSetPassword();
  const opening = useOpening();

  useEffect(() => {
    if (step === first || step === 'finished') return;
    return takeOverBack(() => {
      setError('');
      setStep(step === 'confirm' ? 'enter' : first);
    });
  }, [step, first]);

  if (step === 'finished') return <Finished />;

  const submit = async (confirmed: string) => {
    try {
      await save.mutateAsync({
        password: pinHash(digits.enter),
        confirm_password: pinHash(confirmed),
        ...(hadPassword && { old_password: pinHash(digits.old) }),
      });
      setStep('finished');
    } catch (refusal) {
      if (!(refusal instanceof ApiError)) return;
      if (/^(old_password_wrong|wrong_pay_password|pay_password_locked)$/.test(refusal.error)) {
        setDigits({ ...digits, old: '' });
        setError(passwordProblem(refusal, t));
        setStep('old');
      } else if (refusal.code === 400) {
        setDigits({ ...digits, enter: '', confirm: '' });
        const common = refusal.fields.password === 'too_common';
        setError(common ? t('wallet.tooCommon') : refusal.msg);
        setStep('enter');
      }
    }
  };
  const refuseCommon = () => {
    setDigits({ ...digits, enter: '', confirm: '' });
    setError(t('wallet.tooCommon'));
  };
  const next = (typed = digits[step]) => {
    if (typed.length < PAY_PASSWORD_LENGTH || save.isPending) return;
    if (step === 'old') setStep('enter');
    else if (step === 'enter' && isCommonPin(typed)) refuseCommon();
    else if (step === 'enter') setStep('confirm');
    else if (typed !== digits.enter) {
      setDigits({ ...digits, confirm: '' });
      setError(t('wallet.mismatch'));
    } else void submit(typed);
  };

  const steps = hadPassword
    ? (['old', 'enter', 'confirm'] as const)
    : (['enter', 'confirm'] as const);
  const at = (steps as readonly Step[]).indexOf(step) + 1;
  return (
    <form
      className={styles.page}
      onSubmit={(event) => {
        event.preventDefault();
        next();
      }}
    >
      <Card>
        <div>
          <p className={styles.count}>{t('wallet.step', { at, total: steps.length })}</p>
          <h2 className={styles.title}>{t(`wallet.passwordStep.${step}`)}</h2>
        </div>
        <p className={styles.hint}>{t(`wallet.passwordHint.${step}`)}</p>
        <PinField
          key={step}
          label={t('ui.passwordLabel')}
          value={digits[step]}
          error={error}
          disabled={save.isPending}
          autoFocus
          opening={opening}
          onChange={(typed) => {
            setError('');
            setDigits({ ...digits, [step]: typed });
          }}
          onPadFull={next}
        />
        {!error && <RefusalNotice error={save.error} />}
        <Button
          type="submit"
          loading={save.isPending}
          disabled={digits[step].length < PAY_PASSWORD_LENGTH}
        >
          {step === 'confirm' ? t('wallet.savePassword') : t('wallet.next')}
        </Button>
      </Card>
    </form>
  );
}

/** Back to where the password was needed: the wallet, a half-filled form, the account. */
function Finished() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const done = () => {
    if (hasPreviousPage()) navigate(-1);
    else navigate(pathname.startsWith('/wallet') ? '/wallet' : '/ad-center', { replace: true });
  };
  return (
    <div className={styles.finished} role="status">
      <span className={styles.disc}>
        <Icon name="check" size={40} />
      </span>
      <h2 className={styles.title}>{t('wallet.passwordSaved')}</h2>
      <p className={styles.hint}>{t('wallet.passwordSavedHint')}</p>
      <Button onClick={done}>{t('wallet.done')}</Button>
    </div>
  );
}
