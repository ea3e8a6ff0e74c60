import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from '@playwright/test';
import type { Browser } from './commands.ts';

type Name = string | RegExp;

/** An element by its label, its role and name, or its text; within the dialog in front if it says so. */
export type Wanted = {
  role?: string;
  label?: Name;
  name?: Name;
  text?: Name;
  inDialog?: boolean;
};

/** How WebDriver writes an element. */
const key = 'element-6066-11e4-a52e-4f735466cecf';
type ElementReference = { [key]: string };

/** The queries of the page tests, which find what a screen reader finds. */
const queries = readFileSync(
  createRequire(import.meta.url).resolve(
    '@testing-library/dom/dist/@testing-library/dom.umd.min.js',
  ),
  'utf8',
);
// In Gecko each script has globals of its own, and the queries know only their own patterns.
const addQueries = `
  const exports = { RegExp }, module = { exports };
  ${queries}
  window.queries = exports;`;

/** One page in a browser, for tests that speak to any browser in the same way. */
export class Tab {
  constructor(
    private readonly browser: Browser,
    private readonly base: string,
  ) {}

  /** What is seen of the page is so wide and high. */
  async fit(width: number, height: number) {
    let outer = { width, height };
    // The window's frame takes some of it, and how much shows only then, maybe a moment later.
    for (let tries = 0; tries < 10; tries += 1) {
      await this.browser.ask('resize', outer);
      await new Promise((moment) => setTimeout(moment, 20 * tries));
      const inner = await this.run(() => ({ width: innerWidth, height: innerHeight }));
      if (inner.width === width && inner.height === height) return;
      outer = {
        width: outer.width + width - inner.width,
        height: outer.height + height - inner.height,
      };
    }
    const inner = await this.run(() => [innerWidth, innerHeight]);
    expect(inner, 'the size of the page').toEqual([width, height]);
  }

  async open(path: string) {
    // A dialog that closes takes its entry of the history back, which would undo this a moment later.
    const held = () => this.run(() => Boolean(history.state?.held));
    await expect.poll(held, { message: 'a dialog closes', timeout: 20_000 }).toBe(false);
    await this.browser.ask('open', { url: `${this.base}/#${path}` });
  }

  async reload() {
    await this.browser.ask('reload', {});
  }

  /** Runs a function in the page, which knows nothing from outside itself. */
  async run<A extends unknown[], T>(inPage: (...given: A) => T, ...args: A): Promise<Awaited<T>> {
    const script = `return (${inPage}).apply(null, arguments)`;
    return (await this.browser.ask('run', { script, args })) as Awaited<T>;
  }

  async press(wanted: Wanted) {
    await this.withElement(wanted, async (id) => {
      const element = { [key]: id } as unknown as Element;
      const before = await this.run(placeOf, element);
      await new Promise((moment) => setTimeout(moment, 50));
      const after = await this.run(placeOf, element);
      // A driver presses where the element was when it looked.
      if (!before || before !== after) throw new Error(`${describe(wanted)} moves`);
      await this.browser.ask('click', { id });
    });
  }

  button(name: Name, inDialog = false) {
    return this.press({ role: 'button', name, inDialog });
  }

  /** Types into an empty field, or instead of what stands in it. */
  async fill(label: Name, text: string) {
    await this.withElement({ label }, async (id) => {
      await this.browser.ask('clear', { id });
      await this.browser.ask('type', { id, text });
    });
  }

  async sees(text: Name) {
    await expect(async () => {
      expect((await this.find({ text })).length, `“${text}” is seen`).toBeGreaterThan(0);
    }).toPass({ timeout: 20_000 });
  }

  async isAt(address: RegExp) {
    await expect.poll(() => this.run(() => location.href), { timeout: 20_000 }).toMatch(address);
  }

  /** The page has its heading, and no placeholder is left. */
  async settles(pageName: string | null) {
    const state = () =>
      this.run((name) => {
        const frame = name === null ? document : document.querySelector(`[data-page="${name}"]`);
        return {
          page: frame?.querySelector('main') != null,
          headings: document.querySelectorAll('h1').length,
          placeholders: document.querySelectorAll('.rv-skeleton').length,
        };
      }, pageName);
    const settled = { page: true, headings: 1, placeholders: 0 };
    await expect.poll(state, { message: 'the page', timeout: 20_000 }).toEqual(settled);
  }

  picture() {
    return this.browser
      .ask('picture', { full: false })
      .then((value) => Buffer.from(String(value), 'base64'));
  }

  /** An element can move or be replaced between being found and being used. */
  private async withElement(wanted: Wanted, use: (id: string) => Promise<unknown>) {
    await expect(async () => {
      const [element] = await this.find(wanted);
      if (!element) throw new Error(`nothing is ${describe(wanted)}`);
      await use(element[key]);
    }).toPass({ timeout: 20_000 });
  }

  private async find(wanted: Wanted): Promise<ElementReference[]> {
    const sent = JSON.parse(JSON.stringify(wanted, asText));
    const found = (await this.run(findInPage, sent)) as ElementReference[] | null;
    if (found) return found;
    await this.browser.ask('run', { script: addQueries, args: [] });
    return this.find(wanted);
  }
}

function asText(_: string, value: unknown) {
  return value instanceof RegExp ? { pattern: value.source } : value;
}

function describe(wanted: Wanted) {
  return JSON.stringify(wanted, (_, value) => (value instanceof RegExp ? String(value) : value));
}

/** Runs in the page. Null while something moves the element. */
function placeOf(element: Element): string | null {
  // A driver scrolls no farther than it must, which can leave it under a bar.
  element.scrollIntoView({ block: 'center' });
  const moves = document.getAnimations().some(({ effect, playState }) => {
    const target = effect instanceof KeyframeEffect && effect.target;
    return playState === 'running' && target && target.contains(element);
  });
  const { x, y } = element.getBoundingClientRect();
  return moves ? null : `${x} ${y}`;
}

/** Runs in the page. Null if the queries have to be added first. */
function findInPage(wanted: Record<string, unknown>): Element[] | null {
  type Query = (within: Element, ...what: unknown[]) => Element[];
  type Queries = Record<'queryAllByLabelText' | 'queryAllByRole' | 'queryAllByText', Query> & {
    RegExp: RegExpConstructor;
  };
  const { queries } = window as unknown as { queries?: Queries };
  if (!queries) return null;
  const given = (name: unknown) =>
    typeof name === 'object' && name
      ? new queries.RegExp((name as { pattern: string }).pattern)
      : name;
  const dialogs = document.querySelectorAll('[role=dialog], [role=alertdialog]');
  const within = wanted.inDialog ? dialogs[dialogs.length - 1] : document.body;
  if (!within) return [];
  const found = wanted.label
    ? queries.queryAllByLabelText(within, given(wanted.label), {
        selector: 'input, textarea, button',
      })
    : wanted.role
      ? queries.queryAllByRole(within, wanted.role, wanted.name ? { name: given(wanted.name) } : {})
      : queries.queryAllByText(within, given(wanted.text));
  return found.filter((element) => element.getClientRects().length > 0);
}
