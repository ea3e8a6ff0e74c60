import { createHash } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import type { Installation, Operator } from './installation.ts';

/** A wallet on TRC20 for those who are paid. */
export const tronAddress = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

export type Seeded = {
  user: { username: string; password: string; pay_password: string };
  operators: Operator[];
  codes: string[];
  acceptors: { name: string; type: string; code: string }[];
  operated_ids: string[];
};

/** Creates the demonstration data, with its two operators; `--history` gives it a past. */
export async function seed(installation: Installation, ...options: '--history'[]) {
  const seeded = await installation.staff<Seeded>(null, 'demo', 'seed', ...options);
  const [first, second] = seeded.operators;
  if (!first || !second) throw new Error('the demonstration has two operators');
  return { ...seeded, first, second };
}

export async function signIn(page: Page, base: string, username: string, password: string) {
  await page.goto(`${base}/#/login`);
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(/#\/ad-center/);
}

/** Fills in the transaction-password dialog. */
export async function confirmWith(page: Page, digits: string) {
  await page.getByLabel('Enter your 6 digits').fill(digits);
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
}

/** A user who calls the API without the app. */
export class Person {
  private constructor(
    private readonly base: string,
    readonly username: string,
    private readonly token: string,
  ) {}

  static async register(base: string, username: string, code: string) {
    const { token } = await ask<{ token: string }>(base, '/auth/v2/register', '', {
      username,
      password: 'a-good-passphrase',
      confirm_password: 'a-good-passphrase',
      email: `${username}@example.com`,
      phone: '+49 170 1234567',
      license_key: code,
    });
    return new Person(base, username, token);
  }

  call<T>(path: string, body: object) {
    return ask<T>(this.base, path, this.token, body);
  }

  async read<T>(path: string, asked: Record<string, string>) {
    const query = `${path}?${new URLSearchParams(asked)}`;
    const headers = { 'X-CT': this.token };
    return opened<T>(path, await fetch(`${this.base}/api${query}`, { headers }));
  }
}

export function hashed(digits: string) {
  return createHash('md5').update(digits).digest('hex');
}

async function ask<T>(base: string, path: string, token: string, body: object) {
  const answer = await fetch(`${base}/api${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token && { 'X-CT': token }) },
    body: JSON.stringify(body),
  });
  return opened<T>(path, answer);
}

/** What is in the envelope of an answer. */
async function opened<T>(path: string, answer: Response) {
  const envelope = (await answer.json()) as { code: number; msg: string; data: T };
  if (envelope.code !== 200) throw new Error(`${path}: ${envelope.code} ${envelope.msg}`);
  return envelope.data;
}
