import { useTranslation } from 'react-i18next';
import type { Currency, Flow } from '@/api/types';
import { formatDateTime, formatMoney } from '@/i18n/format';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Facts } from '@/ui/display/Facts';
import { Sheet } from '@/ui/layers/Sheet';
import { AmountText } from '@/ui/money/AmountText';
import { wayTo } from '../flow-kinds';
import styles from './FlowSheet.module.css';

type Props = { flow: Flow | null; currency: Currency; hidden: boolean; onClose: () => void };

/** All details of one line, and a link to what it is about. */
export function FlowSheet({ flow, currency, hidden, onClose }: Props) {
  const { t } = useTranslation();
  const way = flow && wayTo(flow);
  return (
    <Sheet
      open={flow !== null}
      onClose={onClose}
      title={flow ? t(`wallet.kind.${flow.kind}`) : ''}
      actions={way && <LinkButton to={way.to}>{t(`wallet.wayTo.${way.name}`)}</LinkButton>}
    >
      {flow && (
        <>
          <p className={styles.amount}>
            <AmountText amount={flow.amount} currency={currency} signed hidden={hidden} />
          </p>
          <p className={styles.about}>{t(`wallet.kindAbout.${flow.kind}`)}</p>
          <Facts
            facts={[
              { label: t('wallet.line.time'), value: formatDateTime(flow.time) },
              { label: t('wallet.line.account'), value: t(`wallet.account.${accountOf(flow)}`) },
              {
                label: t('wallet.line.balance'),
                value: hidden ? '••••••' : formatMoney(flow.balance, currency),
              },
              ...(flow.remark ? [{ label: t('wallet.line.remark'), value: flow.remark }] : []),
              { label: t('wallet.line.number'), value: flow.id },
            ]}
          />
        </>
      )}
    </Sheet>
  );
}

function accountOf({ account }: Flow): 'available' | 'held' | 'promotional' {
  return account === 'held' || account === 'promotional' ? account : 'available';
}
