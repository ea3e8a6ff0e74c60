import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adCenterAnswers } from '@/testing/answers';
import { fakeApi } from '@/testing/api';
import { aUser } from '@/testing/data';
import { aListedPlan, aProductToPut } from '@/testing/money-data';
import { address, renderApp } from '@/testing/render-app';
import { wideScreen } from '@/testing/wide-screen';
import { keysOn } from './keys-on';
import { pressedKey } from './pressed-key';

async function open(at: string, wide = true, user = aUser) {
  wideScreen(wide);
  fakeApi({
    ...adCenterAnswers,
    'GET /user/info': () => user,
    'GET /user/sessions': () => [],
    'GET /products': () => ({ items: [aProductToPut], next_cursor: null }),
    'GET /plan/order/list': () => ({ items: [aListedPlan], next_cursor: null, choices: null }),
    'POST /plan/order/await/put/count': () => ({ count: 0 }),
  });
  renderApp(at, user);
  await screen.findByRole('heading', { level: 1 });
  if (wide) await screen.findByRole('navigation', { name: 'Main pages' });
}

const search = () => screen.findByLabelText('Search by product or plan number');
const products = () => screen.findByRole('dialog', { name: 'Choose a product' });

afterEach(() => keysOn.set(true));

describe('a key on a desktop', () => {
  it('searches the plans, from any page', async () => {
    await open('/me/sessions');
    await userEvent.keyboard('/');
    await waitFor(() => expect(address()).toBe('/plan'));
    const field = await search();
    await waitFor(() => expect(field).toHaveFocus());
    expect(field).toHaveValue('');
    await userEvent.keyboard('a/b');
    expect(field).toHaveValue('a/b');
  });

  it('searches on the page of plans without leaving it', async () => {
    await open('/plan?status=putting');
    const field = await search();
    await userEvent.keyboard('/');
    expect(field).toHaveFocus();
    expect(address()).toBe('/plan?status=putting');
  });

  it.each(['/plan', '/ad-center'])('starts a plan on %s', async (at) => {
    await open(at);
    await userEvent.keyboard('n');
    expect(await products()).toBeVisible();
    expect(address()).toBe(at);
  });

  it('starts a plan from the ad center without an ad account, at once', async () => {
    await open('/ad-center', true, { ...aUser, store_opened: false });
    await userEvent.keyboard('n');
    expect(await products()).toBeVisible();
    expect(address()).toBe('/plan');
  });

  it('starts a plan from another page, and not once more when it is opened again', async () => {
    await open('/me/sessions');
    await userEvent.keyboard('n');
    expect(await products()).toBeVisible();
    expect(address()).toBe('/plan');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('says what the keys do, and can be turned off for good', async () => {
    await open('/me/sessions');
    await userEvent.keyboard('?');
    const sheet = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
    const terms = sheet.getAllByRole('term').map(({ textContent }) => textContent);
    expect(terms).toEqual(['/', 'n', '?']);
    // Over the page, a key does nothing there.
    await userEvent.keyboard('n');
    expect(address()).toBe('/me/sessions');
    await userEvent.click(sheet.getByRole('switch', { name: 'Use keyboard shortcuts' }));
    expect(localStorage.getItem('placard_keys')).toBe('"off"');
    await userEvent.click(sheet.getByRole('button', { name: 'Close' }));
    await userEvent.keyboard('?n/');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(address()).toBe('/me/sessions');
    await userEvent.click(screen.getByRole('button', { name: 'Keyboard shortcuts' }));
    expect(await screen.findByRole('switch')).not.toBeChecked();
  });

  it('does nothing on a phone, which has no side to say so', async () => {
    await open('/plan', false);
    await search();
    await userEvent.keyboard('n?');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Keyboard shortcuts' })).toBeNull();
  });
});

describe('a press', () => {
  let pressed: ReturnType<typeof pressedKey>;
  const listen = (event: KeyboardEvent) => {
    pressed = pressedKey(event);
  };
  beforeEach(() => document.addEventListener('keydown', listen));
  afterEach(() => document.removeEventListener('keydown', listen));
  const press = (init: KeyboardEventInit, on: Element = document.body) => {
    on.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ...init }));
    return pressed;
  };
  const element = (html: string) => {
    document.body.innerHTML = html;
    return document.body.firstElementChild as Element;
  };

  it.each([
    [{ key: '/' }, '/'],
    [{ key: '?', shiftKey: true }, '?'],
    [{ key: 'n' }, 'n'],
    [{ key: 'N', shiftKey: true }, 'n'],
    [{ key: 'т', code: 'KeyN' }, 'n'],
    [{ key: 'b', code: 'KeyN' }, null],
    [{ key: 'n', ctrlKey: true }, null],
    [{ key: 'n', metaKey: true }, null],
    [{ key: '/', altKey: true }, null],
    [{ key: 'n', repeat: true }, null],
    [{ key: 'x' }, null],
  ] as const)('%o is %s', (init, key) => {
    expect(press(init)).toBe(key);
  });

  it.each([
    ['<input type="text">', null],
    ['<textarea></textarea>', null],
    ['<select></select>', null],
    ['<div contenteditable="true"></div>', null],
    ['<input type="checkbox">', 'n'],
    ['<button>x</button>', 'n'],
  ])('in %s is %s', (html, key) => {
    expect(press({ key: 'n' }, element(html))).toBe(key);
  });
});
