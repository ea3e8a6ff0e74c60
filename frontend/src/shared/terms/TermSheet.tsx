import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { LinkButton } from '@/ui/controls/LinkButton';
import { Sheet } from '@/ui/layers/Sheet';
import { AmountText } from '@/ui/money/AmountText';
import { billedBy } from './billed-by';
import { PlanParts } from './PlanParts';
import { isPlanTerm } from './plan-parts';
import styles from './TermSheet.module.css';
import { type Term, wayBehind } from './terms';
import { useTermName } from './use-term-name';

export type TermSheetProps = {
  term: Term;
  amount: string;
  hidden?: boolean;
  onClose: () => void;
};

/** What a figure is, what it consists of, and where it goes next. */
export function TermSheet({ term, amount, hidden = false, onClose }: TermSheetProps) {
  const { t } = useTranslation();
  const name = useTermName(term);
  const way = wayBehind(term);
  const { key, pathname } = useLocation();
  const opened = useRef(key);
  // A link may lead to another part of the same page.
  useEffect(() => {
    if (key !== opened.current) onClose();
  }, [key, onClose]);
  const wayName =
    'kind' in way
      ? t('terms.lines', { kind: t(`wallet.kind.${way.kind}`) })
      : 'name' in way
        ? t(`wallet.wayTo.${way.name}`)
        : t('wallet.funding');
  return (
    <Sheet
      open
      onClose={onClose}
      title={t('terms.what', { term: name })}
      actions={way.to !== pathname && <LinkButton to={way.to}>{wayName}</LinkButton>}
    >
      <p className={styles.amount}>
        <AmountText amount={amount} hidden={hidden} />
      </p>
      <div className={styles.about}>
        <p>
          {term === 'consumed'
            ? t('terms.consumed', { time: billedBy() })
            : t(`wallet.about.${term}`)}
        </p>
        {term === 'toBeConsumed' && <p>{t('terms.spending')}</p>}
        {term === 'withdrawing' && <p>{t('terms.waiting')}</p>}
        {isPlanTerm(term) && <PlanParts term={term} amount={amount} hidden={hidden} />}
      </div>
    </Sheet>
  );
}
