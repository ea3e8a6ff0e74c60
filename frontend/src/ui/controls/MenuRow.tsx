import type { ReactNode } from 'react';
import VantCell from 'react-vant/es/cell/Cell.js';
import type { Place } from '@/pages';
import { Icon, type IconName } from '@/ui/display/Icon';
import { IconDisc } from '@/ui/display/IconDisc';
import { Link } from './Link';
import styles from './MenuRow.module.css';

type Words = {
  icon: IconName;
  label: string;
  hint?: ReactNode;
  /** The current choice, shown at the end of the row. */
  value?: string;
};
type Props = Words & ({ to: Place; replace?: boolean } | { onClick: () => void; busy?: boolean });

/**
 * One line of a menu: leads to a page, or does something. A clickable react-vant cell does not
 * respond to keys, so the cell is inside a link or a button.
 */
export function MenuRow(props: Props) {
  if ('to' in props) {
    return (
      <Link to={props.to} replace={props.replace ?? false} className={styles.row}>
        <Content {...props} />
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
      <Content {...props} />
    </button>
  );
}

function Content({ icon, label, hint, value }: Words) {
  return (
    <VantCell
      center
      border={false}
      className={styles.cell}
      // The cell hands a class to its icon, which keeps its own.
      icon={<IconDisc name={icon} />}
      title={label}
      titleClass={styles.label}
      label={hint}
      labelClass={styles.hint}
      value={value}
      valueClass={styles.value}
      rightIcon={<Icon name="chevron" size={18} />}
    />
  );
}
