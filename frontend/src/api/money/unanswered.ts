import { md5 } from 'js-md5';
import { session } from '@/api/session';
import { newId } from '@/new-id';
import { readStored, store, untilLogout } from '@/stored';

/**
 * For this long after its last try, an equal order counts as a retry of an unanswered one, also
 * after a reload. A later one is a new order, even if it is equal: by then the lists have shown the
 * result of the first.
 */
const lifeMs = 12 * 60 * 60 * 1000;
/** More orders than anybody can have under way. */
const atMost = 1000;

/** An order's digest, its key, and when it was last tried. */
type Order = readonly [digest: string, key: string, at: number];

const place = () => `${untilLogout}orders_${session.get().user?.id ?? ''}`;

// They are also kept in memory, for a browser that cannot store anything.
let owner = place();
let orders = read();
// The place depends on the user and not on the session, because another tab's sign-in may arrive in
// two steps: first the token, then the user.
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

/** Notes that an order was accepted or refused, so that the next equal one is a new order. */
export const noteAnswer = (digest: string) => keep(others(digest));

/**
 * The digest by which orders are compared. Like the server's comparison, it ignores what only
 * proves who places the order, and nothing of that is stored.
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
