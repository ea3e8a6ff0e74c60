import { Button } from '@/ui/controls/Button';
import styles from './AvailableHint.module.css';
import { isPositive } from './decimal';

type Props = {
  /** How much there is, in words. */
  text: string;
  /** The button's name: take all of it, or as much as may be taken. */
  take: string;
  amount: string;
  onTake: (amount: string) => void;
};

/** Below the field of an amount: what there is, and a way to enter all of it. */
export function AvailableHint({ text, take, amount, onTake }: Props) {
  return (
    <span className={styles.available}>
      <span className={styles.text}>{text}</span>
      <Button
        size="small"
        variant="quiet"
        disabled={!isPositive(amount)}
        onClick={() => onTake(amount)}
      >
        {take}
      </Button>
    </span>
  );
}
