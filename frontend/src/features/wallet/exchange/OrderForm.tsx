import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Refusal } from '@/api/contract/refusal';
import { isRefusal } from '@/api/errors';
import type { AcceptorDetail, AcceptorRate, Property } from '@/api/types';
import { formatMoney, nameOf } from '@/i18n/format';
import { Form } from '@/shared/forms/Form';
import { usePayForm } from '@/shared/forms/use-pay-form';
import { useSessionText } from '@/shared/forms/use-session-text';
import { PasswordFirst } from '@/shared/money/PasswordFirst';
import { RefusalNotice } from '@/shared/money/RefusalNotice';
import { takeOverBack } from '@/shared/navigation/page-back';
import { Button } from '@/ui/controls/Button';
import { Card } from '@/ui/display/Card';
import { StatusTag } from '@/ui/display/StatusTag';
import { Notice } from '@/ui/feedback/Notice';
import { showToast } from '@/ui/feedback/toast-store';
import { RadioList } from '@/ui/form/RadioList';
import { isPositive } from '@/ui/money/decimal';
import { TransactionPasswordDialog } from '@/ui/pin/TransactionPasswordDialog';
import { PayField } from '../PayField';
import type { Entry } from './AcceptorForm';
import { ConfirmOrder } from './ConfirmOrder';
import { codeProblem } from './code-problem';
import { formatForeign, rateText } from './currency';
import styles from './ExchangeForm.module.css';
import { checkExchange, mostOf, received } from './exchange-check';
import { codeRefusals, useAcceptor, usePutExchange } from './mutations';
import { RateClock } from './RateClock';

type Props = {
  acceptor: AcceptorDetail;
  entry: Entry;
  property: Property;
  onRenewed: (acceptor: AcceptorDetail) => void;
  onAsked: () => void;
  onLeave: () => void;
};

/** The amount, with what the user gets for it. The input survives a new rate. */
export function OrderForm(props: Props) {
  const { acceptor, onLeave } = props;
  const [chosen, setChosen] = useState<string | null>(null);
  useEffect(() => takeOverBack(onLeave), [onLeave]);
  const rate = acceptor.rates.find((one) => one.currency === chosen) ?? acceptor.rates[0];
  return (
    <Card>
      <AcceptorHead acceptor={acceptor} onLeave={onLeave} />
      {rate && <Order {...props} rate={rate} onCurrency={setChosen} />}
    </Card>
  );
}

type OrderProps = Props & { rate: AcceptorRate; onCurrency: (currency: string) => void };

function Order({ acceptor, entry, property, rate, ...props }: OrderProps) {
  const { t } = useTranslation();
  const amountState = useSessionText('exchange');
  const [amount] = amountState;
  const [reviewing, setReviewing] = useState(false);
  const asked = { type: entry.type, code: entry.code.trim() };
  const put = usePutExchange();
  const renewal = useAcceptor();
  const [endedRate, setEndedRate] = useState('');

  const { available, pay_password_set: hasPassword } = property;
  const ready =
    hasPassword && !property.payouts_held_until && !isPositive(property.startup_outstanding);
  const { limit, left_today: leftToday } = acceptor;
  const terms = { ...rate, available, limit, leftToday };
  const most = mostOf(terms);
  const problem = checkExchange(amount, terms);
  const receives = formatForeign(received(amount, rate), rate.currency);
  const form = usePayForm({
    amountState,
    problem: problem && `exchange.problem.${problem}`,
    terms: { limit: formatMoney(problem === 'day' ? (leftToday ?? limit) : limit) },
    beforePassword: () => setReviewing(ready && !ended),
    pay: async (password) => {
      await put.mutateAsync({
        acceptor_id: acceptor.id,
        code: asked.code,
        amount,
        currency: rate.currency,
        // The quote that was shown; the server refuses any other.
        quote_id: rate.quote_id,
        rate: rate.rate,
        password,
      });
      showToast(t('exchange.asked'), 'success');
      props.onAsked();
    },
  });
  const refused = isRefusal(form.failure, 'quote_expired');
  const ended = refused || endedRate === rate.quote_id;
  /** Fetches the same acceptor's current rates. */
  const renew = () =>
    renewal.mutate(asked, {
      onSuccess: (renewed) => {
        props.onRenewed(renewed);
        form.clear();
      },
    });
  return (
    <>
      <Form {...form.props} className={styles.form}>
        <RateChoice
          rates={acceptor.rates}
          value={rate.currency}
          onChange={(next) => {
            props.onCurrency(next);
            form.clear();
          }}
        />
        <RateClock
          until={rate.expires_at}
          ended={ended}
          onEnd={() => setEndedRate(rate.quote_id)}
          renewing={renewal.isPending}
          onRenew={renew}
        />
        <PayField
          field={form.amountField}
          text={t('wallet.availableNow', { amount: formatMoney(available) })}
          take={t('exchange.most')}
          most={most}
        />
        <p className={styles.receives}>
          {t('wallet.receive')}
          <output>{receives}</output>
        </p>
        <OrderProblem error={form.failure ?? renewal.error} passwordSet={hasPassword} />
        <Button type="submit" disabled={!ready || ended}>
          {t('exchange.check')}
        </Button>
      </Form>
      <ConfirmOrder
        open={reviewing}
        order={{ acceptor, amount, rate, receives, available }}
        ended={ended}
        onConfirm={() => {
          setReviewing(false);
          form.ask();
        }}
        onClose={() => setReviewing(false)}
      />
      <TransactionPasswordDialog {...form.dialog}>
        <p>
          {t('exchange.confirmShort', {
            amount: formatMoney(isPositive(amount || '0') ? amount : '0'),
            receives,
          })}
        </p>
      </TransactionPasswordDialog>
    </>
  );
}

type AcceptorHeadProps = { acceptor: AcceptorDetail; onLeave: () => void };

/** The acceptor, its limit, and how to choose another. */
function AcceptorHead({ acceptor, onLeave }: AcceptorHeadProps) {
  const { t } = useTranslation();
  const name = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The form for the code had the focus, and is gone; whoever comes back has it elsewhere.
    if (document.activeElement === document.body) name.current?.focus();
  }, []);
  return (
    <div>
      <div className={styles.head}>
        <StatusTag tone="accent">{t(`exchange.type.${acceptor.type}`)}</StatusTag>
        <Button size="small" variant="quiet" onClick={onLeave}>
          {t('exchange.other')}
        </Button>
      </div>
      <h2 ref={name} tabIndex={-1} className={styles.name}>
        {acceptor.name}
      </h2>
      <p className={styles.detail}>{t('exchange.upTo', { amount: formatMoney(acceptor.limit) })}</p>
      {acceptor.left_today !== null && (
        <p className={styles.detail}>
          {t('exchange.leftToday', { amount: formatMoney(acceptor.left_today) })}
        </p>
      )}
      {!acceptor.rates.length && <p className={styles.detail}>{t('exchange.noRates')}</p>}
    </div>
  );
}

type RateChoiceProps = {
  rates: readonly AcceptorRate[];
  value: string;
  onChange: (currency: string) => void;
};

/** The currencies to exchange into, each with its rate. */
function RateChoice({ rates, value, onChange }: RateChoiceProps) {
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

type OrderProblemProps = { error: Error | null; passwordSet: boolean };

/** The reason that prevents the order, and what to do about it. */
function OrderProblem({ error, passwordSet }: OrderProblemProps) {
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
