import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { isPreviousPage } from '@/app/history/back';
import { TabLinks } from '@/ui/controls/TabLinks';

const tabs = [
  { to: '/ad-center', icon: 'chart', text: 'app.tab.adCenter' },
  { to: '/plan', icon: 'plans', text: 'app.tab.plans' },
  { to: '/wallet', icon: 'wallet', text: 'app.tab.wallet' },
  { to: '/me', icon: 'user', text: 'app.tab.me' },
] as const;

const home = '/ad-center';

/**
 * The other three tabs are one history entry above the ad center: Back leads there from each of
 * them, and switching tabs adds no history.
 */
export function TabBar() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const stepDown = (event: MouseEvent) => {
    const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (elsewhere || !isPreviousPage(home)) return;
    event.preventDefault();
    navigate(-1);
  };
  return (
    <TabLinks
      label={t('app.tab.label')}
      current={pathname}
      tabs={tabs.map(({ to, icon, text }) => ({
        to,
        icon,
        text: t(text),
        replace: pathname !== home || to === home,
        onClick: to === home ? stepDown : undefined,
      }))}
    />
  );
}
