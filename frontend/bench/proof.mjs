/*
 * How long a phone takes for a year of a busy user: twelve files with 24,000 bills each, and as many lines of the
 * screen. A phone slowed four times is this machine's time four times.
 */
import { createHash } from 'node:crypto';
import { proofCode } from './proof-code.mjs';

const [months, bills, slowed, mark] = [12, 24_000, 4, 10_000];
const book = 5;
const { Comparer, proofReader } = await proofCode('screen', 'verify');

const money = (minor) =>
  `${minor < 0 ? '-' : ''}${Math.floor(Math.abs(minor) / 100)}.${String(Math.abs(minor) % 100).padStart(2, '0')}`;

/** A month's lines, as a file has them and as the screen does. */
function month(number) {
  const start = Date.UTC(2025, number);
  const lines = [];
  const shown = [];
  for (let at = 0; at < bills; at += 1) {
    const time = start + at * 100_000;
    const [amount, left] = [-(100 + (at % 50)), 50_000_000 - at * 120];
    const sequence = number * bills + at + 1;
    const key = `bill:${createHash('sha256').update(String(sequence)).digest('hex').slice(0, 24)}`;
    const entries = [
      [201, book, 42, String(amount), String(left), 3],
      [501, 9, 0, String(-amount - 20), null, null],
      [403, 0, 0, '20', null, null],
    ];
    const document = sequence % 2 ? createHash('sha256').update(key).digest('hex') : null;
    lines.push(
      JSON.stringify([
        sequence,
        4,
        'plan',
        42,
        time - 900_000,
        time,
        key,
        'system',
        '',
        document,
        entries,
      ]),
    );
    shown.push({
      time: new Date(time).toISOString(),
      amount: money(amount),
      balance: '1.00',
      kind: 'ad_billing',
      account: 'held',
      source: 'available',
      ref: { type: 'plan', id: '42' },
    });
  }
  const name = `2025-${String(number + 1).padStart(2, '0')}`;
  const previous = number === 0 ? `0 ${'0'.repeat(64)}` : `${number * bills} ${'11'.repeat(32)}`;
  const head = ['placard-proof/1', '== book', 'origin: ads.example.com/placard', `book: ${book}`];
  const more = [
    `month: ${name}`,
    'made: 2026-01-01T00:00:00Z',
    `previous: ${previous}`,
    `transactions: ${bills}`,
  ];
  return { text: new TextEncoder().encode(`${[...head, ...more, ...lines].join('\n')}\n`), shown };
}

/** As much of a file as it is long because of: all but the few lines at its end. */
function read({ text, shown }) {
  const comparer = new Comparer(book);
  let count = 0;
  const reader = proofReader((transaction) => {
    comparer.add(transaction);
    count += 1;
  });
  for (let at = 0; at < text.length; at += 65_536) reader.push(text.slice(at, at + 65_536));
  const { compared } = comparer.compare(shown, null, Date.UTC(2026, 0));
  if (count !== bills || compared !== bills) throw new Error(`${count} read, ${compared} compared`);
}

let milliseconds = 0;
let bytes = 0;
for (let number = 0; number < months; number += 1) {
  const made = month(number);
  bytes += made.text.length;
  // What others do on the machine meanwhile does not count.
  const begun = process.cpuUsage();
  read(made);
  milliseconds += process.cpuUsage(begun).user / 1000;
}
const phone = milliseconds * slowed;
console.log(
  `${months * bills} transactions, ${(bytes / 1e6).toFixed(0)} MB: ${milliseconds.toFixed(0)} ms here,`,
);
console.log(`${(phone / 1000).toFixed(1)} s slowed ${slowed} times, of ${mark / 1000} s`);
if (phone > mark) process.exit(1);
