// @vitest-environment node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAccount, readAddress } from './payee';

type Case = { typed: string; network: string; number?: string; iban?: boolean; problem?: string };

const file = join(import.meta.dirname, '../../../../../crates/payee/tests/payees.json');
const all: { accounts: Case[]; addresses: Case[] } = JSON.parse(readFileSync(file, 'utf8'));

describe('a number or an address, as on the server', () => {
  it.each(all.accounts.filter((one) => !('page' in one)))('$typed', (one) => {
    const { number, iban, problem } = readAccount(one.typed);
    if (one.problem) expect(problem).toBe(`wallet.payee.${one.problem}`);
    else
      expect({ number, iban, problem }).toEqual({
        number: one.number,
        iban: one.iban,
        problem: null,
      });
  });

  it.each(all.addresses)('$network $typed', (one) => {
    const { number, problem } = readAddress(one.network, one.typed);
    if (one.problem) expect(problem).toBe(`wallet.payee.${one.problem}`);
    else expect({ number, problem }).toEqual({ number: one.number, problem: null });
  });
});
