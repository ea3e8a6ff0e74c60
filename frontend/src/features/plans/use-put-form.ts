import { useRef, useState } from 'react';
import { ApiError } from '@/api/errors';
import type { ContentType, Plan, Product, Quote } from '@/api/types';
import { useProperty } from '@/api/use-property';
import { useCurrency } from '@/app/basic-config';
import { couponRefusals, type PutTarget, usePut } from './mutations';
import { checkPut } from './put-check';
import { type CouponChoice, type Price, priceOf } from './put-price';
import { useQuote } from './quote';

/** What the password confirms: the request as it will be sent, and its price as it was shown. */
export type Order = { amount: string; content: ContentType; quote: Quote; price: Price };

type Given = {
  target: PutTarget;
  product: Product;
  /** Chosen on the way here. */
  coupon: string | null;
  onDone: (plan: Plan) => void;
};

export function usePutForm({ target, product, coupon, onDone }: Given) {
  const { decimals } = useCurrency();
  const property = useProperty().data;
  const put = usePut();
  const [amount, setAmount] = useState('');
  const [chosen, setChosen] = useState<ContentType | null>(null);
  const [choice, setChoice] = useState<CouponChoice>(coupon ? { id: coupon } : 'best');
  const [checked, setChecked] = useState(false);
  const [order, setOrder] = useState<Order | null>(null);
  // Sent, and nobody knows whether it arrived: only the very same order may be sent again.
  const [unanswered, setUnanswered] = useState<Order | null>(null);
  const typed = useRef(amount);
  typed.current = amount;

  const inRange = checkPut(amount, product, null) === null;
  const { quote, error, loading, refetch, ask, forget } = useQuote(
    target,
    inRange && !unanswered ? amount : null,
  );
  const price = unanswered?.price ?? (quote && priceOf(quote, choice, decimals));
  const content = chosen ?? product.content_types[0];
  const problem = unanswered ? null : checkPut(amount, product, price);
  const noPassword = property?.pay_password_set === false;

  const changed = () => {
    setChecked(false);
    setUnanswered(null);
    put.reset();
  };
  const submit = async () => {
    setChecked(true);
    if (problem || noPassword || !content) return;
    if (unanswered) return setOrder(unanswered);
    try {
      const asked = quote ?? (await ask(amount));
      const agreed = priceOf(asked, choice, decimals);
      const still = typed.current === amount;
      if (still && !checkPut(amount, product, agreed)) {
        setOrder({ amount, content, quote: asked, price: agreed });
      }
    } catch {
      // The quote's own error stands on the form.
    }
  };
  const confirm = async (password: string) => {
    if (!order) return;
    const coupon_id = order.price.coupon?.coupon.id;
    try {
      const { amount: ordered, content: with_content } = order;
      onDone(
        await put.mutateAsync({
          ...target,
          amount: ordered,
          content: with_content,
          ...(coupon_id && { coupon_id }),
          password,
        }),
      );
    } catch (failure) {
      const refused = failure instanceof ApiError && failure.code !== 500;
      setUnanswered(refused ? null : order);
      if (refused && couponRefusals.includes(failure.error)) {
        setChoice('best');
        await forget();
      }
      throw failure;
    }
  };
  return {
    property,
    amount,
    content,
    choice,
    checked,
    order,
    quote: unanswered?.quote ?? quote,
    price,
    problem,
    noPassword,
    error: put.error ?? error,
    loading,
    reload: refetch,
    submit,
    confirm,
    cancel: () => setOrder(null),
    setAmount: (value: string) => {
      setAmount(value);
      changed();
    },
    setContent: (value: ContentType) => {
      setChosen(value);
      changed();
    },
    setChoice: (value: CouponChoice) => {
      setChoice(value);
      changed();
    },
  };
}
