import { afterEach, expect, it } from 'vitest';

/** What it gives for an element that has a sheet beside it, which is jsdom's own. */
function asJsdomSays(element: Element) {
  const sheet = document.head.appendChild(document.createElement('style'));
  const { display, visibility, pointerEvents } = getComputedStyle(element);
  sheet.remove();
  return { display, visibility, pointerEvents };
}

function asAsked(element: Element) {
  const styles = getComputedStyle(element);
  const [display, visibility] = [styles.getPropertyValue('display'), styles.visibility];
  return { display, visibility, pointerEvents: styles.pointerEvents };
}

const pages = [
  '<p>a</p><span>a</span><h2>a</h2><table><tbody><tr><td>a</td></tr></tbody></table><ul><li>a</li></ul>',
  '<input><input type="hidden"><input type="HIDDEN"><input type="checkbox"><button hidden>a</button>',
  '<dialog>a</dialog><dialog open>a</dialog><details open><summary>a</summary></details>',
  '<svg><title>a</title><g><path></path></g></svg><template></template><select><option>a</option></select>',
  '<p style="display: none">a</p><p style="display: flex" hidden>a</p><p style="color: red">a</p>',
  '<div style="visibility: hidden"><p>a</p><p style="visibility: visible">a</p></div>',
  '<div style="pointer-events: none"><p>a</p><p style="pointer-events: auto"><b>a</b></p></div>',
];

afterEach(() => {
  document.body.replaceChildren();
});

it.each(pages)('says of what is shown and can be hit what jsdom says: %s', (page) => {
  document.body.innerHTML = page;
  const all = [...document.querySelectorAll('*')];
  expect(all.map(asAsked)).toEqual(all.map(asJsdomSays));
});

it('leaves all else, and pages with a sheet of their own, to jsdom', () => {
  document.body.innerHTML = '<style>b { display: none }</style><b style="color: red">a</b><p>a</p>';
  const [sheet, bold] = [document.querySelector('style'), document.querySelector('b') as Element];
  expect(getComputedStyle(bold).display).toBe('none');
  sheet?.remove();
  expect(getComputedStyle(bold).display).toBe('');
  expect(getComputedStyle(bold).color).toBe('rgb(255, 0, 0)');
  expect(getComputedStyle(bold).getPropertyValue('color')).toBe('rgb(255, 0, 0)');
});
