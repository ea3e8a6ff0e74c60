import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** What no component here asks react-vant for, by the names of its classes. */
const unused = new RegExp(
  [
    // Its reset of the page, which base.css does, and movements and shadows.
    '^(html|body|a|ol|ul|input|button|textarea)\\b|^\\[class',
    '@keyframes rv-(slide|zoom|spin|ball|cursor)-?',
    'rv-(slide-|zoom-|shadow|icon--|multi-ellipsis|hairline)',
    // Kinds of a component.
    'rv-button(-group|--(mini|success|info|warning|hairline|square|plain|block))',
    'rv-loading__(ball|line)|--ball|spinner--spinner',
    'rv-tag--(mark|large|hairline|plain|primary|success|warning|danger)|rv-tag__close',
    'rv-cell(-group|--(required|large))',
    'rv-toast--(html|bottom|unclickable)|rv-(toast|dialog|number-keyboard)__(loading|message|close)',
    'rv-popup--(top|left|right)|rv-dialog--round|rv-dialog-bounce|rv-key--(large|blue)',
    'rv-(input|textarea)(__(clear|word)|--(center|right))|control\\[type|__label--left',
    'rv-(slider|divider)--vertical|rv-steps?--horizontal',
  ].join('|'),
);

/** Variables of the base sheet that none of the components in use reads. */
const unread =
  /gradient|price|base-font|background-color-light|brand|font-size-x[lx]|line-height-x|-(red|green|orange)$/;

const theme = names(readFileSync(new URL('../src/ui/theme.css', import.meta.url), 'utf8'));

function names(css: string): Set<string> {
  return new Set([...css.matchAll(/(--rv-[\w-]+):/g)].map(([, name = '']) => name));
}

const isUnused = (rule: string) =>
  rule
    .slice(0, rule.indexOf('{'))
    .split(',')
    .every((selector) => unused.test(selector.trim()));

/** Without the rules that nothing here uses, and the variables that they alone read, or that ours replace. */
export function leanCss(css: string): string {
  const sheet = css.replace(/\/\*.*?\*\//gs, '');
  const rules = sheet.match(/^[^\s}][^{]*\{(?:[^{}]|\{[^}]*\})*\}/gm) ?? [];
  const kept = rules.filter((rule) => !isUnused(rule)).join('\n');
  return kept.replace(/^\s*(--rv-[\w-]+):[^;]*;\n/gm, (line, name: string) => {
    // The variables of the base sheet are read by all the others.
    const shared = sheet.includes('--rv-brand-color') && !unread.test(name);
    return theme.has(name) || !(shared || kept.includes(`var(${name})`)) ? '' : line;
  });
}

/** Its own texts, which are Chinese, and a picture for the network that is not there. */
const replaced: Record<string, string> = {
  [join('locale', 'index.js')]: 'export const zhCN = {};',
  [join('empty', 'Network.js')]: 'export const Network = null;',
};

/** What stands in place of one of react-vant's files, if anything does. */
export function replacement(file: string): string | undefined {
  return replaced[file.split(`${sep}react-vant${sep}es${sep}`)[1] ?? ''];
}

/** Ours are in their place. */
export function withoutIcons(code: string): string {
  return code.replace(/import \{([^}]*)\} from '@react-vant\/icons';/g, (_line, names: string) =>
    names
      .split(',')
      .map((name) => `const ${name.trim()} = () => null;`)
      .join(' '),
  );
}
