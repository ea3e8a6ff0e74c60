/** Marks an element as focused: only one element can have the browser's real focus. */
export const focused = 'data-focused';

const stands: [RegExp, string][] = [
  [/:focus-visible/g, `:is(:focus-visible, [${focused}])`],
  [/:focus-within/g, `:is(:focus-within, :has([${focused}]))`],
  [/:focus(?!-)/g, `:is(:focus, [${focused}])`],
];

/**
 * Rewrites all style sheets, including those added later: rules about the focus also apply to the
 * attribute, and rules about reduced motion apply if it is chosen here.
 */
export function bendRules(reduceMotion: boolean) {
  const bend = () => {
    for (const sheet of document.styleSheets) bendEach(sheet.cssRules, reduceMotion);
  };
  bend();
  new MutationObserver(bend).observe(document.head, { childList: true });
  document.head.addEventListener('load', bend, true);
  if (reduceMotion) answerForMotion();
}

function bendEach(rules: CSSRuleList, reduceMotion: boolean) {
  for (const rule of rules) {
    if (rule instanceof CSSMediaRule && reduceMotion) bendMotion(rule);
    if (rule instanceof CSSStyleRule) bendFocus(rule);
    if (rule instanceof CSSGroupingRule) bendEach(rule.cssRules, reduceMotion);
  }
}

function bendMotion(rule: CSSMediaRule) {
  const [, wish] = /prefers-reduced-motion: (\w+)/.exec(rule.conditionText) ?? [];
  if (wish) rule.media.mediaText = wish === 'reduce' ? 'all' : 'not all';
}

function bendFocus(rule: CSSStyleRule) {
  if (!rule.selectorText.includes(':focus') || rule.selectorText.includes(focused)) return;
  rule.selectorText = stands.reduce(
    (text, [from, to]) => text.replace(from, to),
    rule.selectorText,
  );
}

/** The same for code that asks the browser. */
function answerForMotion() {
  const ask = window.matchMedia.bind(window);
  window.matchMedia = (query) => ask(query.replace(/\(prefers-reduced-motion: reduce\)/g, 'all'));
}
