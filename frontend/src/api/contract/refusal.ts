import type en from '../../../../locales/en.json';

/**
 * Why the server refuses. Each has a text in the user's language, and a test of the server's holds
 * that no text is missing and none too many. Empty if it names no reason.
 */
export type Refusal = keyof (typeof en)['errors'] | '';

/**
 * The failures that a caller shows itself: refusals, `fields` for a form's own fields, `network`,
 * or `all`, except for those that concern the account or the session.
 */
export type Shown = Refusal | 'fields' | 'network' | 'all';
