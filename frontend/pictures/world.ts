import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Installation } from '../e2e/installation.ts';
import { hashed, Person, type Seeded } from '../e2e/people.ts';
import { type Account, queriesFor, signInQuietly } from '../e2e/stock.ts';
import type { Who } from './states.ts';

const content = resolve(import.meta.dirname, '../../crates/demo/content');
/** Long enough to fill charts and lists. */
const visits = { rate: '8', seconds: '20' };
/** As wide as an amount is likely to be. */
const fortune = '987654.32';

export type World = {
  accounts: Record<Exclude<Who, 'nobody'>, Account>;
  queries: Record<string, string>;
  /** Texts by providers and users, in their own language. */
  given: (lang: string) => Promise<string[]>;
};

/**
 * The demonstration in use: running plans, a bound card, a withdrawal, much money, and a new user.
 */
export async function liveIn(installation: Installation, seeded: Seeded): Promise<World> {
  const { base } = installation;
  const demo = await signInQuietly(base, seeded.user.username, seeded.user.password);
  await enrich(installation, seeded);
  await post(base, demo, '/bank_card/edit', {
    method: 'bank_card',
    card_name: 'Giro',
    user_name: 'Demo User',
    mobile: '+49 170 1234567',
    bank_name: 'Aurora Bank',
    bank_account: '40001234321',
    branch_name: 'North',
    password: hashed(seeded.user.pay_password),
  });
  await post(base, demo, '/plan/order/put', {
    product_id: '1',
    amount: '1234.50',
    content: 'landing_page',
    ai_delivery: true,
    password: hashed(seeded.user.pay_password),
  });
  await installation.traffic(visits.rate, visits.seconds);
  await Person.register(base, 'mia', seeded.codes[0] ?? '');
  const newcomer = await signInQuietly(base, 'mia', 'a-good-passphrase');
  const queries = await queriesFor(base, demo);
  return { accounts: { demo, newcomer }, queries, given: (lang) => givenWords(lang, seeded) };
}

async function enrich(installation: Installation, { operators }: Seeded) {
  const [first, second] = operators;
  if (!first || !second) throw new Error('the demonstration has two operators');
  await installation.staff(
    first,
    'operator',
    'limit',
    'admin',
    '--each',
    '1000000.00',
    '--daily',
    '9000000.00',
  );
  const recharge = await installation.staff<{ id: string }>(
    first,
    ...['recharge', 'request', 'demo', fortune, '--reference', 'BANK-2026-000017'],
  );
  await installation.staff(second, 'recharge', 'approve', recharge.id);
}

/** From then on, the server writes to this user in this language. */
export async function speak(base: string, account: Account, lang: string): Promise<Account> {
  const user = (await post(base, account, '/user/info/edit', { lang })) as Account['user'];
  return { ...account, user };
}

async function post(base: string, { token }: Account, path: string, body: object) {
  const answer = await fetch(`${base}/api${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-CT': token },
    body: JSON.stringify(body),
  });
  const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: unknown };
  if (code !== 200) throw new Error(`${path}: ${code} ${msg}`);
  return data;
}

/** The demonstration's texts that exist only in one language or in this one, and typed texts. */
async function givenWords(lang: string, { acceptors }: Seeded) {
  const names = ['products.toml', 'coupons.toml', 'contacts.toml', 'acceptors.toml', 'slots.toml'];
  const files = await Promise.all(names.map((name) => readFile(join(content, name), 'utf8')));
  const own = RegExp(
    `\\b(?:advertiser|key|name|summary|title|text|label|publisher|${lang}) = "([^"]+)"`,
    'g',
  );
  const provided = files.flatMap((text) => [...text.matchAll(own)].map((found) => found[1] ?? ''));
  const typed = ['demo', 'mia', 'Giro', 'Demo User', 'Aurora Bank', 'North', 'nobody-here'];
  return [...provided, ...typed, ...acceptors.map(({ name }) => name)];
}
