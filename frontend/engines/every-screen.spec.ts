import { seed } from '../e2e/people.ts';
import { nowhere, openPaths } from '../e2e/screens.ts';
import { queriesFor, signInQuietly } from '../e2e/stock.ts';
import { routeName, routes } from '../src/app/routes.ts';
import { expect, test } from './test.ts';

test('every screen is whole, silent, and no wider than a phone', async ({
  tab,
  watch,
  installation,
}) => {
  test.setTimeout(300_000);
  const { user } = await seed(installation, '--history');
  await installation.start();
  const account = await signInQuietly(installation.base, user.username, user.password);
  const queries = await queriesFor(installation.base, account);

  const inspect = async (path: string) => {
    await tab.open(`${path}${queries[path] ?? ''}`);
    await tab.settles(path === nowhere ? null : routeName(path));
    const over = await tab.run(() => document.documentElement.scrollWidth - innerWidth);
    // Soft assertions, so that one run reports every faulty screen.
    expect.soft(over, `${path} is wider than the screen`).toBeLessThanOrEqual(0);
    expect.soft(await watch.troubles(tab), `${path} in silence`).toEqual([]);
  };

  for (const path of [...openPaths, nowhere]) await inspect(path);
  await tab.run(
    (token, info) => {
      localStorage.setItem('fb_token', token);
      localStorage.setItem('fb_userInfo', info);
    },
    account.token,
    JSON.stringify(account.user),
  );
  await tab.reload();
  const closed = routes.filter(({ needsLogin }) => needsLogin).map(({ path }) => path);
  for (const path of [...closed, '/ad-welcome']) await inspect(path);
});
