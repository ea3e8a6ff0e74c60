import { useTranslation } from 'react-i18next';
import type { AcceptorRate } from '@/api/types';
import { nameOf } from '@/i18n/format';
import { RadioList } from '@/ui/form/RadioList';
import { rateText } from './currency';
import styles from './ExchangeForm.module.css';

type Props = {
  rates: readonly AcceptorRate[];
  value: string;
  onChange: (currency: string) => void;
};

/** The currencies to exchange into, each with its rate. */
export function RateChoice({ rates, value, onChange }: Props) {
  const { t } = useTranslation();
  const options = rates.map((one) => ({
    value: one.currency,
    content: (
      <span className={styles.rateText}>
        <span className={styles.rateName}>
          {one.currency} <span className={styles.rateOf}>{nameOf('currency', one.currency)}</span>
        </span>
        <span className={styles.rateValue}>{rateText(one.rate, one.currency)}</span>
      </span>
    ),
  }));
  return (
    <RadioList legend={t('exchange.into')} options={options} value={value} onChange={onChange} />
  );
}
