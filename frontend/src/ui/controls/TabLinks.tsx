import type { ComponentProps, MouseEvent } from 'react';
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

type Props = { label: string; tabs: readonly Tab[]; current: string };

/** The main pages, at the lower edge. */
export function TabLinks({ label, tabs, current }: Props) {
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
          <TabLink key={tab.to} tab={tab} current={current === tab.to} />
        ))}
      </VantTabbar>
    </nav>
  );
}

type Given = ComponentProps<typeof VantTabbarItem>;

/** The bar hands to each what its item wants. The item answers no key, so that a link holds it. */
function TabLink({ tab, current, ...given }: Given & { tab: Tab; current: boolean }) {
  const { to, icon, text, replace, onClick } = tab;
  return (
    <Link
      to={to}
      replace={replace}
      onClick={onClick}
      className={styles.tab}
      aria-current={current ? 'page' : undefined}
    >
      <VantTabbarItem {...given} name={to} icon={<Icon name={icon} />} className={styles.item}>
        {text}
      </VantTabbarItem>
    </Link>
  );
}
