import { useRef } from 'react';
import { useSearchParams } from 'react-router-dom';

/** The choices on a page, as its address has them, and a function that changes a part of them. */
export function useAddressChoice<Choice extends object>(
  choiceOf: (params: URLSearchParams) => Choice,
  addressOf: (choice: Choice) => Record<string, string>,
): [Choice, (part: Partial<Choice>) => void] {
  const [params, setParams] = useSearchParams();
  const choice = choiceOf(params);
  // Typed values arrive a moment later, when another choice may have been made. The address may
  // change only after another render, which must not undo that choice.
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
