import { sentences } from '@/i18n/sentences';
import type en from '../../../locales/en.json';
import { ApiError, type NetworkError } from './errors';
import { statusKey, statusTerms } from './status-text';

/** The effects that an error can have on the app; src/app/error-effects.ts implements them. */
export type Effects = {
  toast(text: string): void;
  text(key: ErrorText, terms?: { when: string }): string;
  switchLanguage(lang: string): Promise<void>;
  openCustomerService(message: string): void;
  onEntryRoute(): boolean;
  goToWelcomeKeepingQuery(): void;
  endSession(): void;
};

type ErrorText = keyof (typeof en)['app']['error'];

type Action = (error: ApiError, effects: Effects) => void | Promise<void>;

const toastOr =
  (key: ErrorText): Action =>
  (error, { toast, text }) =>
    toast(error.msg || text(key));

const contactService =
  (key: ErrorText): Action =>
  async (error, { switchLanguage, openCustomerService, text }) => {
    if (error.data.lang) await switchLanguage(error.data.lang);
    openCustomerService(error.msg || text(key));
  };

const actions: Record<number, Action> = {
  400: toastOr('system'),
  401: async (error, effects) => {
    if (!effects.onEntryRoute()) return toastOr('error')(error, effects);
    if (error.data.lang) await effects.switchLanguage(error.data.lang);
    effects.goToWelcomeKeepingQuery();
  },
  402: contactService('notActivated'),
  403: contactService('disabled'),
  404: contactService('cancelled'),
  405: toastOr('error'),
  500: toastOr('server'),
  503: (_error, { toast, text, endSession }) => {
    toast(text('expired'));
    endSession();
  },
  4001: (_error, { toast, text }) => toast(text('userExists')),
};

export async function actOn(error: ApiError | NetworkError, effects: Effects): Promise<void> {
  if (error instanceof ApiError) {
    await (actions[error.code] ?? toastOr('error'))(error, effects);
    return;
  }
  const { toast, text } = effects;
  if (!error.lost) return toast(text(statusKey(error), statusTerms(error)));
  const offline = text('offline');
  toast(error.heldBack ? sentences(offline, text('adBlocker')) : offline);
}
