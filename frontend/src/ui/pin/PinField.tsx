import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import VantPasswordInput from 'react-vant/es/password-input/PasswordInput.js';
import { classNames } from '@/ui/class-names';
import { PASSWORD_FOCUS_DELAY_MS, PAY_PASSWORD_LENGTH } from '@/ui/constants';
import { InertDrawing } from '@/ui/form/InertDrawing';
import { isMobile } from '@/ui/is-mobile';
import { plainDigits } from '@/ui/plain-digits';
import { useAfterPaint } from '@/ui/use-after-paint';
import styles from './PinField.module.css';
import { PinPad } from './PinPad';

/** The gap between the boxes, in pixels. */
const GAP = 8;

type Props = {
  label: string;
  value: string;
  onChange: (digits: string) => void;
  length?: number;
  error?: ReactNode;
  disabled?: boolean;
  autoFocus?: boolean;
  /** While it has just appeared, for the pad alone: use-just-opened.ts. */
  opening?: boolean;
  /**
   * Called with the last digit pressed on the pad, after which nothing is left to do in the field.
   */
  onPadFull?: ((digits: string) => void) | undefined;
};

/**
 * A field for a fixed number of digits, typed on a keyboard, or pressed on a pad on touch screens.
 */
export function PinField({
  label,
  value,
  onChange,
  length = PAY_PASSWORD_LENGTH,
  error,
  disabled,
  autoFocus = false,
  opening = false,
  onPadFull,
}: Props) {
  const { t } = useTranslation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const painted = useAfterPaint();
  const touch = window.matchMedia?.('(pointer: coarse)').matches ?? false;

  const take = (typed: string) => onChange(plainDigits(typed).replace(/\D/g, '').slice(0, length));

  useEffect(() => {
    if (!autoFocus || isMobile()) return;
    // By then, the dialog has taken the focus. On a phone, the pad needs no focus.
    const timer = setTimeout(() => input.current?.focus(), PASSWORD_FOCUS_DELAY_MS);
    return () => clearTimeout(timer);
  }, [autoFocus]);

  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <div
        className={classNames(styles.digits, Boolean(error) && styles.invalid)}
        data-typed={Math.min(value.length, length - 1)}
      >
        <input
          ref={input}
          id={id}
          className={styles.input}
          type="password"
          // The pad below replaces the device's keyboard, which would cover it.
          inputMode={touch ? 'none' : 'numeric'}
          // Otherwise browsers take it for the login password, which they fill in here, or offer to
          // replace by these digits; "off" they do not heed.
          autoComplete="one-time-code"
          value={value}
          // Disabled, it would lose the focus that the next try needs.
          readOnly={disabled}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-error`}
          onChange={(event) => take(event.target.value)}
        />
        <InertDrawing className={styles.boxes}>
          <VantPasswordInput value={value} length={length} gutter={GAP} />
        </InertDrawing>
      </div>
      <p className="visually-hidden" aria-live="polite">
        {t('ui.digitsTyped', { typed: value.length, total: length })}
      </p>
      <p id={`${id}-error`} className={styles.error} role="alert">
        {error}
      </p>
      {touch && painted && (
        <PinPad
          value={value}
          onChange={(digits) => {
            onChange(digits);
            if (digits.length === length) onPadFull?.(digits);
          }}
          maxLength={length}
          disabled={disabled}
          deaf={opening}
        />
      )}
    </div>
  );
}
