import { CopyButton } from './CopyButton';
import styles from './CopyRow.module.css';

type Props = {
  label: string;
  text: string;
  /** How it is shown, where that is easier to read. */
  shown?: string;
  /** The name of the button, for those who do not see the row. */
  copies: string;
  /** Shows what fits in one line. */
  cut?: boolean;
};

/** An address or a piece of code, to be copied as a whole. */
export function CopyRow({ label, text, shown = text, copies, cut = false }: Props) {
  return (
    <div className={styles.row}>
      <span className={styles.text}>
        <span className={styles.label}>{label}</span>
        {cut ? (
          <code className={styles.cut} data-may-be-cut="it is copied as a whole">
            {shown}
          </code>
        ) : (
          <code className={styles.whole}>{shown}</code>
        )}
      </span>
      <CopyButton text={text} label={copies} />
    </div>
  );
}
