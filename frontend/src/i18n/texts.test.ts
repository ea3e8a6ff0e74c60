import i18next from 'i18next';
import { describe, expect, it, vi } from 'vitest';
import { bcp47 } from './languages';
import {
  availableLanguages,
  chooseLanguage,
  currentLanguage,
  showAccountLanguage,
  showDeviceLanguage,
  showLanguage,
  storedLanguage,
} from './texts';

describe('texts', () => {
  it('are loaded on demand, shown, marked in the document and remembered', async () => {
    await chooseLanguage('zh');
    expect(i18next.t('auth.login')).toBe('登录');
    expect(document.documentElement.lang).toBe('zh-Hans');
    expect(localStorage.getItem('lang')).toBe('zh');
    expect(currentLanguage()).toBe('zh');
  });

  it('are shown where a browser refuses to remember them', async () => {
    const refuse = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(refuse);
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse);
    expect(storedLanguage()).toBeNull();
    await chooseLanguage('zh');
    expect(document.documentElement.lang).toBe('zh-Hans');
  });

  it('are those that were chosen last, whichever load last', async () => {
    await chooseLanguage('zh');
    // Of the first one, the texts have yet to load.
    const choices = [chooseLanguage('th'), chooseLanguage('zh')];
    expect(await Promise.all(choices)).toEqual([false, true]);
    expect(currentLanguage()).toBe('zh');
    expect(i18next.language).toBe('zh-Hans');
    expect(localStorage.getItem('lang')).toBe('zh');
  });

  it('are those that were chosen, though those of the device load meanwhile', async () => {
    const choice = chooseLanguage('vi');
    await showDeviceLanguage('zh');
    expect(await choice).toBe(true);
    expect(currentLanguage()).toBe('vi');
  });

  it('name the manifest of their language, by which the installed app is described', async () => {
    document.head.innerHTML = '<link rel="manifest" href="/manifest.webmanifest">';
    const linked = () => document.querySelector('link')?.getAttribute('href');
    await showLanguage('jp');
    expect(linked()).toBe('/manifest-jp.webmanifest');
    await showLanguage('en');
    expect(linked()).toBe('/manifest.webmanifest');
  });

  it('set a name that is written from the right apart from the sentence around it', () => {
    const remove = (name: string) => i18next.t('ui.image.remove', { name });
    expect(remove('שלום!')).toBe('Remove \u2068שלום!\u2069');
    expect(remove('<Crème> & 茶')).toBe('Remove <Crème> & 茶');
  });

  it('shown because of an error are not remembered as a choice', async () => {
    await showLanguage('zh');
    expect(localStorage.getItem('lang')).toBeNull();
  });

  it('are in the language of the device until an answer or the user says otherwise', async () => {
    await showDeviceLanguage('de');
    expect(currentLanguage()).toBe('de');
    // The answer comes while the texts of the device's language load.
    const device = showDeviceLanguage('fr');
    await Promise.all([device, showAccountLanguage('zh')]);
    expect(currentLanguage()).toBe('zh');
    await showDeviceLanguage('de');
    expect(currentLanguage()).toBe('zh');
    expect(localStorage.getItem('lang')).toBeNull();
  });

  it('are not those of the device once the user has chosen', async () => {
    await chooseLanguage('zh');
    await showDeviceLanguage('de');
    expect(currentLanguage()).toBe('zh');
  });

  it('offer only languages with a file', () => {
    expect(availableLanguages).toContain('en');
    expect(availableLanguages).toContain('zh');
    expect(availableLanguages.map(bcp47)).not.toContain(undefined);
  });

  it('are asked for by keys that the type check knows', () => {
    // @ts-expect-error: a key without a text is a type error.
    expect(i18next.t('auth.noSuchText')).toBe('noSuchText');
  });

  it('end with the stop of a value, and change nothing else in it', async () => {
    await showLanguage('en');
    const ends = (id: string) => i18next.t('operated.means.ends', { id });
    expect(ends('Tea & Co.')).toBe('You stop following Tea & Co. Its offers stay in your plans.');
    expect(ends('a..b')).toBe('You stop following a..b. Its offers stay in your plans.');
    expect(ends('$& Co.')).toBe('You stop following $& Co. Its offers stay in your plans.');
  });

  it('are the name of a state that only a newer server knows', () => {
    const status = 'under_review' as 'settled';
    expect(i18next.t(`plans.status.${status}`)).toBe('under review');
    expect(i18next.t(`plans.reason.${status as 'put'}`, { defaultValue: '' })).toBe('');
  });
});
