import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { AcceptorType } from '@/api/types';
import { formatMoney } from '@/i18n/format';
import { IconDisc } from '@/ui/display/IconDisc';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { EmptyState } from '@/ui/feedback/EmptyState';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { TeamPicture } from '@/ui/illustrations/TeamPicture';
import styles from './AcceptorList.module.css';
import { acceptorsQuery } from './queries';

/** The acceptors, their currencies and limits: each gives out its own code. */
export function AcceptorList({ type }: { type: AcceptorType }) {
  const { t } = useTranslation();
  const acceptors = useQuery(acceptorsQuery(type));
  if (!acceptors.data) return <Unanswered of={acceptors} meanwhile={<CardSkeleton lines={2} />} />;
  if (!acceptors.data.length) {
    return (
      <EmptyState
        picture={<TeamPicture />}
        title={t('exchange.nobody')}
        description={t('exchange.nobodyHint')}
      />
    );
  }
  return (
    <ul className={styles.list} aria-label={t(`exchange.type.${type}`)}>
      {acceptors.data.map(({ id, name, limit, currencies }) => (
        <li key={id} className={styles.row}>
          <IconDisc name={type === 'personal' ? 'user' : 'bank'} />
          <span className={styles.text}>
            <span className={styles.name}>{name}</span>
            <span className={styles.detail}>
              {t('exchange.upTo', { amount: formatMoney(limit) })}
            </span>
            <span className={styles.detail}>{currencies.join(' · ')}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
