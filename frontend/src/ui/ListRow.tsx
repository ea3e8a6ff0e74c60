import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Icon, type IconName } from './Icon';
import styles from './ListRow.module.css';

type Props = {
  title: ReactNode;
  description?: ReactNode;
  /** At the end of the row: an amount, a tag, a badge. */
  value?: ReactNode;
  icon?: IconName;
  /** With `to` or `onClick` the whole row can be pressed; without, it only tells. */
  to?: string;
  onClick?: () => void;
};

/** A row of a list inside a flush Card. */
export function ListRow({ title, description, value, icon, to, onClick }: Props) {
  const content = (
    <>
      {icon && (
        <span className={styles.icon}>
          <Icon name={icon} size={22} />
        </span>
      )}
      <span className={styles.text}>
        <span className={styles.title}>{title}</span>
        {description && <span className={styles.description}>{description}</span>}
      </span>
      {value !== undefined && <span className={styles.value}>{value}</span>}
      {(to || onClick) && (
        <span className={styles.chevron}>
          <Icon name="chevron" size={18} />
        </span>
      )}
    </>
  );
  if (to) {
    return (
      <Link className={styles.row} to={to}>
        {content}
      </Link>
    );
  }
  if (onClick) {
    return (
      <button type="button" className={styles.row} onClick={onClick}>
        {content}
      </button>
    );
  }
  return <div className={styles.row}>{content}</div>;
}
