import { useTranslation } from 'react-i18next';
import type { Flow } from '@/api/types';
import { formatMoney, formatTime } from '@/i18n/format';
import { flowKinds } from '../flow-kinds';
import { platformPart } from './platform-part';
import { RowAmount } from './RowAmount';
import { RowButton, type RowLook } from './RowButton';

type Props = RowLook & { line: Flow };

/** One line of the statement, by the product's name if it is about a plan. */
export function LineRow({ line, plan, hidden, explained, onOpen }: Props) {
  const { t } = useTranslation();
  const kind = line.added ? t('wallet.added') : t(`wallet.kind.${line.kind}`);
  const theirs = platformPart(line);
  const budget = line.account === 'held' ? t('wallet.fromBudget') : null;
  const balance = hidden ? '••••' : t('wallet.balanceAfter', { amount: formatMoney(line.balance) });
  return (
    <RowButton
      icon={flowKinds[line.kind]}
      title={plan ? plan.product : kind}
      details={[
        plan && `${kind} · ${plan.number}`,
        plan ? null : line.remark,
        formatTime(line.time),
      ]}
      tag={theirs ? t(`wallet.notYours.${theirs}`) : budget}
      amount={<RowAmount amount={line.amount} hidden={hidden} theirs={!!theirs} />}
      beside={line.account === 'available' ? balance : null}
      about={explained ? t(`wallet.kindAbout.${line.kind}`) : null}
      onOpen={onOpen}
    />
  );
}
