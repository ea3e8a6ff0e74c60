import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { ApiError } from '@/api/errors';
import { useProperty } from '@/api/queries/use-property';
import { Form } from '@/shared/forms/Form';
import { useForm } from '@/shared/forms/use-form';
import { RefusalNotice } from '@/shared/money/RefusalNotice';
import { hasPreviousPage, takeOverBack } from '@/shared/navigation/page-back';
import { useNavigate } from '@/shared/navigation/use-navigate';
import { openCustomerService } from '@/shared/service/customer-service';
import { PAY_PASSWORD_LENGTH } from '@/ui/constants';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { Icon } from '@/ui/display/Icon';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { PinField } from '@/ui/pin/PinField';
import { passwordProblem } from '@/ui/pin/password-problem';
import { pinHash } from '@/ui/pin/pin-hash';
import { useJustOpened } from '@/ui/pin/use-just-opened';
import common from '../../../../../crates/auth/src/common-pins.json';
import styles from './SetPasswordPage.module.css';
import { useSetPassword } from './use-set-password';

export function SetPasswordPage() {
  const property = useProperty();
  // Whether there was a password at the first answer: after setting one, the page must still show
  // its result.
  const [had, setHad] = useState<boolean | null>(null);
  const set = property.data?.pay_password_set;
  useEffect(() => {
    if (set !== undefined) setHad((before) => before ?? set);
  }, [set]);

  if (had !== null) return <Steps hadPassword={had} />;
  return (
    <div className={styles.page}>
      {property.isError ? <Unanswered of={property} /> : <CardSkeleton />}
    </div>
  );
}

type Step = 'old' | 'enter' | 'confirm';
const empty = { old: '', enter: '', confirm: '' };

function Steps({ hadPassword }: { hadPassword: boolean }) {
  const { t } = useTranslation();
  const first: Step = hadPassword ? 'old' : 'enter';
  const [step, setStep] = useState<Step>(first);
  const [finished, setFinished] = useState(false);
  const [digits, setDigits] = useState(empty);
  const save = useSetPassword();
  const opening = useJustOpened();

  useEffect(() => {
    if (step === first || finished) return;
    return takeOverBack(() => setStep(step === 'confirm' ? 'enter' : first));
  }, [step, first, finished]);

  const submit = async (confirmed: string) => {
    try {
      await save.mutateAsync({
        password: pinHash(digits.enter),
        confirm_password: pinHash(confirmed),
        ...(hadPassword && { old_password: pinHash(digits.old) }),
      });
      setFinished(true);
    } catch (refusal) {
      if (isOldWrong(refusal)) {
        setDigits({ ...digits, old: '' });
        setStep('old');
      } else if (isNewRefused(refusal)) enterAgain();
      throw refusal;
    }
  };
  const enterAgain = () => {
    setDigits({ ...digits, enter: '', confirm: '' });
    setStep('enter');
  };
  const next = (typed: string): unknown => {
    if (typed.length < PAY_PASSWORD_LENGTH) return;
    if (step === 'old') return setStep('enter');
    if (step === 'enter' && isCommonPin(typed)) {
      enterAgain();
      return form.showMessages({ enter: t('wallet.tooCommon') });
    }
    if (step === 'enter') return setStep('confirm');
    if (typed === digits.enter) return submit(typed);
    setDigits({ ...digits, confirm: '' });
    form.showMessages({ confirm: t('wallet.mismatch') });
  };
  const form = useForm({
    state: [digits, setDigits],
    problems: {},
    send: () => next(digits[step]),
    refusedAt: (refusal) => {
      if (isOldWrong(refusal)) return { old: passwordProblem(refusal, t) };
      if (!isNewRefused(refusal)) return {};
      const common = refusal.fields.password === 'too_common';
      return { enter: common ? t('wallet.tooCommon') : refusal.msg };
    },
  });
  if (finished) return <Finished />;

  const { value, error, onChange } = form.field(step);
  const steps: Step[] = hadPassword ? ['old', 'enter', 'confirm'] : ['enter', 'confirm'];
  const at = steps.indexOf(step) + 1;
  return (
    <Form {...form.props} className={styles.page}>
      <Card>
        <div>
          <p className={styles.count}>{t('wallet.step', { at, total: steps.length })}</p>
          <h2 className={styles.title}>{t(`wallet.passwordStep.${step}`)}</h2>
        </div>
        <p className={styles.hint}>{t(`wallet.passwordHint.${step}`)}</p>
        <PinField
          key={step}
          label={t('ui.passwordLabel')}
          value={value}
          error={error}
          disabled={form.busy}
          autoFocus
          opening={opening}
          onChange={onChange}
          onPadFull={(typed) => form.run(() => next(typed))}
        />
        {!error && <RefusalNotice error={form.failure} />}
        <Button type="submit" loading={form.busy} disabled={value.length < PAY_PASSWORD_LENGTH}>
          {step === 'confirm' ? t('wallet.savePassword') : t('wallet.next')}
        </Button>
        {step === 'old' && (
          <Button
            size="small"
            variant="quiet"
            onClick={() => openCustomerService({ message: t('wallet.passwordReset') })}
          >
            {t('ui.passwordForgotten')}
          </Button>
        )}
      </Card>
    </Form>
  );
}

function isOldWrong(refusal: unknown): refusal is ApiError {
  const reasons = /^(old_password_wrong|wrong_pay_password|pay_password_locked)$/;
  return refusal instanceof ApiError && reasons.test(refusal.error);
}

function isNewRefused(refusal: unknown): refusal is ApiError {
  return refusal instanceof ApiError && Object.keys(refusal.fields).length > 0;
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

const pins = new Set(common);

/** Digits that are easy to guess; the server refuses the same. */
function isCommonPin(digits: string): boolean {
  return pins.has(digits);
}
