import { type KeyboardEvent, useRef } from 'react';
import styles from './Tabs.module.css';

type Props<K extends string> = {
  label: string;
  tabs: readonly { key: K; text: string }[];
  value: K;
  onChange(key: K): void;
  /** `segments` share one track; `chips` scroll sideways. */
  kind?: 'segments' | 'chips';
};

export function Tabs<K extends string>({ label, tabs, value, onChange, kind = 'segments' }: Props<K>) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.key === value);
    const next = (at + step + tabs.length) % tabs.length;
    const tab = tabs[next];
    if (!tab) return;
    onChange(tab.key);
    list.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div ref={list} className={styles.tabs} data-kind={kind} role="tablist" aria-label={label}>
      {tabs.map((tab) => (
        <button
          key={tab.key}
          type="button"
          role="tab"
          className={styles.tab}
          aria-selected={tab.key === value}
          tabIndex={tab.key === value ? 0 : -1}
          onClick={() => onChange(tab.key)}
          onKeyDown={move}
        >
          {tab.text}
        </button>
      ))}
    </div>
  );
}
