import type { Page } from '@playwright/test';

export type Fault = { rule: string; element: string; text: string };

/**
 * Layout faults of the page in front: texts that are cut, covered by one another, outside their box,
 * broken within a word, or with a gap that nothing fills, and anything beyond the screen's edge. What
 * may be cut says so, and why, in `data-may-be-cut`.
 */
export function layoutFaults(page: Page): Promise<Fault[]> {
  return page.evaluate(findFaults);
}

/** Runs in the page, so it can use nothing from outside this function. */
function findFaults(): Fault[] {
  type Text = { node: Text_; box: Element; text: string; rects: DOMRect[]; plane: Element };
  type Text_ = globalThis.Text;

  const faults: Fault[] = [];
  const panels = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')];
  const front = panels.at(-1) ?? document.body;
  const texts = visibleTexts(front);

  pageWidth();
  for (const text of texts) {
    beyondScreen(text.box, text.rects, text.text);
    cut(text);
    outOfBox(text);
    brokenWords(text);
    if (/{{\w+}}/.test(text.text)) report('gap', text.box, text.text);
  }
  for (const control of front.querySelectorAll('button, a, input, select, textarea, img')) {
    if (shown(control)) beyondScreen(control, [control.getBoundingClientRect()], named(control));
  }
  overlaps();
  return faults;

  function report(rule: string, box: Element, text: string) {
    const className = String(box.getAttribute('class') ?? '').replace(/_[A-Za-z0-9-]{5}_\d+/g, '');
    const element = `${box.tagName.toLowerCase()}.${className}`;
    faults.push({ rule, element, text: text.replace(/\s+/g, ' ').slice(0, 90) });
  }

  function named(element: Element) {
    return element.getAttribute('aria-label') ?? element.textContent ?? '';
  }

  function shown(element: Element) {
    const { width, height } = element.getBoundingClientRect();
    if (width <= 1 || height <= 1) return false;
    if (element.closest('.visually-hidden')) return false;
    return element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
  }

  function visibleTexts(root: Element): Text[] {
    const found: Text[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const box = node.parentElement;
      const text = node.textContent?.trim() ?? '';
      if (!box || !text || /^(SCRIPT|STYLE|OPTION|NOSCRIPT)$/.test(box.tagName) || !shown(box)) {
        continue;
      }
      const range = document.createRange();
      range.selectNodeContents(node);
      const rects = [...range.getClientRects()].filter(({ width }) => width > 1);
      if (rects.length > 0)
        found.push({ node: node as Text_, box, text, rects, plane: plane(box) });
    }
    return found;
  }

  /** The nearest fixed or sticky ancestor, which may lie over the rest. */
  function plane(element: Element): Element {
    for (let at: Element | null = element; at; at = at.parentElement) {
      if (/fixed|sticky/.test(getComputedStyle(at).position)) return at;
    }
    return document.body;
  }

  function pageWidth() {
    const over = document.documentElement.scrollWidth - window.innerWidth;
    if (over > 0) report('page wider than the screen', document.body, `by ${over} px`);
  }

  /**
   * Content beyond the edge is not lost in a box that scrolls sideways or clips. Another rule
   * covers that.
   */
  function beyondScreen(box: Element, rects: DOMRect[], text: string) {
    if (!rects.some(({ left, right }) => left < -1 || right > window.innerWidth + 1)) return;
    for (let at: Element | null = box; at && at !== document.body; at = at.parentElement) {
      if (getComputedStyle(at).overflowX !== 'visible') return;
    }
    report('beyond the screen', box, text);
  }

  function mayBeCut(box: Element) {
    return box.closest('[data-may-be-cut]') !== null;
  }

  function cut({ node, box, text, rects }: Text) {
    if (mayBeCut(box)) return;
    // A font is taller than a tight line of it, and a clipped line is taller than this.
    const slack = 6;
    const left = Math.min(...rects.map((rect) => rect.left));
    const right = Math.max(...rects.map((rect) => rect.right));
    const top = Math.min(...rects.map((rect) => rect.top));
    const bottom = Math.max(...rects.map((rect) => rect.bottom));
    for (let at = node.parentElement; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      // For screen readers and the keyboard alone.
      if (style.clipPath === 'inset(50%)') return;
      if (/auto|scroll/.test(style.overflowX + style.overflowY)) return;
      const clip = at.getBoundingClientRect();
      // The ellipsis comes before the padding.
      const dots = style.textOverflow === 'ellipsis';
      const edge = clip.right - (dots ? Number.parseFloat(style.paddingRight) : 0);
      const wide = /hidden|clip/.test(style.overflowX);
      const high = /hidden|clip/.test(style.overflowY);
      if (
        (wide && (right > edge + 1 || left < clip.left - 1)) ||
        (high && (bottom > clip.bottom + slack || top < clip.top - slack))
      ) {
        report('cut', box, text);
        return;
      }
    }
  }

  /** A text that sticks out of its button, card or tag. */
  function outOfBox({ box, text, rects }: Text) {
    for (let at: Element | null = box; at && at !== front; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.overflowX !== 'visible' || style.position === 'absolute') return;
      const painted =
        !/^rgba\(.*, 0\)$/.test(style.backgroundColor) || style.borderLeftWidth !== '0px';
      if (!painted || style.display === 'inline') continue;
      const { left, right, top, bottom } = at.getBoundingClientRect();
      const out = rects.some(
        (rect) =>
          rect.right > right + 1 ||
          rect.left < left - 1 ||
          rect.top + rect.height * 0.2 < top ||
          rect.bottom - rect.height * 0.2 > bottom,
      );
      if (out) report('out of its box', at, text);
      return;
    }
  }

  /** In languages with spaces, a line must end between words or show a hyphen. */
  function brokenWords({ node, box, text }: Text) {
    if (mayBeCut(box)) return;
    const whole = node.textContent ?? '';
    for (const found of whole.matchAll(
      /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Hangul}\p{M}]{2,}/gu,
    )) {
      const range = document.createRange();
      range.setStart(node, found.index);
      range.setEnd(node, found.index + found[0].length);
      const parts = [...range.getClientRects()].filter(({ width }) => width > 0);
      const tops = new Set(parts.map(({ top }) => Math.round(top)));
      // A part of an id or address is no word. After a soft hyphen, the hyphen shows.
      const beside = `${whole[found.index - 1] ?? ''}${whole[found.index + found[0].length] ?? ''}`;
      if (tops.size > 1 && !/[\d/@_=&\u00ad]/.test(beside))
        report('broken word', box, found[0] || text);
    }
  }

  /** A line that is clipped covers nothing, even where clipping is a fault. */
  function clipped(box: Element, rect: DOMRect) {
    const middle = (rect.top + rect.bottom) / 2;
    for (let at: Element | null = box; at && at !== document.body; at = at.parentElement) {
      const { top, bottom } = at.getBoundingClientRect();
      const clips = getComputedStyle(at).overflowY !== 'visible';
      if (clips && (middle < top || middle > bottom)) return true;
    }
    return false;
  }

  function overlaps() {
    // Lines of a font overlap a little, but letters do not.
    const inked = (rect: DOMRect) => ({
      left: rect.left + 1,
      right: rect.right - 1,
      top: rect.top + rect.height * 0.15,
      bottom: rect.bottom - rect.height * 0.15,
    });
    const lines = texts.flatMap((text) =>
      text.rects
        .filter((rect) => !clipped(text.box, rect))
        .map((rect) => ({ ...text, ...inked(rect), of: text })),
    );
    const told = new Set<Text>();
    lines.forEach((one, index) => {
      for (const other of lines.slice(index + 1)) {
        if (one.of === other.of || one.plane !== other.plane || told.has(one.of)) continue;
        const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        if (across <= 1 || down <= 1) continue;
        told.add(one.of);
        report('covered', one.box, `${one.text} ⟷ ${other.text}`);
      }
    });
  }
}
