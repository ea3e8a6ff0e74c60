import type { Installation, Operator } from '../installation.ts';

/**
 * The two people that every installation begins with, with keys that they have rotated themselves,
 * and a code to register with.
 */
export async function founders(installation: Installation) {
  const add = ['operator', 'add', 'anna', '--role', 'admin', '--reason', 'first operator'];
  const anna = await installation.staff<Operator>(null, ...add);
  const ben = await installation.staff<Operator>(
    anna,
    'operator',
    'add',
    'ben',
    '--role',
    'finance',
  );
  await installation.staff(null, 'operator', 'founders', 'anna', 'ben');
  const [admin, finance] = [await rotated(installation, anna), await rotated(installation, ben)];
  const issue = ['code', 'issue', '--count', '1'];
  const { codes } = await installation.staff<{ codes: string[] }>(admin, ...issue);
  return { admin, finance, code: codes[0] ?? '' };
}

async function rotated(installation: Installation, by: Operator): Promise<Operator> {
  const { key } = await installation.staff<Operator>(by, 'operator', 'rotate', by.operator);
  return { ...by, key };
}
