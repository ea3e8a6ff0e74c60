import { useLocation } from 'react-router-dom';
import type { User } from '@/api/types';
import type { Place } from '@/pages';

/**
 * The page after a login: the one that required it, or else one that depends on whether the ad
 * account is open.
 */
export function useReturnPath() {
  // A browser's history outlives a version of the app: what it holds may be anything.
  const { state } = useLocation() as { state: { from?: unknown } | null };
  return (user: User | null): Place => {
    if (user && !user.store_opened) return '/ad-welcome';
    return typeof state?.from === 'string' ? (state.from as Place) : '/ad-center';
  };
}
