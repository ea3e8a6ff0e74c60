/* A browser signed in to the demonstration of a running server. */
import { chromium } from '@playwright/test';

export const base = process.env.PLACARD_BASE ?? 'http://127.0.0.1:8080';
const executablePath = process.env.PLACARD_CHROMIUM ?? '/usr/bin/chromium';

/** With one profile for all of its pages, including those that another program opens in it. */
export function launch(options = {}, ...more) {
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', ...more];
  return chromium.launchPersistentContext('', { executablePath, args, ...options });
}

async function account() {
  const answer = await fetch(`${base}/api/auth/v2/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: 'demo', password: 'demo-password' }),
  });
  const { code, msg, data } = await answer.json();
  if (code !== 200) throw new Error(`cannot sign in as demo at ${base}: ${code} ${msg}`);
  return data;
}

/** The content of storage for a signed-in user, or for nobody. */
export async function storage(signedIn) {
  const { token, user } = signedIn ? await account() : {};
  return { lang: 'en', ...(signedIn && { fb_token: token, fb_userInfo: JSON.stringify(user) }) };
}

export const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
