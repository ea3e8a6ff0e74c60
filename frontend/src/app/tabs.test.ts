// @vitest-environment node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importedFile, source } from '@/testing/source-files';

/** What is loaded with a file, without what it loads when it is needed. */
function loadedWith(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const imports = /^(?:import|export) (?!type )[^;]*?from '([^']+)'/gm;
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(imports)) {
    const imported = importedFile(name, file);
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
