import { useLocation } from 'react-router-dom';
import type { User } from '@/api/types';

/** Where a fresh login leads: the page that asked for it, else by whether the account is open. */
export function useReturnPath() {
  const { state } = useLocation();
  return (user: User | null) => {
    if (user && !user.store_opened) return '/ad-welcome';
    return typeof state?.from === 'string' ? state.from : '/ad-center';
  };
}
