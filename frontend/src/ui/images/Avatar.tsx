import styles from './Avatar.module.css';

type Props = { name: string; picture: string | null; size?: number };

/** Somebody's picture, else the first letter of their name. The name itself stands beside it. */
export function Avatar({ name, picture, size = 64 }: Props) {
  const measures = { width: size, height: size };
  if (picture) {
    return <img className={styles.avatar} src={picture} alt="" {...measures} />;
  }
  const [first = ''] = name.trim();
  return (
    <span className={styles.avatar} style={{ ...measures, fontSize: size * 0.42 }} aria-hidden>
      {first.toUpperCase()}
    </span>
  );
}
