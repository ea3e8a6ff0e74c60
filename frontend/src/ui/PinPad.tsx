import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from './Icon';
import { tick } from './motion';
import styles from './PinPad.module.css';

/** Both stay the same from one digit to the next, or the whole pad is drawn with each. */
type Props = { onDigit: (digit: string) => void; onDelete: () => void; disabled?: boolean };

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

/** Large digits for thumbs. Real buttons, unlike react-vant's NumberKeyboard. */
export const PinPad = memo(function PinPad({ onDigit, onDelete, disabled = false }: Props) {
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
