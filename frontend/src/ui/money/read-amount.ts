import { plainDigits } from '@/ui/plain-digits';

/** How a language writes numbers: 1,234.50 has the group mark "," and the decimal mark ".". */
export type Marks = { group: string; decimal: string };

export type AmountProblem = 'unclear' | 'decimals' | 'negative' | 'unreadable';

/** A decimal string, empty if there is no digit yet, or why what was typed is no amount. */
type AmountReading = { amount: string; problem: AmountProblem | null };

type How = {
  decimals: number;
  marks: Marks;
  /** The currency's names and signs, which may stand beside the amount. */
  names: readonly string[];
};

/**
 * Reads what was typed or pasted. The reader's marks decide where a number could mean two amounts;
 * where they do not, nothing is guessed: 1.000 is refused in English, and a thousand in German.
 */
export function readAmount(typed: string, { decimals, marks, names }: How): AmountReading {
  // Raised, lowered and circled figures: 12⁵⁰ is not 1250, as its plain characters would say.
  if (/\p{No}/u.test(typed)) return refused('unreadable');
  // Arabic's mark for decimals parts no groups, as a point may: ١٫٢٣٤ is not 1234 in German either.
  const marked = typed.replaceAll('\u066b', marks.decimal);
  const named = withoutName(plain(marked), names.map(plain));
  // A dash in the place of cents says that there are none: 50,- and 50.—
  const text = named.replace(/(\d[.,])[-\u2013\u2014]{1,2}$/, (_, whole: string) => `${whole}00`);
  if (/^[-\u2013\u2014]|-$/.test(text)) return refused('negative');
  const number = text.replace(/^\+/, '');
  if (/[^\d., ']/.test(number)) return refused('unreadable');
  if (!/\d/.test(number)) return { amount: '', problem: null };
  return readNumber(number, decimals, marks);
}

function refused(problem: AmountProblem): AmountReading {
  return { amount: '', problem };
}

/**
 * Replaces digits, marks and blanks of any keyboard or page by ASCII ones. Arabic has a mark of its
 * own for groups.
 */
function plain(text: string): string {
  // Accents alone, as Swiss keyboards have them beside the apostrophe, would become blanks.
  return plainDigits(text.replace(/[´`]/g, "'").normalize('NFKC'))
    .replace(/\p{Cf}/gu, '')
    .replaceAll('。', '.')
    .replaceAll('\u066c', ' ')
    .replace(/[‘’]/g, "'")
    .replace(/[\u2010-\u2012\u2212]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();
}

function withoutName(text: string, names: string[]): string {
  const sign = /^[+-]/.exec(text)?.[0] ?? '';
  const longest = names.filter(Boolean).sort((a, b) => b.length - a.length);
  return sign + bareOf(text.slice(sign.length).trim(), longest);
}

/** Prices are written with two names as well: $12.50 USD. */
function bareOf(text: string, names: string[]): string {
  const low = text.toLowerCase();
  const before = names.find((name) => low.startsWith(name.toLowerCase()));
  if (before) return bareOf(text.slice(before.length).trim(), names);
  const after = names.find((name) => low.endsWith(name.toLowerCase()));
  return after ? bareOf(text.slice(0, -after.length).trim(), names) : text;
}

/** Groups of three behind one mark, the first of them without a leading zero. */
const grouped = /^[1-9]\d{0,2}(?:([., '])\d{3})(?:\1\d{3})*$/;

function readNumber(text: string, decimals: number, marks: Marks): AmountReading {
  if (/^\d+$/.test(text)) return { amount: significant(text), problem: null };
  const group = grouped.exec(text)?.[1];
  const cut = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  const mark = text.charAt(cut);
  if (group) {
    // Behind several marks, or a blank, there can be no decimals.
    const twoMeanings = group === mark && text.indexOf(mark) === cut;
    if (!twoMeanings || group === marks.group) return { amount: bare(text), problem: null };
    if (mark !== marks.decimal || decimals < 3) return refused('unclear');
  }
  const whole = text.slice(0, cut);
  const fraction = text.slice(cut + 1);
  const parted = grouped.exec(whole)?.[1];
  const isWhole = /^\d*$/.test(whole) || (parted !== undefined && parted !== mark);
  if (cut < 0 || !isWhole || !/^\d*$/.test(fraction)) return refused('unclear');
  return withFraction({ whole, fraction, certain: mark === marks.decimal && !parted, decimals });
}

type Parts = { whole: string; fraction: string; certain: boolean; decimals: number };

function withFraction({ whole, fraction, certain, decimals }: Parts): AmountReading {
  // 12,50 is typed on an English page by whoever has a keyboard without a point. 1,0000 is a slip.
  if (fraction.length > decimals && !certain) return refused('unclear');
  if (!/^0*$/.test(fraction.slice(decimals))) return refused('decimals');
  const kept = fraction.slice(0, decimals);
  const amount = significant(bare(whole)) + (kept && `.${kept}`);
  return { amount, problem: null };
}

function bare(text: string): string {
  return text.replace(/\D/g, '');
}

function significant(whole: string): string {
  return whole.replace(/^0+(?=\d)/, '') || '0';
}
