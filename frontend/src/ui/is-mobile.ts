import { MOBILE_MAX_WIDTH } from './constants';

const mobileAgent = /Android|iPhone|iPad|iPod|Mobile|Opera Mini|IEMobile/i;

/** A narrow screen that is touched, or a browser that says so of itself. */
export function isMobile(): boolean {
  const touched = navigator.maxTouchPoints > 0;
  return (
    (touched && window.innerWidth <= MOBILE_MAX_WIDTH) || mobileAgent.test(navigator.userAgent)
  );
}
