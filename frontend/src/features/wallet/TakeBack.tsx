import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { isRefusal } from '@/api/errors';
import { useInvalidatingMutation } from '@/api/queries/use-invalidating-mutation';
import { Button } from '@/ui/controls/Button';
import { showToast } from '@/ui/feedback/toast-store';
import { ConfirmDialog } from '@/ui/layers/ConfirmDialog';

const changes = {
  '/user/withdraw/cancel': 'cancelWithdrawal',
  '/user/recharge/announce/cancel': 'announcePayment',
} as const;

export function useTakeBack(path: keyof typeof changes) {
  const cancel = (id: string) => call('POST', path, { body: { id }, inline: ['already_decided'] });
  return useInvalidatingMutation(changes[path], cancel, { awaitRefetch: true });
}

type Props = {
  path: keyof typeof changes;
  id: string;
  texts: { action: string; name?: string; title: string; done: string; tooLate: string };
  /** The text about the consequences. */
  children: ReactNode;
};

/** Takes back, after a question, what nobody has decided on yet. */
export function TakeBack({ path, id, texts, children }: Props) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const cancel = useTakeBack(path);
  const confirm = async () => {
    try {
      await cancel.mutateAsync(id);
      showToast(texts.done, 'success');
    } catch (error) {
      // It was decided meanwhile, which the page shows once it is fetched again. Other failures
      // report themselves.
      if (isRefusal(error, 'already_decided')) showToast(texts.tooLate, 'failure');
    } finally {
      setAsking(false);
    }
  };
  return (
    <>
      <Button
        size="small"
        variant="secondary"
        aria-label={texts.name}
        onClick={() => setAsking(true)}
      >
        {texts.action}
      </Button>
      <ConfirmDialog
        open={asking}
        title={texts.title}
        confirmLabel={texts.action}
        dismissLabel={t('wallet.keep')}
        danger
        busy={cancel.isPending}
        onConfirm={confirm}
        onClose={() => setAsking(false)}
      >
        <p>{children}</p>
      </ConfirmDialog>
    </>
  );
}
