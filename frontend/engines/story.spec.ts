import { openMarket } from '../e2e/market.ts';
import { tronAddress } from '../e2e/people.ts';
import { founders } from '../e2e/steps/staff.ts';
import { expect, test } from './test.ts';

/** What every user does once, in an engine that is not Chromium's. The whole of it: e2e/story.spec.ts. */
test('from the authorization code to signing out', async ({ tab, watch, installation }) => {
  const { admin, finance, code } = await founders(installation);
  await openMarket(installation, admin, finance);

  await test.step('registers with the code', async () => {
    await tab.open('/register');
    await tab.fill('Username', 'mia');
    await tab.fill('Password', 'a-good-passphrase');
    await tab.fill('Repeat password', 'a-good-passphrase');
    await tab.fill('Email', 'mia@example.com');
    await tab.fill('Phone', '+49 170 1234567');
    await tab.fill('Authorization code', code);
    await tab.button('Create account');
    await tab.isAt(/#\/ad-center/);
    await tab.sees('Simulated data – no real money');
  });

  await test.step('sets a transaction password', async () => {
    await tab.open('/wallet/set-password');
    await tab.fill('Enter your 6 digits', '582913');
    await tab.button('Next');
    await tab.sees('Repeat the new password');
    await tab.fill('Enter your 6 digits', '582913');
    await tab.button('Save password');
    await tab.sees('Transaction password saved');
  });

  await test.step('is recharged by staff', async () => {
    const asked = ['recharge', 'request', 'mia', '250.00', '--reference', 'BANK-1'];
    const { id } = await installation.staff<{ id: string }>(finance, ...asked);
    await installation.staff(admin, 'recharge', 'approve', id);
    await tab.open('/wallet');
    await tab.sees('$250.00');
    await tab.sees('System top-up');
  });

  await test.step('puts 100.00 on a product', async () => {
    await tab.open('/ad-center');
    await tab.press({ role: 'link', name: /Aurora Coffee/ });
    await tab.button('Put amount');
    await tab.fill('Amount', '100.00');
    await tab.button('Put amount', true);
    await tab.fill('Enter your 6 digits', '582914');
    await tab.button('Confirm', true);
    await tab.sees(/Wrong transaction password/);
    await tab.fill('Enter your 6 digits', '582913');
    await tab.button('Confirm', true);
    await tab.isAt(/#\/plan\/detail/);
    await tab.sees('Matching');
  });

  await test.step('finds the plan in the list, and what it holds in the wallet', async () => {
    await tab.open('/plan');
    await tab.press({ role: 'link', name: /Aurora Coffee/ });
    await tab.isAt(/#\/plan\/detail/);
    await tab.open('/wallet');
    await tab.sees('$150.00');
    await tab.sees('Budget set aside');
  });

  await test.step('asks for a withdrawal', async () => {
    await tab.open('/wallet/bind-card');
    await tab.press({ role: 'tab', name: 'Wallet address' });
    await tab.press({ label: 'Network' });
    await tab.button('TRC20', true);
    await tab.fill('Address', tronAddress);
    await tab.button('Add');
    await tab.fill('Enter your 6 digits', '582913');
    await tab.button('Confirm', true);
    await tab.sees('Saved');
    await tab.open('/wallet/withdraw');
    await tab.sees('TRC20');
    await tab.fill('Amount', '77.00');
    await tab.button('Withdraw');
    await tab.fill('Enter your 6 digits', '582913');
    await tab.button('Confirm', true);
    await tab.sees('Withdrawal requested');
    const [asked] = await installation.list<{ amount: string }>(admin, 'withdrawal', 'list');
    expect(asked?.amount).toBe('77.00');
  });

  await test.step('logs out', async () => {
    await tab.open('/ad-center');
    await tab.button('Log out');
    await tab.button('Log out', true);
    await tab.isAt(/#\/login/);
    expect(await tab.run(() => localStorage.getItem('fb_token'))).toBeNull();
  });

  expect(await watch.troubles(tab)).toEqual([]);
});
