import { memo, useCallback, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '@/ui/display/Icon';
import { tick } from '@/ui/motion';
import styles from './PinPad.module.css';

type Props = {
  value: string;
  onChange: (digits: string) => void;
  /** Takes no more digits than that. */
  maxLength?: number;
  disabled?: boolean;
};

/** Large digits for thumbs, of any number unless it is limited. */
export function PinPad({ value, onChange, maxLength = Infinity, disabled = false }: Props) {
  const latest = useRef({ value, onChange, maxLength });
  latest.current = { value, onChange, maxLength };
  const add = useCallback((digit: string) => {
    const now = latest.current;
    if (now.value.length < now.maxLength) now.onChange(now.value + digit);
  }, []);
  const drop = useCallback(() => latest.current.onChange(latest.current.value.slice(0, -1)), []);
  return <Keys onDigit={add} onDelete={drop} disabled={disabled} />;
}

/** Both stay the same from one digit to the next, or the whole pad is drawn with each. */
type KeysProps = { onDigit: (digit: string) => void; onDelete: () => void; disabled: boolean };

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

/** Real buttons, unlike react-vant's NumberKeyboard. */
const Keys = memo(function Keys({ onDigit, onDelete, disabled }: KeysProps) {
  const { t } = useTranslation();
  const key = (digit: string) => (
    <button
      key={digit}
      type="button"
      className={styles.key}
      disabled={disabled}
      onPointerDown={tick}
      onClick={() => onDigit(digit)}
    >
      {digit}
    </button>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame and a legend.
    <div className={styles.pad} role="group" aria-label={t('ui.pinPad')}>
      {digits.map(key)}
      <span />
      {key('0')}
      <button
        type="button"
        className={styles.key}
        disabled={disabled}
        aria-label={t('ui.deleteDigit')}
        onPointerDown={tick}
        onClick={onDelete}
      >
        <Icon name="delete" size={26} />
      </button>
    </div>
  );
});
