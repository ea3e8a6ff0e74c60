import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { classNames } from '@/ui/class-names';
import { Badge } from '@/ui/display/Badge';
import styles from './Tabs.module.css';
import { useChosenInView } from './use-chosen-in-view';

export type Tab<K extends string> = { key: K; label: string; badge?: number };

type Props<K extends string> = {
  /** Names the row of tabs for screen readers. */
  label: string;
  tabs: readonly Tab<K>[];
  value: K;
  onChange: (key: K) => void;
  /** `segments` share the width; `pills` scroll when there are many. */
  variant?: 'segments' | 'pills';
  /** The chosen tab's panel. */
  children: ReactNode;
};

/**
 * Tabs with their panel. Arrow keys, Home and End move and choose, as screen readers expect;
 * react-vant's have no roles, answer no key, and bring an animation library of 30 KB.
 */
export function Tabs<K extends string>(props: Props<K>) {
  const { label, tabs, value, onChange, variant = 'segments', children } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const buttons = useRef(new Map<string, HTMLButtonElement>());

  const texts = tabs.map(({ label: text, badge = 0 }) => `${text} ${badge}`).join();
  useChosenInView(
    list,
    tabs.findIndex(({ key }) => key === value),
    texts,
  );

  const onKeyDown = (event: KeyboardEvent) => {
    const now = tabs.findIndex((tab) => tab.key === value);
    const goal = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: -1 }[event.key];
    const tab = goal === undefined ? undefined : tabs.at(goal % tabs.length);
    if (!tab) return;
    event.preventDefault();
    onChange(tab.key);
    buttons.current.get(tab.key)?.focus();
  };

  return (
    <div className={styles.tabs}>
      <div className={styles.frame}>
        <div
          ref={list}
          className={classNames(styles.list, styles[variant])}
          role="tablist"
          aria-label={label}
          onKeyDown={onKeyDown}
        >
          {tabs.map(({ key, label: text, badge }) => (
            <button
              key={key}
              ref={(element) => {
                if (element) buttons.current.set(key, element);
                else buttons.current.delete(key);
              }}
              type="button"
              role="tab"
              id={`${id}-${key}`}
              aria-controls={`${id}-panel`}
              aria-selected={key === value}
              tabIndex={key === value ? 0 : -1}
              className={styles.tab}
              onClick={() => onChange(key)}
            >
              {text}
              {badge ? <Badge count={badge} /> : null}
            </button>
          ))}
        </div>
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${value}`}
        className={styles.panel}
      >
        {children}
      </div>
    </div>
  );
}
