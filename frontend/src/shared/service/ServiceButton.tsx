import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/controls/Button';
import { openCustomerService } from './customer-service';

/** The way out of a problem: to customer service, for a recharge or for anything. */
export function ServiceButton({ recharge = false }: { recharge?: boolean }) {
  const { t } = useTranslation();
  return (
    <Button size="small" variant="secondary" onClick={() => openCustomerService({ recharge })}>
      {t(recharge ? 'ui.wayRecharge' : 'app.bar.service')}
    </Button>
  );
}
