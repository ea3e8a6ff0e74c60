import { expect, type Page, test } from '@playwright/test';
import { Installation } from './installation.ts';
import { told } from './steps/waiting.ts';
import { type Account, readAs, signInQuietly } from './stock.ts';

/**
 * When the server dies in the middle of any form, the input survives and the retry counts once.
 * Where money moves or a record is created, the harder case is tested: the server has processed the
 * request, and only its response is lost.
 */
type Seed = { acceptors: { type: string; code: string }[] };
type Items = { items: { id: string }[] };

let installation: Installation;
let seed: Seed;
let account: Account;

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  installation = await Installation.create();
  seed = await installation.staff<Seed>(null, 'demo', 'seed');
  await installation.start();
  account = await signInQuietly(installation.base, 'demo', 'demo-password');
});

test.beforeEach(async ({ page }) => {
  await page.addInitScript(({ token, user }) => {
    localStorage.setItem('lang', 'en');
    localStorage.setItem('fb_token', token);
    localStorage.setItem('fb_userInfo', JSON.stringify(user));
  }, account);
});

test.afterAll(() => installation.remove());

const read = <T>(path: string) => readAs<T>(installation.base, account, path);
const available = async () => (await read<{ available: string }>('/user/property')).available;
const open = (page: Page, path: string) => page.goto(`${installation.base}/#${path}`);
const lost = (page: Page) => page.getByText(/connection was lost|No connection/i).first();

/** The next call to `path` is processed, but its response is lost. */
async function loseAnswer(page: Page, path: string) {
  await page.route(
    `**/api${path}`,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
}

async function confirmPassword(page: Page) {
  await page.getByLabel('Enter your 6 digits').fill('123456');
  await page.getByRole('button', { name: 'Confirm' }).click();
}

test('feedback survives a server that is gone', async ({ page }) => {
  await open(page, '/ad-center/feedback');
  await page.getByLabel('Topic').fill('Withdrawal takes long');
  await page.getByLabel('Your message').fill('Asked on Monday, still under review.');
  await installation.kill();
  await page.getByRole('button', { name: 'Send feedback' }).click();
  await expect(lost(page)).toBeVisible();
  await expect(page.getByLabel('Topic')).toHaveValue('Withdrawal takes long');
  await expect(page.getByLabel('Your message')).toHaveValue(/still under review/);
  await installation.start();
  const before = await feedback();
  await page.getByRole('button', { name: 'Send feedback' }).click();
  await expect(page.getByText('Thank you, we have received it')).toBeVisible();
  expect(await feedback()).toBe(before + 1);
});

/** The number of feedback records, read from the user's data export. */
async function feedback() {
  const headers = { 'X-CT': account.token };
  const answer = await fetch(`${installation.base}/api/user/export`, { headers });
  return ((await answer.json()) as { feedback: object[] }).feedback.length;
}

test('a profile survives a server that is gone', async ({ page }) => {
  await open(page, '/me/profile');
  await page.getByLabel('Nickname').fill('Demo the Second');
  await page.getByLabel('Phone').fill('+49 30 901820');
  // The code that validates phone numbers has loaded before the server is killed.
  await installation.kill();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(lost(page)).toBeVisible();
  await expect(page.getByLabel('Nickname')).toHaveValue('Demo the Second');
  await expect(page.getByLabel('Phone')).toHaveValue('+49 30 901820');
  await installation.start();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await confirmPassword(page);
  await expect(page.getByText('Profile saved')).toBeVisible();
  const user = await read<{ nickname: string; phone: string }>('/user/info');
  expect(user).toMatchObject({ nickname: 'Demo the Second', phone: '+49 30 901820' });
});

test('a picture is sent again as it was cut out', async ({ page }) => {
  await open(page, '/me/profile');
  const picture = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 320;
    canvas.height = 240;
    return canvas.toDataURL('image/png').slice('data:image/png;base64,'.length);
  });
  const buffer = Buffer.from(picture, 'base64');
  const file = { name: 'me.png', mimeType: 'image/png', buffer };
  await page.getByLabel('Choose a picture').setInputFiles(file);
  await page.getByLabel('Zoom').press('ArrowRight');
  await page.getByRole('group', { name: 'Section of the picture' }).press('ArrowRight');
  await loseAnswer(page, '/user/info/edit');
  await page.getByRole('button', { name: 'Use this picture' }).click();
  await expect(lost(page)).toBeVisible();
  await Promise.all([
    told(page, 'Picture saved'),
    page.getByRole('button', { name: 'Use this picture' }).click(),
  ]);
  const { avatar } = await read<{ avatar: string | null }>('/user/info');
  const shown = await fetch(`${installation.base}${avatar}`);
  expect(shown.headers.get('content-type')).toBe('image/jpeg');
});

