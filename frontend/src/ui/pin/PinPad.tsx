import { type KeyboardEvent, memo, type SyntheticEvent, useCallback, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import VantNumberKeyboard from 'react-vant/es/number-keyboard/NumberKeyboard.js';
import { Icon } from '@/ui/display/Icon';
import { tick } from '@/ui/motion';
import styles from './PinPad.module.css';

type Props = {
  value: string;
  onChange: (digits: string) => void;
  /** Takes no more digits than that. */
  maxLength?: number;
  disabled?: boolean;
  /** Looks as ever, and takes no press: use-just-opened.ts. */
  deaf?: boolean;
};

/** Large digits for thumbs, of any number unless it is limited. */
export function PinPad(props: Props) {
  const { value, onChange, maxLength = Infinity, disabled = false, deaf = false } = props;
  // `inert` says the same, but Firefox before 112 does not know it.
  const stays = disabled || deaf;
  const latest = useRef({ value, onChange, maxLength, stays });
  latest.current = { value, onChange, maxLength, stays };
  const press = useCallback((key: string) => {
    const now = latest.current;
    if (now.stays) return;
    if (key === deletes) now.onChange(now.value.slice(0, -1));
    else if (now.value.length < now.maxLength) now.onChange(now.value + key);
  }, []);
  return <Keys onPress={press} disabled={disabled} deaf={deaf} />;
}

const deletes = 'delete';

/** These stay the same between digits; otherwise the whole pad would be drawn with each digit. */
type KeysProps = { onPress: (key: string) => void; disabled: boolean; deaf: boolean };

/**
 * react-vant's keys answer touches alone, so that their own answer is held back: a press by thumb,
 * mouse, key or screen reader is a click, and is taken here.
 */
const Keys = memo(function Keys({ onPress, disabled, deaf }: KeysProps) {
  const { t } = useTranslation();
  const onClick = ({ target }: SyntheticEvent) => {
    const key = keyOf(target);
    if (key) onPress(key);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.key !== 'Enter' && event.key !== ' ') || !keyOf(event.target)) return;
    event.preventDefault();
    (event.target as HTMLElement).click();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame and a legend.
    <div
      className={styles.pad}
      role="group"
      aria-label={t('ui.pinPad')}
      aria-disabled={disabled}
      inert={disabled || deaf}
      onPointerDown={({ target }) => keyOf(target) && tick()}
      onTouchStartCapture={holdBack}
      onTouchEndCapture={holdBack}
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      <VantNumberKeyboard
        visible
        transition={false}
        hideOnClickOutside={false}
        className={styles.keys}
        extraKeyRender={() => <span />}
        deleteRender={() => (
          <>
            <Icon name="delete" size={26} />
            <span className="visually-hidden">{t('ui.deleteDigit')}</span>
          </>
        )}
      />
    </div>
  );
});

function holdBack(event: SyntheticEvent) {
  event.stopPropagation();
}

/** Which key an event is of: its digit, the one that deletes, or none. */
function keyOf(target: EventTarget): string | undefined {
  const key = (target as Element).closest('[role="button"]');
  if (key?.classList.contains('rv-key--delete')) return deletes;
  return key?.textContent?.match(/^\d$/)?.[0];
}
