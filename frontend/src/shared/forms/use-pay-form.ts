import type { ParseKeys } from 'i18next';
import { startTransition, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Terms, useForm } from './use-form';

type Options = {
  /** The amount that is typed, and how to keep another. */
  amountState: readonly [string, (amount: string) => void, ...unknown[]];
  /** The problem of the amount. */
  problem: ParseKeys | null;
  terms?: Terms;
  /** Whether that is said while one types. */
  showWhileTyping?: boolean;
  /** Runs before the password is asked for, and calls `ask` to go on. */
  beforePassword?: (ask: () => void) => unknown;
  pay: (password: string) => Promise<unknown>;
};

/** An amount that is checked, and sent with the transaction password. */
export function usePayForm(options: Options) {
  const {
    amountState,
    problem,
    terms = {},
    showWhileTyping,
    beforePassword = (ask: () => void) => ask(),
    pay,
  } = options;
  const { t } = useTranslation();
  const [amount, keep] = amountState;
  const [asking, setAsking] = useState(false);
  const ask = () => startTransition(() => setAsking(true));
  const form = useForm({
    state: [{ amount }, (next) => keep(next.amount)],
    problems: { amount: problem },
    terms,
    send: () => beforePassword(ask),
  });
  const field = form.field('amount');
  const shown = problem && (showWhileTyping || field.error);
  const amountField = shown ? { ...field, error: t(problem, terms) } : field;
  const dialog = {
    open: asking,
    onClose: () => setAsking(false),
    onConfirm: (password: string) =>
      form.run(async () => {
        await pay(password);
        keep('');
      }),
  };
  return { ...form, amount, amountField, setAmount: field.onChange, ask, dialog };
}
