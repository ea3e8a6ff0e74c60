import { type ReactNode, useDeferredValue, useEffect, useId } from 'react';
import { POPUP_Z_INDEX } from '@/ui/constants';
import { focusable, useModal } from './use-modal';

export type LayerProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** Buttons that stay in view below what scrolls. */
  actions?: ReactNode;
};

/**
 * The props of each react-vant layer. A layer is mounted only while it is shown, so it is always
 * visible.
 */
export const shared = { visible: true, zIndex: POPUP_Z_INDEX, duration: 260 } as const;

/** Whether it is there: the press that opens it is answered before it is made, and closing never waits. */
export function useOpen(open: boolean): boolean {
  const later = useDeferredValue(open);
  return open && later;
}

/** The name of a layer, and the ref of what scrolls in it. */
export function useLayer(onClose: () => void) {
  const titleId = useId();
  const body = useModal(titleId, onClose);
  useEffect(() => makeReachable(body.current), [body]);
  return { titleId, body };
}

/** A text that scrolls, and has nothing in it to move to, takes the focus itself: keys scroll it. */
function makeReachable(body: HTMLDivElement | null) {
  const scrolls = body && body.scrollHeight > body.clientHeight;
  if (scrolls && !body.querySelector(focusable)) body.tabIndex = 0;
}
