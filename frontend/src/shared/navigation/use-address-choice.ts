import { useRef } from 'react';
import { useSearchParams } from 'react-router-dom';

/** What is chosen on a page, as its address says it, and how to change a part of it. */
export function useAddressChoice<Choice extends object>(
  choiceOf: (params: URLSearchParams) => Choice,
  addressOf: (choice: Choice) => Record<string, string>,
): [Choice, (part: Partial<Choice>) => void] {
  const [params, setParams] = useSearchParams();
  const choice = choiceOf(params);
  // What is typed arrives a moment later, when something else may have been chosen. The address may follow only after
  // another rendering, which must not take the choice back.
  const latest = useRef(choice);
  const read = useRef(params);
  if (read.current !== params) {
    read.current = params;
    latest.current = choice;
  }
  const change = (part: Partial<Choice>) => {
    latest.current = { ...latest.current, ...part };
    // Replaced, not added: the back arrow leads out of the page, not through its choices.
    setParams(addressOf(latest.current), { replace: true });
  };
  return [choice, change];
}
