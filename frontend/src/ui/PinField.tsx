import { type ReactNode, useCallback, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from './class-names';
import { PASSWORD_FOCUS_DELAY_MS, PAY_PASSWORD_LENGTH } from './constants';
import { isMobile } from './is-mobile';
import styles from './PinField.module.css';
import { PinPad } from './PinPad';
import { useAfterPaint } from './use-after-paint';

const columns = { gridTemplateColumns: `repeat(${PAY_PASSWORD_LENGTH}, 1fr)` };

type Props = {
  label: string;
  value: string;
  onChange: (digits: string) => void;
  error?: ReactNode;
  disabled?: boolean;
  autoFocus?: boolean;
};

/** Six digits: typed on a keyboard, or pressed on a pad where fingers are the pointer. */
export function PinField({ label, value, onChange, error, disabled, autoFocus = false }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const painted = useAfterPaint();
  const touch = window.matchMedia?.('(pointer: coarse)').matches ?? false;

  const take = (typed: string) => {
    const digits = typed.replace(/\D/g, '').slice(0, PAY_PASSWORD_LENGTH);
    onChange(digits);
  };
  const latest = useRef({ value, take });
  latest.current = { value, take };
  const add = useCallback((digit: string) => latest.current.take(latest.current.value + digit), []);
  const drop = useCallback(() => latest.current.take(latest.current.value.slice(0, -1)), []);

  useEffect(() => {
    if (!autoFocus || isMobile()) return;
    // By then the dialog has moved the focus in; on a phone the pad needs none.
    const timer = setTimeout(() => input.current?.focus(), PASSWORD_FOCUS_DELAY_MS);
    return () => clearTimeout(timer);
  }, [autoFocus]);

  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <div className={classNames(styles.boxes, Boolean(error) && styles.invalid)} style={columns}>
        <input
          ref={input}
          id={id}
          className={styles.input}
          type="password"
          // The pad below replaces the device's keyboard, which would cover it.
          inputMode={touch ? 'none' : 'numeric'}
          autoComplete="off"
          value={value}
          // Disabled, it would lose the focus that the next try needs.
          readOnly={disabled}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-error`}
          onChange={(event) => take(event.target.value)}
        />
        {Array.from({ length: PAY_PASSWORD_LENGTH }, (_, at) => at).map((at) => (
          <span
            key={at}
            className={classNames(styles.box, at === value.length && styles.next)}
            aria-hidden="true"
          >
            {at < value.length && <span className={styles.dot} />}
          </span>
        ))}
      </div>
      <p className="visually-hidden" aria-live="polite">
        {t('ui.digitsTyped', { typed: value.length, total: PAY_PASSWORD_LENGTH })}
      </p>
      <p id={`${id}-error`} className={styles.error} role="alert">
        {error}
      </p>
      {touch && painted && <PinPad disabled={disabled} onDigit={add} onDelete={drop} />}
    </div>
  );
}
