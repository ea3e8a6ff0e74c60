import { useTranslation } from 'react-i18next';
import type { Following } from '@/api/types';
import { formatDate } from '@/i18n/format';
import { Card } from '@/ui/Card';
import { Facts } from '@/ui/Facts';
import { LinkButton } from '@/ui/LinkButton';
import { StatusTag } from '@/ui/StatusTag';

export function CurrentFollow({ current }: { current: Following }) {
  const { t } = useTranslation();
  return (
    <Card
      title={t('operated.current')}
      aside={<StatusTag tone="positive">{t('operated.following')}</StatusTag>}
    >
      <Facts
        facts={[
          { label: t('operated.id'), value: current.operated_id },
          { label: t('operated.name'), value: current.name },
          { label: t('operated.since'), value: formatDate(current.since) },
        ]}
      />
      <LinkButton to="/plan?status=waiting_to_put" variant="secondary">
        {t('operated.offers')}
      </LinkButton>
    </Card>
  );
}
