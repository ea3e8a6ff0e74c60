import type { AppLanguage } from './languages';

/**
 * A number and its unit, parted as in the texts of the language: Intl writes a blank in Japanese,
 * and none in simplified Chinese.
 */
export function withOwnBlank(length: string, lang: AppLanguage): string {
  if (lang === 'jp') return length.replace(/(\d) /, '$1');
  if (lang === 'zh') return length.replace(/(\d)(\p{Script=Han})/u, '$1 $2');
  return length;
}
