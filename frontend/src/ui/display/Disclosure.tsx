import { type ReactNode, useId, useState } from 'react';
import VantCollapse from 'react-vant/es/collapse/Collapse.js';
import VantCollapseItem from 'react-vant/es/collapse/CollapseItem.js';
import styles from './Disclosure.module.css';
import { Icon } from './Icon';

type Props = {
  /** Says what is behind it, open or not. */
  label: (open: boolean) => string;
  children: ReactNode;
};

const only = 'only';

/**
 * Shows more on demand. react-vant's row answers no key and keeps what is folded readable: so there
 * is a button in the row, and nothing behind it while it is closed.
 */
export function Disclosure({ label, children }: Props) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const title = (
    <button type="button" className={styles.title} aria-expanded={open} aria-controls={id}>
      {label(open)}
      <Icon name="down" size={16} />
    </button>
  );
  return (
    <VantCollapse
      border={false}
      className={styles.fold}
      value={open ? [only] : []}
      onChange={(names) => setOpen(Array.isArray(names) && names.length > 0)}
    >
      <VantCollapseItem name={only} isLink={false} border={false} title={title}>
        <div id={id}>{open && children}</div>
      </VantCollapseItem>
    </VantCollapse>
  );
}
