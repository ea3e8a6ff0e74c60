import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import { RefusalNotice } from '@/shared/money/RefusalNotice';
import { openCustomerService } from '@/shared/service/customer-service';
import { Button } from '@/ui/controls/Button';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Notice } from '@/ui/feedback/Notice';
import { couponRefusals } from '../mutations';

type Props = {
  error: Error | null;
  limits: { min: string; max: string };
  /** An order was sent and its answer lost, perhaps before this form was reopened. */
  unanswered: boolean;
  tooDear: boolean;
  noPassword: boolean;
};

/** What prevents the put, each with a way out. */
export function PutNotices({ error, limits, unanswered, tooDear, noPassword }: Props) {
  const { t } = useTranslation();
  const coupon = error instanceof ApiError && couponRefusals.includes(error.error);
  const outOfRange = error instanceof ApiError && error.error === 'amount_out_of_range';
  return (
    <>
      {tooDear && (
        <Notice
          tone="warning"
          action={
            <Button
              size="small"
              variant="secondary"
              onClick={() => openCustomerService({ recharge: true })}
            >
              {t('ui.wayRecharge')}
            </Button>
          }
        >
          {t('plans.rechargeHint')}
        </Notice>
      )}
      {noPassword && (
        <Notice
          tone="warning"
          action={
            <LinkButton to="/wallet/set-password" size="small" variant="secondary">
              {t('ui.waySetPassword')}
            </LinkButton>
          }
        >
          {t('plans.passwordFirst')}
        </Notice>
      )}
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