test('a payout account is bound once', async ({ page }) => {
  await open(page, '/wallet/bind-card');
  const fields = {
    'Name for this account': 'Giro',
    'Account holder': 'Demo',
    'Mobile number': '+49 170 1234567',
    Bank: 'Aurora Bank',
    'Account number': '40001234321',
    Branch: 'North',
  };
  for (const [label, text] of Object.entries(fields)) {
    await page.getByLabel(label, { exact: true }).fill(text);
  }
  await loseAnswer(page, '/bank_card/edit');
  await submitCard(page);
  await expect(lost(page)).toBeVisible();
  for (const [label, text] of Object.entries(fields)) {
    await expect(page.getByLabel(label, { exact: true })).toHaveValue(text);
  }
  await submitCard(page);
  await expect(page.getByText('•••• 4321').first()).toBeVisible();
});

/**
 * If an account is bound already, the form first asks whether to replace it, then for the password.
 */
async function submitCard(page: Page) {
  await page.getByRole('button', { name: /^Add/ }).last().click();
  const replace = page.getByRole('dialog', { name: 'Replace this account?' });
  if (await replace.isVisible()) await replace.getByRole('button', { name: /^Add/ }).click();
  await confirmPassword(page);
}

test('a withdrawal is asked for once', async ({ page }) => {
  const before = Number(await available());
  await open(page, '/wallet/withdraw');
  await page.getByLabel('Amount', { exact: true }).fill('40.00');
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await loseAnswer(page, '/user/withdraw');
  await confirmPassword(page);
  await expect(lost(page)).toBeVisible();
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('40.00');
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await confirmPassword(page);
  await expect(page.getByText('Withdrawal requested')).toBeVisible();
  expect(Number(await available())).toBe(before - 40);
});

test('a plan is put once', async ({ page }) => {
  const [product] = (await read<Items>('/products')).items;
  const plans = async () => (await read<Items>('/plan/order/list?limit=100')).items.length;
  const before = await plans();
  await open(page, `/plan/goods-detail?id=${product?.id}`);
  await page.getByRole('button', { name: 'Put amount' }).click();
  const dialog = page.getByRole('dialog').first();
  await dialog.getByLabel('Amount', { exact: true }).fill('60.00');
  await dialog.getByRole('button', { name: 'Put amount' }).click();
  await loseAnswer(page, '/plan/order/put');
  await confirmPassword(page);
  await expect(lost(page)).toBeVisible();
  await expect(dialog.getByLabel('Amount', { exact: true })).toHaveValue('60.00');
  await dialog.getByRole('button', { name: 'Put amount' }).click();
  await confirmPassword(page);
  await expect(page).toHaveURL(/#\/plan\/detail/);
  expect(await plans()).toBe(before + 1);
});

test('an exchange is ordered once', async ({ page }) => {
  const orders = async () => (await read<Items>('/acceptor/order/list')).items.length;
  const before = await orders();
  const money = Number(await available());
  const code = seed.acceptors.find(({ type }) => type === 'personal')?.code ?? '';
  expect(code).not.toBe('');
  await open(page, '/wallet/foreign-exchange');
  await page.getByLabel('Acceptance code').fill(code);
  await installation.kill();
  await page.getByRole('button', { name: 'Show rates' }).click();
  await expect(lost(page)).toBeVisible();
  await expect(page.getByLabel('Acceptance code')).toHaveValue(code);
  await installation.start();
  await page.getByRole('button', { name: 'Show rates' }).click();
  await page.getByLabel('Amount', { exact: true }).fill('30.00');
  await review(page);
  await loseAnswer(page, '/acceptor/order/put');
  await confirmPassword(page);
  // The page checks what happened, and finds the order instead of offering it again.
  await expect(page.getByText('Current exchange')).toBeVisible();
  expect(await orders()).toBe(before + 1);
  expect(Number(await available())).toBe(money - 30);
});

async function review(page: Page) {
  await page.getByRole('button', { name: 'Review exchange' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
}
