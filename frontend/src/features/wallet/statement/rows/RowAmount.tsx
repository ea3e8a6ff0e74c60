import { AmountText } from '@/ui/money/AmountText';
import styles from './RowAmount.module.css';

type Props = {
  amount: string;
  hidden: boolean;
  /** It is not the user's own money, and never looks as if it came or went. */
  theirs: boolean;
};

export function RowAmount({ theirs, amount, ...rest }: Props) {
  if (!theirs) return <AmountText amount={amount} signed {...rest} />;
  return (
    <span className={styles.theirs}>
      <AmountText amount={amount.replace(/^-/, '')} {...rest} />
    </span>
  );
}
