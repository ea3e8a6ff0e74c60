import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/controls/Button';
import { openCustomerService } from './customer-service';

/** Beside problems that users may not be able to solve alone. */
export function AskService() {
  const { t } = useTranslation();
  return (
    <Button size="small" variant="secondary" icon="headset" onClick={() => openCustomerService()}>
      {t('auth.askService')}
    </Button>
  );
}
