import { useTranslation } from 'react-i18next';
import { useProperty } from '@/api/queries/use-property';
import type { Property } from '@/api/types';
import { Link } from '@/ui/controls/Link';
import { Card } from '@/ui/display/Card';
import { Icon } from '@/ui/display/Icon';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { Notice } from '@/ui/feedback/Notice';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { AmountText } from '@/ui/money/AmountText';
import { isPositive } from '@/ui/money/decimal';
import { ExportRow } from '../me/ExportRow';
import page from '../me/MePage.module.css';
import { CloseForm } from './CloseForm';
import styles from './ClosePage.module.css';

const consequences = ['final', 'signedOut', 'removed', 'kept', 'forfeit'] as const;

export function ClosePage() {
  const { t } = useTranslation();
  const property = useProperty();
  return (
    <div className={page.page}>
      <Card title={t('me.close.title')}>
        <ul className={styles.list}>
          {consequences.map((key) => (
            <li key={key}>{t(`me.close.consequence.${key}`)}</li>
          ))}
        </ul>
      </Card>
      <Card flush>
        <ExportRow />
      </Card>
      {property.data && <Remaining left={remainingOf(property.data)} />}
      {property.data && remainingOf(property.data).length === 0 && (
        <CloseForm onRefused={property.refetch} />
      )}
      {!property.data && <Unanswered of={property} meanwhile={<CardSkeleton />} />}
    </div>
  );
}

/** The open matters that must be settled first, each with the page for it. */
function Remaining({ left }: { left: ReturnType<typeof remainingOf> }) {
  const { t } = useTranslation();
  if (left.length === 0) return null;
  return (
    <Card title={t('me.close.remaining')}>
      <Notice tone="warning">{t('me.close.remainingText')}</Notice>
      <ul className={styles.left}>
        {left.map(({ key, label, to, amount }) => (
          <li key={key}>
            <Link to={to}>
              <span className={styles.name}>{t(label)}</span>
              <strong>
                <AmountText amount={amount} />
              </strong>
              <Icon name="chevron" size={18} />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The matters that prevent closing an account, and the pages where they are settled. */
const owed = [
  ['available', 'wallet.available', '/wallet/withdraw'],
  ['to_be_consumed', 'wallet.toBeConsumed', '/plan'],
  ['to_be_settled', 'wallet.toBeSettled', '/plan'],
  ['withdrawing', 'wallet.withdrawing', '/wallet/withdraw'],
  ['exchanging', 'wallet.exchanging', '/wallet/foreign-exchange'],
  ['deposit', 'wallet.deposit', '/wallet'],
  ['startup_outstanding', 'me.close.startup', '/wallet'],
] as const satisfies readonly (readonly [keyof Property, string, string])[];

function remainingOf(property: Property) {
  return owed
    .map(([key, label, to]) => ({ key, label, to, amount: property[key] }))
    .filter(({ amount }) => isPositive(amount));
}
