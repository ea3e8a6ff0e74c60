import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const source = join(import.meta.dirname, '..');

function fileOf(name: string, from: string): string | null {
  const path = name.startsWith('@/') ? join(source, name.slice(2)) : join(dirname(from), name);
  return (
    ['', '.ts', '.tsx']
      .map((end) => path + end)
      .find((file) => /\.tsx?$/.test(file) && existsSync(file)) ?? null
  );
}

/** What is loaded with a file, without what it loads when it is needed. */
function loadedWith(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const imports = /^(?:import|export) (?!type )[^;]*?from '([^']+)'/gm;
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(imports)) {
    const imported = /^(@\/|\.)/.test(name) ? fileOf(name, file) : null;
    if (imported) loadedWith(imported, found);
  }
  return found;
}

const tabs = [
  'ad-center/AdCenterPage.tsx',
  'plans/list/PlanListPage.tsx',
  'wallet/overview/WalletPage.tsx',
  'people/me/MePage.tsx',
];

/** Each of them is large, and of no use before something is pressed. */
const onDemand =
  /ui\/(pin\/(?:PinField|PinPad|pin-hash|TransactionPasswordDialog)|images\/ImageUpload|money\/AmountField)/;

it.each(tabs)('%s is drawn without the fields for amounts, pictures and the password', (tab) => {
  const loaded = [...loadedWith(join(source, 'features', tab))];
  expect(loaded.length).toBeGreaterThan(20);
  expect(loaded.filter((file) => onDemand.test(file))).toEqual([]);
});
