import type { ParseKeys } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useForm } from './use-form';

type Given = {
  /** The amount that is typed, and how to keep another. */
  kept: readonly [string, (amount: string) => void];
  /** What is wrong with it. */
  problem: ParseKeys | null;
  /** What the text of the problem speaks of. */
  terms?: { min?: string; max?: string; limit?: string };
  /** Whether that is said while one types. */
  plain?: boolean;
  /** What comes before the password is asked for. */
  first?: (ask: () => void) => unknown;
  pay: (password: string) => Promise<unknown>;
};

/** An amount that is checked, and sent with the transaction password. */
export function usePayForm(given: Given) {
  const { kept, problem, terms = {}, plain, first = (ask: () => void) => ask(), pay } = given;
  const { t } = useTranslation();
  const [amount, keep] = kept;
  const [asking, setAsking] = useState(false);
  const ask = () => setAsking(true);
  const form = useForm({
    state: [{ amount }, (next) => keep(next.amount)],
    problems: { amount: problem },
    send: () => first(ask),
  });
  const field = form.field('amount');
  const told = problem && (plain || field.error);
  const amountField = told ? { ...field, error: t(problem, terms) } : field;
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
