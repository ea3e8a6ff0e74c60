import { useEffect } from 'react';
import { hasPreviousPage } from '@/shared/navigation/page-back';
import { useNavigate } from '@/shared/navigation/use-navigate';

/**
 * Once the form is saved, goes back to where it was opened. `saved` may be true only if no layer
 * lies over the page, because going back would close the layer instead. A user who came by an
 * address stays.
 */
export function useLeaving(saved: boolean) {
  const navigate = useNavigate();
  useEffect(() => {
    if (saved && hasPreviousPage()) void navigate(-1);
  }, [saved, navigate]);
}
