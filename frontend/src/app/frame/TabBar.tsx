import { type MouseEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { isPreviousPage } from '@/app/history/entries';
import { KeysSheet } from '@/app/keys/KeysSheet';
import { useKeys } from '@/app/keys/use-keys';
import { HOME, routeAt } from '@/app/routes';
import type { Page } from '@/pages';
import { useNavigate } from '@/shared/navigation/use-navigate';
import { Button } from '@/ui/controls/Button';
import { TabLinks } from '@/ui/controls/TabLinks';
import { useWide } from '@/ui/use-wide';
import './side.css';

const tabs = [
  { to: HOME, icon: 'chart', text: 'app.tab.adCenter' },
  { to: '/plan', icon: 'plans', text: 'app.tab.plans' },
  { to: '/wallet', icon: 'wallet', text: 'app.tab.wallet' },
  { to: '/me', icon: 'user', text: 'app.tab.me' },
] as const;

/**
 * The tabs: on a phone at the bottom of the main pages only, on a desktop at the side of every
 * page.
 */
export function TabBar() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const wide = useWide();
  const [helping, setHelping] = useState(false);
  const onTab = routeAt(pathname)?.tabBar ?? false;
  const { replaces, stepsBack } = historyOf(pathname, onTab);
  useKeys({
    offered: wide,
    pathname,
    goTo: (to) => (stepsBack(to) ? navigate(-1) : navigate(to, { replace: replaces(to) })),
    onHelp: () => setHelping(true),
  });
  if (!wide && !onTab) return null;
  const stepDown = (to: Page) => (event: MouseEvent) => {
    const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (elsewhere || !stepsBack(to)) return;
    event.preventDefault();
    navigate(-1);
  };
  return (
    <>
      <TabLinks
        label={t('app.tab.label')}
        current={pathname}
        tabs={tabs.map(({ to, icon, text }) => ({
          to,
          icon,
          text: t(text),
          replace: replaces(to),
          onClick: stepDown(to),
        }))}
        foot={
          wide && (
            <Button size="small" variant="quiet" onClick={() => setHelping(true)}>
              {t('app.keys.title')}
            </Button>
          )
        }
      />
      {helping && <KeysSheet onClose={() => setHelping(false)} />}
    </>
  );
}

/**
 * How a press on a tab changes the history. The other three main pages are one entry above the ad
 * center: Back leads there from each of them, and switching between them adds no entry. From a
 * deeper page, a main page is a new entry, or a step back if it is the previous one.
 */
function historyOf(pathname: string, onTab: boolean) {
  return {
    replaces: (to: Page) => onTab && (pathname !== HOME || to === HOME),
    stepsBack: (to: Page) => (to === HOME || !onTab) && isPreviousPage(to),
  };
}
