import { useEffect } from 'react';
import { hasPreviousPage } from '@/shared/navigation/page-back';
import { useNavigate } from '@/shared/navigation/use-navigate';

/**
 * Once what was typed is saved, leads back to where the form was opened. It is true only when
 * nothing lies over the page, which would be closed in its place. Who came by an address stays.
 */
export function useLeaving(saved: boolean) {
  const navigate = useNavigate();
  useEffect(() => {
    if (saved && hasPreviousPage()) void navigate(-1);
  }, [saved, navigate]);
}
