import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { isPreviousPage } from '@/app/history/entries';
import { HOME } from '@/app/routes';
import { useNavigate } from '@/shared/navigation/use-navigate';
import { TabLinks } from '@/ui/controls/TabLinks';

const tabs = [
  { to: HOME, icon: 'chart', text: 'app.tab.adCenter' },
  { to: '/plan', icon: 'plans', text: 'app.tab.plans' },
  { to: '/wallet', icon: 'wallet', text: 'app.tab.wallet' },
  { to: '/me', icon: 'user', text: 'app.tab.me' },
] as const;

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
    if (elsewhere || !isPreviousPage(HOME)) return;
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
        replace: pathname !== HOME || to === HOME,
        onClick: to === HOME ? stepDown : undefined,
      }))}
    />
  );
}
