// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { flat, languages, read } from '@/testing/locale-files';
import { appLanguages } from './languages';

/** Every message in section 8 of the specification, with its key in the app or the server. */
const messages: [english: string, key: string][] = [
  ['Account not activated, contact customer service', 'app.error.notActivated'],
  ['Account not activated, contact customer service', 'errors.account_not_activated'],
  ['Account disabled, contact customer service', 'app.error.disabled'],
  ['Account disabled, contact customer service', 'errors.account_disabled'],
  ['Account cancelled, contact customer service', 'app.error.cancelled'],
  ['Account cancelled, contact customer service', 'errors.account_cancelled'],
  ['Login expired, please log in again', 'app.error.expired'],
  ['Login expired, please log in again', 'errors.token_expired'],
  ['Username already exists', 'app.error.userExists'],
  ['Username already exists', 'errors.user_exists'],
  ['User not authorized', 'errors.no_auth'],
  ['Server error', 'app.error.server'],
  ['Server error', 'errors.server_error'],
  ['System error', 'app.error.system'],
  ['No user data', 'app.error.noUser'],
  ['Insufficient balance', 'errors.insufficient_balance'],
  ['This coupon has already been used', 'errors.coupon_used'],
  ['This coupon has expired', 'errors.coupon_expired'],
  ['This coupon cannot be used here', 'errors.coupon_not_applicable'],
  ['Request failed, click to reload', 'app.notifications.reload'],
  ['Request failed, click to reload', 'ui.requestFailed'],
  ['Failed to mark all as read', 'app.notifications.markAllFailed'],
  ['Failed to mark message as read', 'app.notifications.markFailed'],
  ['Image size cannot exceed 5MB', 'ui.image.tooLarge'],
  ['Image size cannot exceed 5MB', 'errors.image_too_large'],
  ['Please select an image file', 'ui.image.notAnImage'],
  ['Please select an image file', 'errors.not_an_image'],
  ['Wrong transaction password', 'ui.passwordWrong'],
  ['Please set transaction password first', 'errors.pay_password_not_set'],
  ['The old password is wrong', 'errors.old_password_wrong'],
  ['Acceptance code error, please re-enter', 'errors.acceptance_code_wrong'],
  ['ID error, please re-enter', 'errors.follow_id_invalid'],
  ['ID error, please re-enter', 'operated.invalid'],
  ['Authorization code not found', 'errors.authorization_code_not_found'],
  ['Cannot be empty', 'fields.required'],
  ['Investment amount out of range', 'errors.investment_out_of_range'],
];

describe('the messages of the specification', () => {
  const english = flat(read('en'));

  it.each(messages)('"%s" is %s', (message, key) => {
    expect(english.get(key)).toBe(message);
  });

  it('tell of start-up funds and where to turn', () => {
    expect(english.get('errors.startup_funds_outstanding')).toMatch(
      /^Start-up funds not returned, contact customer service/,
    );
    expect(english.get('plans.problem.range')).toMatch(/^Investment amount out of range/);
  });

  it('are there in every language of the app', () => {
    expect(languages).toEqual([...appLanguages].sort());
  });

  it.each(languages.filter((lang) => lang !== 'en'))('are all told in %s in its words', (lang) => {
    const texts = flat(read(lang));
    for (const [message, key] of messages) {
      const told = texts.get(key);
      expect(typeof told, key).toBe('string');
      expect(told, key).not.toBe('');
      expect(told, key).not.toBe(message);
    }
  });
});
