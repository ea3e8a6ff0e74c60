import type { ReactNode } from 'react';
import VantNavBar from 'react-vant/es/nav-bar/Navbar.js';
import styles from './NavBar.module.css';

type Props = {
  title: string | null;
  /** A button of ours: react-vant's arrow answers no key. */
  back: ReactNode;
  children: ReactNode;
};

/** The bar above a page: the way back, its title, and icon buttons. */
export function NavBar({ title, back, children }: Props) {
  return (
    <VantNavBar
      border={false}
      className={styles.bar}
      leftArrow={null}
      leftText={back}
      title={title && <h1 className={styles.title}>{title}</h1>}
      rightText={<div className={styles.signs}>{children}</div>}
    />
  );
}
