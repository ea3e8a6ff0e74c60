import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { AcceptorRate, Currency } from '@/api/types';
import { currencyName, rateText } from './currency';
import styles from './ExchangeForm.module.css';

type Props = {
  rates: readonly AcceptorRate[];
  value: string;
  onChange: (currency: string) => void;
  currency: Currency;
};

/** Into which currency, each with its rate. */
export function RateChoice({ rates, value, onChange, currency }: Props) {
  const { t } = useTranslation();
  const group = useId();
  return (
    <fieldset className={styles.rates}>
      <legend>{t('exchange.into')}</legend>
      {rates.map((one) => (
        <label key={one.currency} className={styles.rate}>
          <input
            type="radio"
            name={group}
            checked={one.currency === value}
            onChange={() => onChange(one.currency)}
          />
          <span className={styles.rateText}>
            <span className={styles.rateName}>
              {one.currency} <span className={styles.rateOf}>{currencyName(one.currency)}</span>
            </span>
            <span className={styles.rateValue}>{rateText(currency, one.rate, one.currency)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
