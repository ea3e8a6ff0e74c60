import type { ReactNode } from 'react';
import VantEmpty from 'react-vant/es/empty/Empty.js';
import styles from './State.module.css';

type Props = {
  /** A sign, or one of ./illustrations. */
  picture: ReactNode;
  title: ReactNode;
  description?: string;
  /** What can be done next. */
  children?: ReactNode;
};

/** What stands on a page in place of its content: picture, words, a way on. */
export function State({ picture, title, description, children }: Props) {
  const words = (
    <>
      {title}
      {description && <p className={styles.description}>{description}</p>}
    </>
  );
  return (
    <VantEmpty className={styles.state} image={picture} description={words}>
      {children}
    </VantEmpty>
  );
}
