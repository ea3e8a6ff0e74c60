import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Change, invalidateAfter } from './invalidate';

export type ChangeOptions = {
  /** Whether the mutation ends only once the data on the screen is current. */
  awaitRefetch?: boolean;
  /** A refusal makes nothing old; otherwise what was shown may have been old, and was refused for it. */
  onSuccessOnly?: boolean;
};

/** Sends a change, and asks again for what it makes old. */
export function useInvalidatingMutation<Given = void, Answered = unknown>(
  change: Change,
  send: (given: Given) => Promise<Answered>,
  { awaitRefetch = false, onSuccessOnly = false }: ChangeOptions = {},
) {
  const client = useQueryClient();
  const again = () => {
    const asked = invalidateAfter(client, change);
    return awaitRefetch ? asked : undefined;
  };
  return useMutation({
    mutationFn: send,
    ...(onSuccessOnly ? { onSuccess: again } : { onSettled: again }),
  });
}
