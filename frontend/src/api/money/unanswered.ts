import { md5 } from 'js-md5';
import { session } from '@/api/session';
import { newId } from '@/new-id';
import { readStored, store, untilLogout } from '@/stored';

/**
 * For so long after its last try an order that was not answered is the same one, also after a
 * reload. One that is placed later is another, even if it is equal: what became of the first has
 * been in the lists by then.
 */
const lifeMs = 12 * 60 * 60 * 1000;
/** More than anybody can have under way. */
const atMost = 1000;

/** An order's digest, its key, and when it was last tried. */
type Order = readonly [digest: string, key: string, at: number];

const place = () => `${untilLogout}orders_${session.get().user?.id ?? ''}`;

// Also in memory, for a browser that stores nothing.
let owner = place();
let orders = read();
// By user, because another tab's sign-in may be heard of in two steps: the session, then whose it is.
session.subscribe(() => {
  if (place() === owner) return;
  owner = place();
  orders = read();
});

function read(): Order[] {
  const found = readStored('sessionStorage', place());
  return Array.isArray(found) ? found.filter(isOrder) : [];
}

function isOrder(found: unknown): found is Order {
  const [digest, key, at] = Array.isArray(found) ? found : [];
  return typeof digest === 'string' && typeof key === 'string' && typeof at === 'number';
}

function keep(next: Order[]) {
  orders = next;
  store('sessionStorage', place(), next.length > 0 ? next : null);
}

const others = (digest: string) =>
  orders.filter(([one, , at]) => one !== digest && Date.now() - at < lifeMs);

/** The key to send an order with: the one of its earlier tries, unless those were answered. */
export function keyOf(digest: string) {
  const before = orders.find(([one, , at]) => one === digest && Date.now() - at < lifeMs);
  const key = before?.[1] ?? newId();
  keep([...others(digest), [digest, key, Date.now()] as const].slice(-atMost));
  return { key, isRetry: before !== undefined };
}

/** It was accepted or refused: the next one is another. */
export const noteAnswer = (digest: string) => keep(others(digest));

/**
 * Two orders are the same if it is equal, as they are for the server: it does not regard what only
 * proves who places them. None of that is stored.
 */
export function digestOf(path: string, body: object): string {
  return md5(`${path} ${JSON.stringify(body, ofOrder)}`);
}

function ofOrder(name: string, value: unknown) {
  if (name === 'password' || name === 'code') return undefined;
  // However it was typed.
  if (name === 'amount')
    return String(value)
      .replace(/(\.\d*?)0+$/, '$1')
      .replace(/\.$/, '');
  return value;
}
