import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { checkPassword } from '@/api/check-password';
import { ApiError } from '@/api/errors';
import { PAY_PASSWORD_LENGTH } from '@/ui/constants';
import { Button } from '@/ui/controls/Button';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Notice } from '@/ui/feedback/Notice';
import { Sheet } from '@/ui/layers/Sheet';
import { useAfterPaint } from '@/ui/use-after-paint';
import { PinField } from './PinField';
import { passwordProblem } from './password-problem';
import { pinHash } from './pin-hash';
import { useJustOpened } from './use-just-opened';

type Props = {
  open: boolean;
  onClose: () => void;
  /** Gets the hash of a password the server has accepted. It shows its own failures on the page. */
  onConfirm: (hash: string) => Promise<unknown>;
  /** The action to confirm, such as the amount and the recipient. */
  children?: ReactNode;
};

/**
 * Asks for the six digits, lets the server check them, runs the confirmed action, then closes. If
 * the dialog is closed before that, nothing runs. A request that was sent cannot be cancelled, so
 * the dialog waits for it.
 */
export function TransactionPasswordDialog(props: Props) {
  const { t } = useTranslation();
  // A bare sheet answers the press at once, and does not wait for fields and pad.
  const painted = useAfterPaint(props.open);
  const sent = useRef(false);
  const close = () => {
    if (!sent.current) props.onClose();
  };
  return (
    <Sheet open={props.open} onClose={close} title={t('ui.passwordTitle')}>
      {painted && <PasswordForm {...props} sent={sent} />}
    </Sheet>
  );
}

type FormProps = Props & {
  /** Whether the confirmed action is under way. */
  sent: RefObject<boolean>;
};

function PasswordForm({ onClose, onConfirm, children, sent }: FormProps) {
  const { t } = useTranslation();
  const [digits, setDigits] = useState('');
  const [error, setError] = useState('');
  // Users whose digits were refused may have forgotten the password.
  const [refused, setRefused] = useState(false);
  const [step, setStep] = useState<'typing' | 'checking' | 'sent'>('typing');
  const busy = step !== 'typing';
  const open = useRef(true);
  useEffect(() => {
    open.current = true;
    return () => {
      open.current = false;
    };
  }, []);
  const opening = useJustOpened();
  const complete = digits.length === PAY_PASSWORD_LENGTH;

  const confirm = async () => {
    if (!complete || busy) return;
    const hash = pinHash(digits);
    setStep('checking');
    try {
      await checkPassword(hash);
    } catch (refusal) {
      setError(passwordProblem(refusal, t));
      setRefused(refusal instanceof ApiError);
      setDigits('');
      setStep('typing');
      return;
    }
    if (!open.current) return;
    sent.current = true;
    setStep('sent');
    // Later failures are shown on the page, where the user can act on them.
    await onConfirm(hash).catch(() => undefined);
    sent.current = false;
    onClose();
  };

  useLeaveWarning(busy);
  return (
    <form
      style={{ display: 'contents' }}
      onSubmit={(event) => {
        event.preventDefault();
        // To React it lies within the form that opened it, which must not be sent again.
        event.stopPropagation();
        void confirm();
      }}
    >
      {children}
      <PinField
        label={t('ui.passwordLabel')}
        value={digits}
        error={error}
        disabled={busy}
        autoFocus
        opening={opening}
        onChange={(typed) => {
          setError('');
          setDigits(typed);
        }}
      />
      {step === 'sent' && <Notice>{t('ui.passwordSent')}</Notice>}
      <Button type="submit" disabled={!complete && !busy} loading={busy}>
        {t('ui.confirm')}
      </Button>
      {refused && !busy && (
        <LinkButton size="small" variant="quiet" to="/wallet/set-password">
          {t('ui.passwordForgotten')}
        </LinkButton>
      )}
    </form>
  );
}

/** Closing the tab while money moves would leave the user guessing. */
function useLeaveWarning(busy: boolean) {
  useEffect(() => {
    if (!busy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [busy]);
}
