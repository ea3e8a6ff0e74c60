import { useTranslation } from 'react-i18next';
import type { Refusal, Shown } from '@/api/contract/refusal';
import { ApiError, NetworkError } from '@/api/errors';
import { networkText } from '@/api/status-text';
import { formatMoney } from '@/i18n/format';
import type { Place } from '@/pages';
import { AskService } from '@/shared/service/AskService';
import { ServiceButton } from '@/shared/service/ServiceButton';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Notice } from '@/ui/feedback/Notice';
import { passwordProblem } from '@/ui/pin/password-problem';

/** For the `inline` option of a call whose page shows a RefusalNotice. */
export const moneyRefusals: Shown[] = [
  'insufficient_balance',
  'amount_out_of_range',
  'pay_password_not_set',
  'wrong_pay_password',
  'pay_password_locked',
  'startup_funds_outstanding',
  'bank_card_not_bound',
  'payout_on_hold',
  'pay_setup_on_hold',
  'store_not_opened',
  'not_found',
  'plan_not_puttable',
  'plan_not_running',
  'plan_budget_full',
  'plans_under_way',
  'announcements_open',
  'network',
];

/** The server's reason for refusing, with the way out beside it. */
export function RefusalNotice({ error }: { error: Error | null | undefined }) {
  const { t } = useTranslation();
  if (error instanceof NetworkError) {
    return (
      <Notice tone="warning" urgent>
        {!error.lost && <strong>{networkText(error, t, 'app.error.error')} </strong>}
        {t(error.lost ? 'ui.lostConnection' : 'ui.notConfirmed')}
      </Notice>
    );
  }
  if (!(error instanceof ApiError) || !moneyRefusals.includes(error.error)) return null;
  return (
    <Notice tone="negative" urgent action={<WayOut refusal={error.error} />}>
      {error.error.includes('pay_password') && error.error !== 'pay_password_not_set'
        ? passwordProblem(error, t)
        : error.msg}
      <Outstanding amount={error.data.outstanding} />
    </Notice>
  );
}

function Outstanding({ amount }: { amount: unknown }) {
  const { t } = useTranslation();
  if (typeof amount !== 'string') return null;
  return (
    <p>
      <strong>{t('ui.outstanding', { amount: formatMoney(amount) })}</strong>
    </p>
  );
}

function WayOut({ refusal }: { refusal: Refusal }) {
  const { t } = useTranslation();
  const link = (to: Place, text: string) => (
    <LinkButton to={to} size="small" variant="secondary">
      {text}
    </LinkButton>
  );
  switch (refusal) {
    case 'insufficient_balance':
      return <ServiceButton recharge />;
    case 'pay_password_not_set':
      return link('/wallet/set-password', t('ui.waySetPassword'));
    case 'startup_funds_outstanding':
      return (
        <>
          {link('/wallet', t('ui.wayReturnStartup'))}
          <AskService />
        </>
      );
    case 'bank_card_not_bound':
      return link('/wallet/bind-card', t('ui.wayBindCard'));
    case 'store_not_opened':
      return link('/ad-welcome', t('ui.wayOpenStore'));
    case 'not_found':
    case 'plan_not_puttable':
    case 'plans_under_way':
      return link('/plan', t('ui.wayPlans'));
    default:
      return null;
  }
}
