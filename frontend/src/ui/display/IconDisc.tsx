import { Icon, type IconName } from './Icon';
import styles from './IconDisc.module.css';

/** The icon at the beginning of a row that has a name and details. */
export function IconDisc({ name }: { name: IconName }) {
  return (
    <span className={styles.disc}>
      <Icon name={name} size={20} />
    </span>
  );
}
