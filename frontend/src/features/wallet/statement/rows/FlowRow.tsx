import { useTranslation } from 'react-i18next';
import type { Currency, Flow } from '@/api/types';
import { formatMoney, formatTime } from '@/i18n/format';
import { Icon } from '@/ui/display/Icon';
import { AmountText } from '@/ui/money/AmountText';
import { flowKinds } from '../flow-kinds';
import styles from './FlowRow.module.css';

type Props = { flow: Flow; currency: Currency; hidden: boolean; onOpen: () => void };

/** One line of the statement; a press shows all its details. */
export function FlowRow({ flow, currency, hidden, onOpen }: Props) {
  const { t } = useTranslation();
  return (
    <button type="button" className={styles.row} aria-haspopup="dialog" onClick={onOpen}>
      <span className={styles.icon}>
        <Icon name={flowKinds[flow.kind] ?? 'wallet'} size={20} />
      </span>
      <span className={styles.text}>
        <span className={styles.kind}>{t(`wallet.kind.${flow.kind}`)}</span>
        <time className={styles.detail} dateTime={flow.time}>
          {formatTime(flow.time)}
        </time>
        {flow.remark && <span className={styles.detail}>{flow.remark}</span>}
        {flow.account === 'held' && <span className={styles.from}>{t('wallet.fromBudget')}</span>}
        {flow.account === 'promotional' && (
          <span className={styles.from}>{t('wallet.promotional')}</span>
        )}
      </span>
      <span className={styles.amounts}>
        <AmountText amount={flow.amount} currency={currency} signed hidden={hidden} />
        <span className={styles.detail}>
          {hidden
            ? '••••'
            : t('wallet.balanceAfter', { amount: formatMoney(flow.balance, currency) })}
        </span>
      </span>
    </button>
  );
}
