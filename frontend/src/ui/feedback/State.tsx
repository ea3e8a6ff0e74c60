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

/** The content of a page that has no other content: a picture, a text, a next step. */
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
