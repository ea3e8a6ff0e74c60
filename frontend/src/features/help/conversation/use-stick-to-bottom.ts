import { useLayoutEffect, useRef } from 'react';

/** Nearer than this to its end, the page follows new messages. */
const near = 160;

/**
 * The page opens at the newest message and follows new ones, unless the reader has scrolled up to
 * earlier messages.
 */
export function useStickToBottom(newest: string | undefined) {
  const follows = useRef(true);
  useLayoutEffect(() => {
    const note = () => {
      const { scrollHeight } = document.documentElement;
      follows.current = scrollHeight - window.scrollY - window.innerHeight < near;
    };
    window.addEventListener('scroll', note, { passive: true });
    return () => window.removeEventListener('scroll', note);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new message.
  useLayoutEffect(() => {
    if (!follows.current) return;
    const end = () => window.scrollTo(0, document.documentElement.scrollHeight);
    end();
    // The frame around a new page scrolls to its top after the page is drawn.
    const later = requestAnimationFrame(end);
    return () => cancelAnimationFrame(later);
  }, [newest]);
  return {
    follow: () => {
      follows.current = true;
    },
  };
}
