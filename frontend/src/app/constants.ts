/** The business constants of the specification, and no others. */
export const AD_DATA_REFRESH_MS = 30_000;
export const PAY_PASSWORD_LENGTH = 6;
export const IMAGE_MAX_BYTES = 5 * 1024 * 1024;
export const UNREAD_BADGE_MAX = 99;
export const TOAST_MS = 2000;
export const PICKER_OPTION_HEIGHT = 44;
export const PICKER_VISIBLE_OPTIONS = 6;
export const PICKER_SWIPE_MS = 1000;
export const POPUP_Z_INDEX = 2000;
export const PASSWORD_FOCUS_DELAY_MS = 100;
export const IN_APP_CONTACT_TYPE = 1;
