import { useTranslation } from 'react-i18next';
import type { Following } from '@/api/types';
import { formatDate } from '@/i18n/format';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Card } from '@/ui/display/Card';
import { Facts } from '@/ui/display/Facts';
import { StatusTag } from '@/ui/display/StatusTag';

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
