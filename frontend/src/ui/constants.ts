/** The specification's numbers of look and input, and no others. */
export const TOAST_MS = 2000;
export const DIALOG_WIDTH = '85%';
export const PICKER_OPTION_HEIGHT = 44;
export const PICKER_VISIBLE_OPTIONS = 6;
export const PICKER_SWIPE_MS = 1000;
export const POPUP_Z_INDEX = 2000;
export const PASSWORD_FOCUS_DELAY_MS = 100;
export const PAY_PASSWORD_LENGTH = 6;
export const UNREAD_BADGE_MAX = 99;
export const IMAGE_MAX_BYTES = 5 * 1024 * 1024;
/** A touch screen up to this width counts as a phone. */
export const MOBILE_MAX_WIDTH = 768;
