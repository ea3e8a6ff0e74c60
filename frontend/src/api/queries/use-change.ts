import { useMutation, useQueryClient } from '@tanstack/react-query';
import { askAgain, type Change } from './asked-again';

export type ChangeOptions = {
  /** It is done only once what is on screen is current. */
  waits?: boolean;
  /** A refusal makes nothing old; otherwise what was shown may have been old, and was refused for it. */
  onlyDone?: boolean;
};

/** Sends a change, and asks again for what it makes old. */
export function useChange<Given = void, Answered = unknown>(
  change: Change,
  send: (given: Given) => Promise<Answered>,
  { waits = false, onlyDone = false }: ChangeOptions = {},
) {
  const client = useQueryClient();
  const again = () => {
    const asked = askAgain(client, change);
    return waits ? asked : undefined;
  };
  return useMutation({
    mutationFn: send,
    ...(onlyDone ? { onSuccess: again } : { onSettled: again }),
  });
}
