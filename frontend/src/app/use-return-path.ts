import type { User } from '@/api/types';
import { usePlace } from '@/router/place';

/** Where a fresh login leads: the page that asked for it, else by whether the account is open. */
export function useReturnPath() {
  const { from } = usePlace();
  return (user: User | null) => {
    if (user && !user.store_opened) return '/ad-welcome';
    return from ?? '/ad-center';
  };
}
