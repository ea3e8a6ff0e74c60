import VantCountDown from 'react-vant/es/count-down/CountDown.js';
import styles from './CountDown.module.css';

type Props = {
  /** Milliseconds from now on; another figure starts anew. */
  left: number;
  onEnd: () => void;
};

/** The time left, such as 4:32. Read aloud every second it would drown everything else. */
export function CountDown({ left, onEnd }: Props) {
  return (
    <span className={styles.frame} aria-hidden="true">
      <VantCountDown time={left} onFinish={onEnd} className={styles.clock}>
        {({ hours, minutes, seconds }) => clock(hours * 60 + minutes, seconds)}
      </VantCountDown>
    </span>
  );
}

function clock(minutes: number, seconds: number): string {
  return `${minutes}:${String(seconds).padStart(2, '0')}`;
}
