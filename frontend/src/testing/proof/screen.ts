import type { Flow } from '@/api/types';
import { book, type Written } from './file';

const kinds = ['', 'system_top_up', '', 'ad_billing'] as const;
const decimal = (minor: string) => (Number(minor) / 100).toFixed(2);

/** The lines of transactions, as the server lists them. */
export function screenLines(transactions: readonly Written[]): Flow[] {
  return transactions.flatMap(([, , type, id, , at, , , , , entries]) =>
    entries
      .filter(([, owner, , , , flow]) => owner === book && flow !== null)
      .map(
        ([, , , amount, balance, flow]) =>
          ({
            id: `${id}`,
            time: new Date(at).toISOString(),
            amount: decimal(amount),
            balance: decimal(balance ?? '0'),
            kind: kinds[flow ?? 0] ?? '',
            remark: '',
            ref: { type, id: String(id) },
            account: 'available',
            added: false,
            source: null,
          }) as Flow,
      ),
  );
}
