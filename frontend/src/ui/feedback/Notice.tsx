import { type ReactNode, useLayoutEffect, useRef } from 'react';
import VantNoticeBar from 'react-vant/es/notice-bar/NoticeBar.js';
import { classNames } from '@/ui/class-names';
import { Icon } from '@/ui/display/Icon';
import styles from './Notice.module.css';

type Props = {
  tone?: 'info' | 'positive' | 'warning' | 'negative';
  children: ReactNode;
  /** The way out: a button or a link. */
  action?: ReactNode;
  /** Announced at once, for what has just gone wrong. */
  urgent?: boolean;
};

/** Something to know on the page itself, with what to do about it. */
export function Notice({ tone = 'info', children, action, urgent = false }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // To react-vant each is an alert; read out at once should be only what has just gone wrong.
    const bar = frame.current?.firstElementChild;
    if (urgent) bar?.setAttribute('role', 'alert');
    else bar?.removeAttribute('role');
  }, [urgent]);
  return (
    <div ref={frame} className={styles.frame}>
      <VantNoticeBar
        wrapable
        scrollable={false}
        className={classNames(styles.notice, styles[tone])}
        leftIcon={<Sign tone={tone} />}
      >
        <div className={styles.content}>
          <div>{children}</div>
          {action}
        </div>
      </VantNoticeBar>
    </div>
  );
}

function Sign({ tone }: { tone: NonNullable<Props['tone']> }) {
  return (
    <Icon name={tone === 'positive' ? 'check' : tone === 'info' ? 'info' : 'warning'} size={20} />
  );
}
