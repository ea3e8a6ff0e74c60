import i18next, { type ParseKeys } from 'i18next';
import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import type { ApiError } from '@/api/errors';
import { useSingleFlight } from './use-single-flight';

/** The problem of each wrong field. */
export type Problems<F extends string = string> = { [field in F]?: ParseKeys | null };

/** The values in the text of a problem. */
export type Terms = { min?: string; max?: string; limit?: string };

/** The messages at the fields: a text, or true for the field's current problem. */
type FieldMessages = { [field: string]: string | true | undefined };

type Outcome = { messages?: FieldMessages; problem?: string; failure?: Error; fresh?: boolean };

const none: Outcome = {};

type Options<V> = {
  /** The values of the form, wherever they are kept. */
  state: readonly [V, (next: V) => void];
  /** The current problems of the values. They are shown when the form is to be sent. */
  problems: Problems;
  terms?: Terms;
  send: () => unknown;
  /** The texts at the fields for a refusal that names none. */
  refusedAt?: (failure: unknown) => FieldMessages;
};

/**
 * A form: nothing is sent twice, or with a field that is wrong. The first such field has the focus
 * and is in view; what the server finds stands at its field until that is changed, or below all
 * where it has none. Nothing that was typed is lost.
 */
export function useForm<V extends Record<string, string>>(options: Options<V>) {
  const { problems, terms = {}, send, refusedAt } = options;
  const [values, setValues] = options.state;
  // Ahead of what is drawn while two fields change at once, as a browser fills them in.
  const latest = useRef(values);
  latest.current = values;
  const ref = useRef<HTMLFormElement>(null);
  const [outcome, setOutcome] = useState<Outcome>(none);
  const { messages = {}, problem, failure } = outcome;
  useEffect(() => {
    if (outcome.fresh) showProblem(ref.current);
  }, [outcome]);

  const clear = () => setOutcome(none);
  const showMessages = (next: FieldMessages) => setOutcome({ messages: next, fresh: true });
  const { busy, once } = useSingleFlight((cause) => {
    const texts = { ...refusedAt?.(cause) };
    const named = Object.values(texts).some(Boolean);
    const { fields, msg } = cause as ApiError;
    let problem: string | undefined;
    for (const name in fields) {
      // The server's field errors, such as `invalid_email`, in the reader's language.
      texts[name] ??= i18next.t([`fields.${fields[name]}`, 'fields.invalid'] as ParseKeys[]);
      // Such as its language: said at no field, unless another stands for it.
      if (!named && !(name in values)) problem = msg || i18next.t('app.error.system');
    }
    setOutcome({ messages: texts, problem, failure: cause as Error, fresh: true });
  });
  /** Does something else with the form than sending it, such as after a question. */
  const run = (action: () => unknown) =>
    once(() => {
      clear();
      return action();
    });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (showHalfTyped(ref.current)) return;
    let wrong: FieldMessages | undefined;
    for (const name in problems) if (problems[name]) wrong = { ...wrong, [name]: true };
    if (wrong) showMessages(wrong);
    else void run(send);
  };
  const wordsFor = (wrong: ParseKeys | null | undefined) => wrong && i18next.t(wrong, terms);
  const field = <F extends keyof V & string>(name: F) => ({
    name,
    value: values[name],
    error: messages[name] === true ? wordsFor(problems[name]) : messages[name],
    onChange: (value: string) => {
      latest.current = { ...latest.current, [name]: value };
      setValues(latest.current);
      setOutcome((before) => ({ messages: { ...before.messages, [name]: '' } }));
    },
  });
  const props = { ref, onSubmit: submit, noValidate: true, problem, busy };
  return { props, field, clear, showMessages, run, busy, failure };
}

/** The days and times that are typed by half. They have no value, and look like none to the form. */
export function halfTyped(fields: ParentNode | null): HTMLInputElement[] {
  const moments = fields?.querySelectorAll<HTMLInputElement>(
    '[type="date"], [type="datetime-local"]',
  );
  return [...(moments ?? [])].filter((input) => input.validity.badInput);
}

/**
 * Whether a day or time is typed by half, which would be sent as none. Its field says so once it is left. Firefox says
 * the same of an email address whose domain is none, of which its own problem tells.
 */
export function showHalfTyped(fields: ParentNode | null): boolean {
  const [half] = halfTyped(fields);
  half?.focus();
  half?.blur();
  half?.focus();
  return half !== undefined;
}

/**
 * Focuses the first wrong field, and says whether there is one. A notice cannot have the focus, and
 * is only scrolled into view.
 */
export function showProblem(fields: ParentNode | null): boolean {
  const wrong = '[aria-invalid], [role=alert]:not([hidden])';
  const shown = fields?.querySelector<HTMLElement>(wrong);
  shown?.focus();
  shown?.scrollIntoView({ block: 'center' });
  return Boolean(shown);
}
