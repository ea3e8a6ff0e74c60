import { startTransition, useEffect, useRef, useState } from 'react';
import { ApiError } from '@/api/errors';
import { useProperty } from '@/api/queries/use-property';
import type { ContentType, Plan, Product, Quote, ScheduleRequest } from '@/api/types';
import { createSessionMap } from '@/shared/forms/session-map';
import { showProblem } from '@/shared/forms/use-form';
import { usePayForm } from '@/shared/forms/use-pay-form';
import { useNavigate } from '@/shared/navigation/use-navigate';
import { couponRefusals, type Put, type PutTarget, usePut } from '../mutations';
import type { ScheduleValues } from '../schedule/ScheduleFields';
import { noSchedule, problemsOf, requestOf } from '../schedule/use-schedule';
import type { PutStart } from './put-again';
import { checkPut, useShowWhileTyping } from './put-check';
import { type CouponChoice, type Price, priceOf } from './put-price';
import { useQuote } from './quote';

type Options = {
  target: PutTarget;
  product: Product;
  /** Chosen on the way here. */
  coupon: string | null;
  /** The values with which another plan was put. A draft that was typed here has priority. */
  start: PutStart | null;
  limits: { min: string; max: string };
  onDone: (plan: Plan) => void;
};

/** The typed values for the target, kept until it is put. */
function useDraft(target: PutTarget, coupon: string | null, start: PutStart | null) {
  const name = JSON.stringify(target);
  const [draft, setDraft] = useState<Draft>(() => {
    const kept = drafts.get(name) ?? {
      amount: '',
      content: null,
      aiDelivery: false,
      schedule: null,
      choice: 'best',
      unanswered: null,
      ...start,
    };
    return coupon && !kept.unanswered ? { ...kept, choice: { id: coupon } } : kept;
  });
  // Initial values are not a draft: they may be others next time.
  const isDraft = useRef(false);
  useEffect(() => {
    if (isDraft.current) drafts.set(name, draft);
  });
  return {
    draft,
    change: (changed: Partial<Draft>) => {
      isDraft.current = true;
      setDraft((before) => ({ ...before, ...changed }));
    },
    drop: () => {
      isDraft.current = false;
      drafts.delete(name);
    },
  };
}

function hasProblem(schedule: ScheduleValues | null): boolean {
  return schedule !== null && Object.values(problemsOf(schedule)).some(Boolean);
}

export function usePutForm({ target, product, coupon, start, limits, onDone }: Options) {
  const property = useProperty().data;
  const put = usePut();
  const { draft, change, drop } = useDraft(target, coupon, start);
  const { amount, aiDelivery, schedule, choice, unanswered } = draft;
  const navigate = useNavigate();
  const [order, setOrder] = useState<Order | null>(null);
  const typed = useRef(amount);
  typed.current = amount;

  const inRange = checkPut(amount, product, null) === null;
  const asked = inRange && !unanswered ? amount : null;
  const { quote, error, loading, ask, forget } = useQuote(target, asked);
  const price = unanswered?.price ?? (quote && priceOf(quote, choice));
  const content = draft.content ?? product.content_types[0];
  const problem = unanswered ? null : checkPut(amount, product, price);
  const showWhileTyping = useShowWhileTyping(problem, amount, product);
  const noPassword = property?.pay_password_set === false;

  const beforePassword = async (askPassword: () => void): Promise<unknown> => {
    if (!content) return;
    if (hasProblem(schedule)) return showProblem(form.props.ref.current);
    // The transaction password is set only when it is needed. The typed values are kept, and the
    // form is open again afterwards.
    if (noPassword) return navigate('/wallet/set-password');
    const confirm = (next: Order) => {
      // With the sheet, after the press is answered.
      startTransition(() => setOrder(next));
      askPassword();
    };
    if (unanswered) return confirm(unanswered);
    try {
      const answered = quote ?? (await ask(amount));
      const agreed = priceOf(answered, choice);
      if (typed.current !== amount) return;
      if (checkPut(amount, product, agreed)) return form.showMessages({ amount: true });
      const scheduled = schedule && requestOf(schedule, noSchedule);
      confirm({ amount, content, aiDelivery, schedule: scheduled, quote: answered, price: agreed });
    } catch {
      // The form shows the quote's own error.
    }
  };
  const pay = async (password: string) => {
    if (!order) return;
    const coupon_id = order.price.coupon?.coupon.id;
    const request: Put = {
      ...target,
      amount: order.amount,
      content: order.content,
      ...(coupon_id && { coupon_id }),
      ...(order.aiDelivery && { ai_delivery: true }),
      ...(order.schedule && { schedule: order.schedule }),
      password,
    };
    try {
      const plan = await put.mutateAsync(request);
      drop();
      onDone(plan);
    } catch (failure) {
      const refused = failure instanceof ApiError && failure.code !== 500;
      change({ unanswered: refused ? null : order });
      if (refused && couponRefusals.includes(failure.error)) {
        change({ choice: 'best' });
        await forget();
      }
      throw failure;
    }
  };
  const form = usePayForm({
    amountState: [amount, (value) => change({ amount: value, unanswered: null })],
    problem: problem && `plans.problem.${problem}`,
    terms: limits,
    showWhileTyping,
    beforePassword,
    pay,
  });
  useEffect(() => {
    if (error) showProblem(form.props.ref.current);
  }, [error, form.props.ref]);
  const edit = (changed: Partial<Draft>) => {
    change({ ...changed, unanswered: null });
    form.clear();
  };
  return {
    ...form,
    property,
    content,
    aiDelivery,
    schedule,
    choice,
    order,
    quote: unanswered?.quote ?? quote,
    price,
    noPassword,
    unanswered: unanswered !== null,
    failure: form.failure ?? error,
    loading,
    tooDear: problem === 'balance',
    setContent: (value: ContentType) => edit({ content: value }),
    setAiDelivery: (value: boolean) => edit({ aiDelivery: value }),
    setSchedule: (value: ScheduleValues | null) => edit({ schedule: value }),
    setChoice: (value: CouponChoice) => edit({ choice: value }),
  };
}

/** The order that the password confirms: the request, and the price that was shown. */
export type Order = {
  amount: string;
  content: ContentType;
  aiDelivery: boolean;
  schedule: ScheduleRequest | null;
  quote: Quote;
  price: Price;
};

type Draft = {
  amount: string;
  content: ContentType | null;
  aiDelivery: boolean;
  /** Null for at once and at all hours. */
  schedule: ScheduleValues | null;
  choice: CouponChoice;
  /** Sent, with its outcome unknown: only exactly the same order may be sent again. */
  unanswered: Order | null;
};

/** Drafts by target, kept when the form is closed or left, for example to set a password first. */
const drafts = createSessionMap<Draft>();
