import { MOBILE_MAX_WIDTH } from './constants';

const mobileAgent = /Android|iPhone|iPad|iPod|Mobile|Opera Mini|IEMobile/i;

/** A narrow screen that is touched, or a browser that says so of itself. */
export function isMobile(): boolean {
  // The width comes last: for it the browser lays the page out at once.
  return (
    mobileAgent.test(navigator.userAgent) ||
    (navigator.maxTouchPoints > 0 && window.innerWidth <= MOBILE_MAX_WIDTH)
  );
}
