import type { ReactNode } from 'react';
import type { FlowPlan } from '@/api/types';
import { Icon, type IconName } from '@/ui/display/Icon';
import { Parts } from '@/ui/display/Parts';
import { AmountText } from '@/ui/money/AmountText';
import styles from './RowButton.module.css';

/** How a row of whatever kind is shown. */
export type RowLook = {
  plan: FlowPlan | null;
  hidden: boolean;
  /** Says below the kind what it is. */
  explained: boolean;
  onOpen: () => void;
};

type Props = {
  icon: IconName;
  title: string;
  /** Below the title; those without a text are left out. */
  details: readonly (string | readonly string[] | null)[];
  /** Whose money it is, if it is not simply the user's available funds. */
  tag: string | null;
  amount: ReactNode;
  /** Below the amount. */
  beside: string | null;
  /** An explanation of the line's kind, below everything else. */
  about: string | null;
  onOpen: () => void;
};

/** A row of the statement; a press shows all its details. */
export function RowButton({ icon, title, details, tag, amount, beside, about, onOpen }: Props) {
  return (
    <button type="button" className={styles.row} aria-haspopup="dialog" onClick={onOpen}>
      <span className={styles.icon}>
        <Icon name={icon} size={20} />
      </span>
      <span className={styles.text}>
        <span className={styles.title}>{title}</span>
        {details.map((detail) => detail && <Detail key={String(detail)}>{detail}</Detail>)}
        {tag && <span className={styles.tag}>{tag}</span>}
      </span>
      <span className={styles.amounts}>
        {amount}
        {beside && <Detail>{beside}</Detail>}
      </span>
      {about && <span className={styles.about}>{about}</span>}
    </button>
  );
}

function Detail({ children }: { children: string | readonly string[] }) {
  const text = typeof children === 'string' ? children : <Parts parts={children} />;
  return <span className={styles.detail}>{text}</span>;
}

type RowAmountProps = {
  amount: string;
  hidden: boolean;
  /** Whether it is not the user's own money, so that it must not look as if it came or went. */
  theirs: boolean;
};

export function RowAmount({ theirs, amount, ...rest }: RowAmountProps) {
  if (!theirs) return <AmountText amount={amount} signed {...rest} />;
  return (
    <span className={styles.theirs}>
      <AmountText amount={amount.replace(/^-/, '')} {...rest} />
    </span>
  );
}
