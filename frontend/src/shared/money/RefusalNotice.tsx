import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Refusal, Shown } from '@/api/contract/refusal';
import { ApiError, NetworkError } from '@/api/errors';
import { lostText, networkText } from '@/api/status-text';
import type { Place } from '@/pages';
import { AskService } from '@/shared/service/AskService';
import { ServiceButton } from '@/shared/service/ServiceButton';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Notice } from '@/ui/feedback/Notice';
import { passwordProblem } from '@/ui/pin/password-problem';

/** The refusals that a RefusalNotice shows, for the `inline` option of the page's calls. */
export const moneyRefusals: Shown[] = [
  'insufficient_balance',
  'amount_out_of_range',
  'pay_password_not_set',
  'wrong_pay_password',
  'pay_password_locked',
  'startup_funds_outstanding',
  'chargeback_due',
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
        {lostText(error, t, error.lost ? 'ui.lostConnection' : 'ui.notConfirmed')}
      </Notice>
    );
  }
  if (!(error instanceof ApiError) || !moneyRefusals.includes(error.error)) return null;
  return (
    <Notice tone="negative" urgent action={<WayOut refusal={error.error} />}>
      {error.error.includes('pay_password') && error.error !== 'pay_password_not_set'
        ? passwordProblem(error, t)
        : error.msg}
    </Notice>
  );
}

const ways = {
  pay_password_not_set: ['/wallet/set-password', 'ui.waySetPassword'],
  startup_funds_outstanding: ['/wallet', 'ui.wayReturnStartup'],
  bank_card_not_bound: ['/wallet/bind-card', 'ui.wayBindCard'],
  store_not_opened: ['/ad-welcome', 'ui.wayOpenStore'],
  not_found: ['/plan', 'ui.wayPlans'],
  plan_not_puttable: ['/plan', 'ui.wayPlans'],
  plans_under_way: ['/plan', 'ui.wayPlans'],
} as const satisfies Partial<Record<Refusal, readonly [Place, ParseKeys]>>;

function WayOut({ refusal }: { refusal: Refusal }) {
  const { t } = useTranslation();
  if (refusal === 'insufficient_balance' || refusal === 'chargeback_due')
    return <ServiceButton recharge />;
  if (!(refusal in ways)) return null;
  const [to, text] = ways[refusal as keyof typeof ways];
  return (
    <>
      <LinkButton to={to} size="small" variant="secondary">
        {t(text)}
      </LinkButton>
      {refusal === 'startup_funds_outstanding' && <AskService />}
    </>
  );
}
