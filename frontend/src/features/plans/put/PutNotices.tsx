import { useTranslation } from 'react-i18next';
import { isRefusal } from '@/api/errors';
import { sentences } from '@/i18n/sentences';
import { RefusalNotice } from '@/shared/money/RefusalNotice';
import { ServiceButton } from '@/shared/service/ServiceButton';
import { Notice } from '@/ui/feedback/Notice';
import { couponRefusals } from '../mutations';

type Props = {
  error: Error | null | undefined;
  limits: { min: string; max: string };
  /** An order was sent and its answer lost, perhaps before this form was reopened. */
  unanswered: boolean;
};

/** The missing amount, and how to pay it in. */
export function TooDear() {
  const { t } = useTranslation();
  return (
    <Notice tone="warning" action={<ServiceButton recharge />}>
      {t('plans.rechargeHint')}
    </Notice>
  );
}

/** The password is asked for only when all is filled in; the button then leads to setting it. */
export function PasswordNext() {
  const { t } = useTranslation();
  return <Notice>{sentences(t('wallet.passwordFirst'), t('plans.passwordNext'))}</Notice>;
}

/** The reasons that prevent the put, each with a way out. */
export function PutNotices({ error, limits, unanswered }: Props) {
  const { t } = useTranslation();
  const coupon = isRefusal(error, ...couponRefusals);
  const outOfRange = isRefusal(error, 'amount_out_of_range');
  return (
    <>
      {coupon && (
        <Notice tone="negative" urgent>
          <strong>{error.msg}</strong>
          <br />
          {t('plans.coupon.chooseAgain')}
        </Notice>
      )}
      {unanswered && !error && <Notice tone="warning">{t('ui.notConfirmed')}</Notice>}
      {outOfRange ? (
        <Notice tone="negative" urgent>
          {t('plans.problem.range', limits)}
        </Notice>
      ) : (
        <RefusalNotice error={error} />
      )}
    </>
  );
}
