import { useLocation } from 'react-router-dom';
import type { User } from '@/api/types';

/**
 * Where a new login leads: the page that required it, or else depending on whether the account is
 * open.
 */
export function useReturnPath() {
  const { state } = useLocation();
  return (user: User | null) => {
    if (user && !user.store_opened) return '/ad-welcome';
    return typeof state?.from === 'string' ? state.from : '/ad-center';
  };
}
