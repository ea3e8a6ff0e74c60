import i18next, { type ParseKeys } from 'i18next';
import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import type { ApiError } from '@/api/errors';
import { useOnce } from './use-once';

/** What is wrong with a field. */
export type Problems<F extends string = string> = { [field in F]?: ParseKeys | null };

/** What stands at a field: a text, or true for what is wrong with it by now. */
type Told = { [field: string]: string | true | undefined };

type Refused = { told: Told; failure?: Error | null; fresh?: boolean };

/** What the texts of problems speak of. */
export type Terms = { min?: string; max?: string; limit?: string };

type Given<V> = {
  /** What is typed, wherever it is kept. */
  state: readonly [V, (next: V) => void];
  /** What is wrong with it now; told when it is to be sent. */
  problems: Problems;
  terms?: Terms;
  send: () => unknown;
  /** The texts at the fields for a refusal that names none. */
  refusedAt?: (failure: unknown) => Told;
};

/**
 * A form: nothing is sent twice, or with a field that is wrong. The first such field has the focus
 * and is in view; what the server finds stands at its field until that is changed. Nothing that was
 * typed is lost.
 */
export function useForm<V extends Record<string, string>>(given: Given<V>) {
  const { problems, terms = {}, send, refusedAt } = given;
  const [values, setValues] = given.state;
  const ref = useRef<HTMLFormElement>(null);
  const [refusal, setRefusal] = useState<Refused>({ told: {} });
  const { told, failure = null } = refusal;
  useEffect(() => {
    if (refusal.fresh) showProblem(ref.current);
  }, [refusal]);

  const clear = () => setRefusal({ told: {} });
  const tell = (problem: Told, cause?: unknown) =>
    setRefusal({ told: problem, failure: cause as Error, fresh: true });
  const { busy, once } = useOnce((cause) =>
    tell({ ...fieldTexts(cause as ApiError), ...refusedAt?.(cause) }, cause),
  );
  /** Does something else with the form than sending it, such as after a question. */
  const run = (action: () => unknown) =>
    once(() => {
      clear();
      return action();
    });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    let wrong: Told | undefined;
    for (const name in problems) if (problems[name]) wrong = { ...wrong, [name]: true };
    if (wrong) tell(wrong);
    else void run(send);
  };
  const errorOf = (name: string) => {
    const problem = problems[name];
    return told[name] === true ? problem && i18next.t(problem, terms) : told[name];
  };
  const field = <F extends keyof V & string>(name: F) => ({
    name,
    value: values[name],
    error: errorOf(name),
    onChange: (value: string) => {
      setValues({ ...values, [name]: value });
      setRefusal({ told: { ...told, [name]: '' } });
    },
  });
  const props = { ref, onSubmit: submit, noValidate: true };
  return { props, field, errorOf, clear, tell, run, busy, failure };
}

/** What is wrong first has the focus; a notice cannot have it, and is only brought into view. */
export function showProblem(form: HTMLFormElement | null) {
  const wrong = '[aria-invalid], [role=alert]:not([hidden])';
  const shown = form?.querySelector<HTMLElement>(wrong);
  shown?.focus();
  shown?.scrollIntoView({ block: 'center' });
}

/** The server's field errors, such as `invalid_email`, in the reader's language. */
function fieldTexts({ fields }: Partial<ApiError>): Told {
  const texts: Told = {};
  for (const name in fields) {
    texts[name] = i18next.t([`fields.${fields[name]}`, 'fields.invalid'] as ParseKeys[]);
  }
  return texts;
}
