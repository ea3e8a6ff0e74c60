import type { ReactNode } from 'react';
import { Icon, type IconName } from '@/ui/display/Icon';
import { Link } from './Link';
import styles from './MenuRow.module.css';

type Props = {
  icon: IconName;
  label: string;
  hint?: ReactNode;
  /** What is chosen now, at the end of the row. */
  value?: string;
} & ({ to: string; replace?: boolean } | { onClick: () => void; busy?: boolean });

/** One line of a menu: leads to a page, or does something. */
export function MenuRow(props: Props) {
  const { icon, label, hint, value } = props;
  const content = (
    <>
      <span className={styles.disc}>
        <Icon name={icon} size={20} />
      </span>
      <span className={styles.text}>
        <span className={styles.label}>{label}</span>
        {hint && <span className={styles.hint}>{hint}</span>}
      </span>
      {value && <span className={styles.value}>{value}</span>}
      <Icon name="chevron" size={18} />
    </>
  );
  if ('to' in props) {
    return (
      <Link to={props.to} replace={props.replace ?? false} className={styles.row}>
        {content}
      </Link>
    );
  }
  const { busy = false, onClick } = props;
  return (
    <button
      type="button"
      className={styles.row}
      aria-busy={busy || undefined}
      onClick={busy ? undefined : onClick}
    >
      {content}
    </button>
  );
}
