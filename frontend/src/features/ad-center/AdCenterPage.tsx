import { useTranslation } from 'react-i18next';
import { useProperty } from '@/api/queries/use-property';
import type { Property, Statistics, User } from '@/api/types';
import { useUserInfo } from '@/api/user';
import { formatMoney } from '@/i18n/format';
import { Refreshable } from '@/shared/page/Refreshable';
import { ProductsSheet } from '@/shared/products/ProductsSheet';
import { useChoosing } from '@/shared/products/use-choosing';
import { openCustomerService } from '@/shared/service/customer-service';
import { classNames } from '@/ui/class-names';
import { Button } from '@/ui/controls/Button';
import { Link } from '@/ui/controls/Link';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Tiles } from '@/ui/controls/Tiles';
import { Card } from '@/ui/display/Card';
import { Icon, type IconName } from '@/ui/display/Icon';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { Skeleton } from '@/ui/feedback/Skeleton';
import { PlansPicture } from '@/ui/illustrations/PlansPicture';
import { AmountText } from '@/ui/money/AmountText';
import { CountUp } from '@/ui/money/CountUp';
import { useTwoColumns } from '@/ui/use-wide';
import styles from './AdCenterPage.module.css';
import { FirstRun } from './first-run/FirstRun';
import { useFirstRun } from './first-run/use-first-run';
import { Overview } from './Overview';
import { useStatistics } from './queries';
import { Recommended } from './Recommended';
import { RunningPlans } from './running/RunningPlans';
import { ShopCard } from './ShopCard';
import { TotalReturn } from './TotalReturn';

export function AdCenterPage() {
  const { data: user } = useUserInfo();
  const twoColumns = useTwoColumns();
  if (!user) return null;
  return (
    <Refreshable>
      <div className={styles.page}>
        <div className={styles.part}>
          {user.store_opened ? <Open user={user} /> : <Closed user={user} />}
          {twoColumns && <ShopCard user={user} />}
        </div>
        <div className={styles.part}>
          {user.store_opened && <Overview />}
          {!twoColumns && <ShopCard user={user} />}
          <Shortcuts />
          {!twoColumns && <Recommended />}
        </div>
        {twoColumns && (
          <div className={classNames(styles.part, styles.across)}>
            <Recommended />
          </div>
        )}
      </div>
    </Refreshable>
  );
}

function Open({ user }: { user: User }) {
  const { data: property, isError } = useProperty();
  const { data: today } = useStatistics('today');
  const { data: all, isPending } = useStatistics('all');
  const [choosing, setChoosing] = useChoosing(false);
  const firstRun = useFirstRun(all);
  const start = () => setChoosing(true);
  return (
    <>
      <AdCenterHeader
        property={property ?? (isError ? null : undefined)}
        today={today}
        onStart={start}
      />
      {firstRun && property && all && (
        <FirstRun user={user} property={property} all={all} onStart={start} />
      )}
      {(isPending || (all && all.orders > 0)) && (
        <>
          <TotalReturn all={all} />
          <RunningPlans />
        </>
      )}
      <ProductsSheet open={choosing} coupon={null} onClose={() => setChoosing(false)} />
    </>
  );
}

const nothing = { orders: 0, impressions: 0 };

/** Without an ad account there are no figures; the steps begin with opening one. */
function Closed({ user }: { user: User }) {
  const { t } = useTranslation();
  const { data: property } = useProperty();
  const firstRun = useFirstRun(nothing);
  if (firstRun && property) return <FirstRun user={user} property={property} all={nothing} />;
  return (
    <Card>
      <EmptyState
        picture={<PlansPicture />}
        title={t('adCenter.closedTitle')}
        description={t('adCenter.closedText')}
        action={<LinkButton to="/ad-welcome">{t('adCenter.openAccount')}</LinkButton>}
      />
    </Card>
  );
}

/** In this order: pages that can save or bring money, then help, then pages that are read once. */
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

function Shortcuts() {
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

type Props = {
  /** Undefined while it is loading, null if it could not be loaded. */
  property: Property | undefined | null;
  /** Undefined while they are loading, or could not be loaded. */
  today: Statistics | undefined;
  onStart: () => void;
};

/**
 * The most important content: the available money, today's cost and earnings, and the next plan.
 */
function AdCenterHeader({ property, today, onStart }: Props) {
  const { t } = useTranslation();
  const figures = [
    ['spent', today?.consumed],
    ['earned', today?.revenue],
  ] as const;
  return (
    <section className={styles.card} aria-label={t('adCenter.head')}>
      <div className={styles.top}>
        <div className={styles.money}>
          <Link className={styles.wallet} to="/wallet">
            <span>{t('wallet.available')}</span>
            <Icon name="chevron" size={18} />
          </Link>
          <div className={styles.amount}>
            {property === undefined && <Skeleton width="9rem" height="2rem" />}
            {property === null && '–'}
            {property && <AmountText amount={property.available} size="balance" counts />}
          </div>
        </div>
        <div className={styles.start}>
          <Button size="small" onClick={onStart}>
            {t('plans.start')}
          </Button>
        </div>
      </div>
      <dl className={styles.today}>
        {figures.map(([name, amount]) => (
          <div key={name}>
            <dt>{t(`adCenter.today.${name}`)}</dt>
            <dd>{amount === undefined ? '–' : <CountUp value={amount} format={formatMoney} />}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
