import { useTranslation } from 'react-i18next';
import { useProperty } from '@/api/queries/use-property';
import { Card } from '@/ui/display/Card';
import { CardSkeleton } from '@/ui/feedback/CardSkeleton';
import { Unanswered } from '@/ui/feedback/Unanswered';
import { ExportRow } from '../me/ExportRow';
import page from '../me/MePage.module.css';
import { CloseForm } from './CloseForm';
import styles from './ClosePage.module.css';
import { Remaining } from './Remaining';
import { remainingOf } from './remaining';

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
