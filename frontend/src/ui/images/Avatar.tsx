import styles from './Avatar.module.css';
import { Picture } from './Picture';

type Props = { name: string; picture: string | null; size?: number };

/** Somebody's picture, else the first letter of their name. The name itself stands beside it. */
export function Avatar({ name, picture, size = 64 }: Props) {
  const [first = ''] = name.trim();
  return (
    <span className={styles.avatar} style={{ width: size, height: size, fontSize: size * 0.42 }}>
      <Picture src={picture} instead={first.toUpperCase()} />
    </span>
  );
}
