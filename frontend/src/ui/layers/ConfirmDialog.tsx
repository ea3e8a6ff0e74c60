import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/controls/Button';
import { Dialog } from './Dialog';

type Props = {
  open: boolean;
  title: string;
  children: ReactNode;
  /** Names the deed, such as `Stop plan`; never just OK. */
  confirmLabel: string;
  /**
   * The label for not doing it. If the action itself cancels something, “Cancel” would be
   * ambiguous.
   */
  dismissLabel?: string;
  danger?: boolean;
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before a step that is hard to take back. */
export function ConfirmDialog({
  open,
  title,
  children,
  confirmLabel,
  dismissLabel,
  danger = false,
  busy = false,
  onConfirm,
  onClose,
}: Props) {
  const { t } = useTranslation();
  const actions = (
    <>
      <Button variant={danger ? 'danger' : 'primary'} loading={busy} onClick={onConfirm}>
        {confirmLabel}
      </Button>
      <Button variant="secondary" onClick={onClose}>
        {dismissLabel ?? t('ui.cancel')}
      </Button>
    </>
  );
  return (
    <Dialog open={open} onClose={onClose} title={title} actions={actions}>
      {children}
    </Dialog>
  );
}
