import { useTranslation } from 'react-i18next';
import { openCustomerService } from '@/shared/service/customer-service';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';

/** The way to customer service for users who did not find an answer. */
export function AskServiceCard() {
  const { t } = useTranslation();
  return (
    <Card title={t('faq.unclear')}>
      <p className="intro">{t('faq.unclearText')}</p>
      <Button variant="secondary" icon="headset" onClick={() => openCustomerService()}>
        {t('faq.ask')}
      </Button>
    </Card>
  );
}
