import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import type { PublisherInfo } from '@/api/types';
import { formatDate, formatMoney, formatPercent } from '@/i18n/format';
import { LinkGone } from '@/shared/link/LinkGone';
import { LinkPage } from '@/shared/link/LinkPage';
import frame from '@/shared/link/LinkPage.module.css';
import { classNames } from '@/ui/class-names';
import { CopyRow } from '@/ui/controls/CopyRow';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { CardSkeletons } from '@/ui/feedback/CardSkeleton';
import { Notice } from '@/ui/feedback/Notice';
import { Skeleton } from '@/ui/feedback/Skeleton';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { toPlot } from '@/ui/money/decimal';
import { FiguresCard } from './FiguresCard';
import { MonthsCard } from './MonthsCard';
import styles from './PublisherPage.module.css';
import { usePublisher, usePublisherSlots } from './queries';

/** The page of a publisher, by a link from staff; a publisher has no account and no session. */
export function PublisherPage() {
  return <LinkPage page={Page} />;
}

function Page({ link }: { link: string }) {
  const publisher = usePublisher(link);
  const { data: info, error } = publisher;
  if (error instanceof ApiError && error.code === 401) return <LinkGone />;
  if (error && !info) {
    const message = error instanceof ApiError ? error.message : undefined;
    return <Unanswered of={publisher} message={message} />;
  }
  if (!info) return <CardSkeletons className={frame.page} lines={[4, 6]} />;
  return (
    <div className={frame.page}>
      <MoneyCard info={info} />
      <FiguresCard link={link} currency={info.currency} />
      <TagsCard link={link} />
      <MonthsCard link={link} currency={info.currency} />
    </div>
  );
}

const kinds = ['tag', 'frame'] as const;

/** The tags that the publisher copies into its pages. */
function TagsCard({ link }: { link: string }) {
  const { t } = useTranslation();
  const slots = usePublisherSlots(link);
  return (
    <Card title={t('publisher.tags')}>
      <p className="intro">{t('publisher.tagsHint')}</p>
      {slots.data ? (
        <ul className={styles.tags}>
          {slots.data.items.map((slot) => (
            <li key={slot.key} className={frame.stack}>
              <h3 className={styles.subtitle}>{slot.key}</h3>
              {kinds.map((kind) => (
                <CopyRow
                  key={kind}
                  label={t(`publisher.${kind}`)}
                  text={slot[kind]}
                  copies={t('plans.tracking.copy', {
                    link: `${slot.key}: ${t(`publisher.${kind}`)}`,
                  })}
                />
              ))}
            </li>
          ))}
          {slots.data.items.length === 0 && <li>{t('publisher.noSlots')}</li>}
        </ul>
      ) : (
        <Unanswered of={slots} meanwhile={<Skeleton height="8em" />} />
      )}
    </Card>
  );
}

/** The publisher's name, and its earnings. */
function MoneyCard({ info }: { info: PublisherInfo }) {
  const { t } = useTranslation();
  const { currency } = info;
  const money = (amount: string) => formatMoney(amount, { currency });
  return (
    <Card>
      <header className={styles.head}>
        <h2 className={frame.name}>{info.name}</h2>
        {info.domain && <p className={classNames('verbatim', frame.muted)}>{info.domain}</p>}
      </header>
      {info.status !== 'active' && <Notice tone="warning">{t('publisher.inactive')}</Notice>}
      <p className={styles.figure}>
        <span className={frame.muted}>{t('publisher.earned')}</span>
        <strong className={styles.amount}>{money(info.money.earned)}</strong>
      </p>
      <Facts
        facts={[
          {
            label: t('publisher.payable'),
            value: money(info.money.payable),
            hint: t('publisher.payableHint', {
              count: info.money.delay_days,
              minimum: money(info.money.minimum),
            }),
          },
          toPlot(info.money.corrected) !== 0 && {
            label: t('publisher.corrected'),
            value: formatMoney(info.money.corrected, { currency, sign: true }),
          },
          { label: t('publisher.asked'), value: money(info.money.asked) },
          { label: t('publisher.paid'), value: money(info.money.paid) },
          { label: t('publisher.share'), value: formatPercent(info.share) },
        ]}
      />
      {info.link_until && (
        <p className={frame.muted}>{t('publisher.until', { date: formatDate(info.link_until) })}</p>
      )}
    </Card>
  );
}
