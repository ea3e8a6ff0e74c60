/**
 * The business constants of the specification that the app needs; those of the design are in ui/.
 */
export const AD_DATA_REFRESH_MS = 30_000;
export const IN_APP_CONTACT_TYPE = 1;
