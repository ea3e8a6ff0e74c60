import { useTranslation } from 'react-i18next';
import type { Refusal } from '@/api/contract/refusal';
import { isRefusal } from '@/api/errors';
import { PasswordFirst } from '@/shared/money/PasswordFirst';
import { RefusalNotice } from '@/shared/money/RefusalNotice';
import { Notice } from '@/ui/feedback/Notice';
import { codeProblem } from './code-problem';
import { codeRefusals } from './mutations';

/** What prevents the order, and what to do about it. */
export function OrderProblem({
  error,
  passwordSet,
}: {
  error: Error | null;
  passwordSet: boolean;
}) {
  const { t } = useTranslation();
  if (!passwordSet) return <PasswordFirst />;
  // An expired rate is shown beside the rate, with a link to the current one.
  if (isRefusal(error, 'quote_expired')) return null;
  if (isRefusal(error, ...ownRefusals)) {
    return (
      <Notice tone="negative" urgent>
        {codeProblem(error, t) ?? error.msg}
      </Notice>
    );
  }
  return <RefusalNotice error={error} />;
}

const ownRefusals: Refusal[] = [
  ...codeRefusals,
  'acceptor_limit_exceeded',
  'exchange_order_open',
  'not_found',
];
