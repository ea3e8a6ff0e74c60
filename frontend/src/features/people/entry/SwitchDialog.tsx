import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/controls/Button';
import { Dialog } from '@/ui/layers/Dialog';

type Props = { current: string; other: string; onSwitch(): void; onStay(): void };

/** A link would sign somebody in who is not the one signed in. */
export function SwitchDialog({ current, other, onSwitch, onStay }: Props) {
  const { t } = useTranslation();
  const actions = (
    <>
      <Button onClick={onStay}>{t('auth.switchStay', { current })}</Button>
      <Button variant="secondary" onClick={onSwitch}>
        {t('auth.switchConfirm', { other })}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onStay} title={t('auth.switchTitle')} actions={actions}>
      {t('auth.switchText', { current, other })}
    </Dialog>
  );
}
