import { type CSSProperties, type ReactNode, useEffect, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { classNames } from '@/ui/class-names';
import { DIALOG_WIDTH, POPUP_Z_INDEX } from '@/ui/constants';
import { Icon } from '@/ui/display/Icon';
import styles from './Layer.module.css';
import { focusable, useModal } from './use-modal';

export type LayerProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** As wide at every width of the window; otherwise a desktop's is no wider than a phone. */
  wide?: boolean;
  /** Buttons that stay in view below what scrolls. */
  actions?: ReactNode;
};

const measures = { zIndex: POPUP_Z_INDEX, '--dialog-width': DIALOG_WIDTH } as CSSProperties;
const asWide = { '--dialog-most': '100%' } as CSSProperties;

type Props = LayerProps & { shape: 'dialog' | 'sheet' };

/** What Dialog and Sheet have in common: backdrop, title, close button, focus. */
export function Layer(props: Props) {
  return props.open ? createPortal(<OpenLayer {...props} />, document.body) : null;
}

function OpenLayer({ shape, onClose, title, children, actions, wide = false }: Props) {
  const { t } = useTranslation();
  const titleId = useId();
  const panel = useModal(true, onClose);
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => makeReachable(body.current), []);
  return (
    <div
      className={classNames(styles.layer, styles[shape])}
      style={wide ? { ...measures, ...asWide } : measures}
    >
      {/* Esc and the close button do the same for keyboards and screen readers. */}
      <div className={styles.backdrop} onClick={onClose} aria-hidden="true" />
      <div
        ref={panel}
        className={styles.panel}
        role="dialog"
        aria-modal="true"
        aria-labelledby={titleId}
        tabIndex={-1}
      >
        {/* No header element: outside the page's own parts it would be a second banner. */}
        <div className={styles.header}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          <button
            type="button"
            className={styles.close}
            aria-label={t('ui.close')}
            onClick={onClose}
          >
            <Icon name="close" size={20} />
          </button>
        </div>
        <div ref={body} className={styles.body}>
          {children}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
    </div>
  );
}

/** A text that scrolls, and has nothing in it to move to, takes the focus itself: keys scroll it. */
function makeReachable(body: HTMLDivElement | null) {
  const scrolls = body && body.scrollHeight > body.clientHeight;
  if (scrolls && !body.querySelector(focusable)) body.tabIndex = 0;
}
