import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './Dialog.module.css';

type Props = {
  title: string;
  onClose(): void;
  children: ReactNode;
  /** `sheet` rises from the bottom edge; `dialog` stands in the middle. */
  kind?: 'dialog' | 'sheet';
};

/** The browser's own dialog: it traps and returns the focus, answers Esc and dims the page. */
export function Dialog({ title, onClose, children, kind = 'dialog' }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (dialog && !dialog.open) dialog.showModal();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it; the click is on the backdrop.
    <dialog
      ref={ref}
      className={styles.dialog}
      data-kind={kind}
      aria-labelledby={heading}
      onClose={onClose}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose();
      }}
    >
      <div className={styles.panel}>
        <h2 id={heading} className={styles.title}>
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  );
}
