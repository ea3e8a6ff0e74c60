import { useTranslation } from 'react-i18next';
import type { Flow, FlowPlan, FlowRow } from '@/api/types';
import { formatDateTime, formatMoney } from '@/i18n/format';
import { sentences } from '@/i18n/sentences';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Facts } from '@/ui/display/Facts';
import { Sheet } from '@/ui/layers/Sheet';
import { wayTo } from '../flow-kinds';
import { BillingSheet } from './BillingSheet';
import { platformPart } from './billing-parts';
import styles from './FlowSheet.module.css';
import { RowAmount } from './RowButton';

type Props = { row: FlowRow | null; hidden: boolean; onClose: () => void };

/** All details of the row that was pressed, whatever kind of row it is. */
export function RowSheets(props: Props) {
  return (
    <>
      <FlowSheet {...props} />
      <BillingSheet {...props} />
    </>
  );
}

type FlowSheetProps = { row: FlowRow | null; hidden: boolean; onClose: () => void };

/** All details of one line, with a link to its subject. */
function FlowSheet({ row, hidden, onClose }: FlowSheetProps) {
  const { t } = useTranslation();
  const { line, plan } = row ?? {};
  const way = line && wayTo(line, plan ?? null);
  const theirs = line && platformPart(line);
  const facts = useFacts(hidden);
  const kind = line && (line.added ? t('wallet.added') : t(`wallet.kind.${line.kind}`));
  return (
    <Sheet
      open={!!line}
      onClose={onClose}
      title={kind ?? ''}
      actions={way && <LinkButton to={way.to}>{t(`wallet.wayTo.${way.name}`)}</LinkButton>}
    >
      {line && (
        <>
          <p className={styles.amount}>
            <RowAmount amount={line.amount} hidden={hidden} theirs={!!theirs} />
          </p>
          <About line={line} />
          <Facts facts={facts(line, plan ?? null)} />
        </>
      )}
    </Sheet>
  );
}

/** What a line of its kind is, and whose money it moved if it was not the user's. */
function About({ line }: { line: Flow }) {
  const { t } = useTranslation();
  const about = line.added ? t('wallet.addedAbout') : t(`wallet.kindAbout.${line.kind}`);
  const theirs = platformPart(line);
  return (
    <p className={styles.about}>
      {theirs ? sentences(about, t(`wallet.notYoursAbout.${theirs}`)) : about}
    </p>
  );
}

function useFacts(hidden: boolean) {
  const { t } = useTranslation();
  return (line: Flow, plan: FlowPlan | null) => {
    const remark = line.remark && line.remark !== plan?.number ? line.remark : null;
    return [
      plan && { label: t('wallet.line.product'), value: plan.product },
      plan && { label: t('wallet.line.plan'), value: plan.number },
      { label: t('wallet.line.time'), value: formatDateTime(line.time) },
      { label: t('wallet.line.account'), value: t(`wallet.account.${line.account}`) },
      { label: t('wallet.line.balance'), value: hidden ? '••••••' : formatMoney(line.balance) },
      remark && { label: t('wallet.line.remark'), value: remark },
      { label: t('wallet.line.number'), value: line.id },
    ];
  };
}
