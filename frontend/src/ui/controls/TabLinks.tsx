import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import VantTabbar from 'react-vant/es/tabbar/Tabbar.js';
import VantTabbarItem from 'react-vant/es/tabbar/TabbarItem.js';
import type { Place } from '@/pages';
import { Icon, type IconName } from '@/ui/display/Icon';
import { Link } from './Link';
import styles from './TabLinks.module.css';

type Tab = {
  to: Place;
  icon: IconName;
  text: string;
  replace: boolean;
  onClick: ((event: MouseEvent<HTMLAnchorElement>) => void) | undefined;
};

type Props = {
  label: string;
  tabs: readonly Tab[];
  /** The path of the page that is shown: a main page, or one that belongs to it. */
  current: string;
  /** Below them, where they are at the side. */
  foot?: ReactNode;
};

/** The main pages: at the lower edge of a phone, at the side of a desktop. */
export function TabLinks({ label, tabs, current, foot }: Props) {
  return (
    <nav className={styles.bar} aria-label={label}>
      <VantTabbar
        fixed={false}
        border={false}
        safeAreaInsetBottom={false}
        value={current}
        className={styles.inner}
      >
        {tabs.map((tab) => (
          <TabLink key={tab.to} tab={tab} current={currentness(tab.to, current)} />
        ))}
      </VantTabbar>
      {foot && <div className={styles.foot}>{foot}</div>}
    </nav>
  );
}

/** The page itself, or what it belongs to. */
function currentness(to: Place, current: string): 'page' | 'true' | undefined {
  if (current === to) return 'page';
  return current.startsWith(`${to}/`) ? 'true' : undefined;
}

type Given = ComponentProps<typeof VantTabbarItem>;

/** The bar hands to each what its item wants. The item answers no key, so that a link holds it. */
function TabLink({
  tab,
  current,
  ...given
}: Given & { tab: Tab; current: 'page' | 'true' | undefined }) {
  const { to, icon, text, replace, onClick } = tab;
  return (
    <Link to={to} replace={replace} onClick={onClick} className={styles.tab} aria-current={current}>
      <VantTabbarItem {...given} name={to} icon={<Icon name={icon} />} className={styles.item}>
        {text}
      </VantTabbarItem>
    </Link>
  );
}
