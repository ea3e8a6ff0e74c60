import { useTranslation } from 'react-i18next';
import { openCustomerService } from '@/shared/service/customer-service';
import { Tiles } from '@/ui/controls/Tiles';
import type { IconName } from '@/ui/display/Icon';

/** What can save or bring money comes first, then help, then what is read once. */
const pages = [
  ['coupons', '/ad-center/coupons', 'coupon'],
  ['activities', '/ad-center/activities', 'gift'],
  ['vip', '/ad-center/level', 'star'],
  ['operated', '/ad-center/operated', 'users'],
  ['records', '/ad-center/operated?tab=records', 'list'],
  ['faq', '/ad-center/questions', 'question'],
  ['rules', '/ad-center/rules', 'shield'],
  ['feedback', '/ad-center/feedback', 'message'],
] as const satisfies readonly (readonly [string, string, IconName])[];

export function Shortcuts() {
  const { t } = useTranslation();
  const tiles = [
    ...pages.map(([key, to, icon]) => ({ icon, to, text: t(`adCenter.link.${key}`) })),
    {
      icon: 'headset' as const,
      text: t('adCenter.link.service'),
      onClick: () => openCustomerService(),
    },
  ];
  return <Tiles label={t('adCenter.links')} tiles={tiles} />;
}
