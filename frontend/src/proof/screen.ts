/** Compares the app's lines with a proof file. */
import type { Transaction } from './transaction';

/** A line of the statement, as the server sent it for the screen. */
type ScreenLine = {
  time: string;
  amount: string;
  balance: string;
  kind: string;
  account: string;
  source: string | null;
  ref: { type: string; id: string };
};

/** A line in one text: a worker is sent those of a year in a tenth of the time that objects take. */
export const rowOf = ({ time, amount, balance, kind, account, source, ref }: ScreenLine): string =>
  [time, amount, balance, kind, account, source ?? '', ref.type, ref.id].join('\n');

function lineIn(row: string): ScreenLine {
  const [time = '', amount = '', balance = '', kind = '', account = '', source = '', ...ref] =
    row.split('\n');
  const [type = '', ...id] = ref;
  return {
    time,
    amount,
    balance,
    kind,
    account,
    source: source === '' ? null : source,
    ref: { type, id: id.join('\n') },
  };
}

/** Balances as the screen shows them, by the account's number. */
export type ScreenBalances = Record<number, string>;

/** A line that only one side has. */
export type Difference = { time: number; kind: string; amount: string; balance: string | null };

export type Comparison = {
  compared: number;
  onlyShown: readonly Difference[];
  onlyProved: readonly Difference[];
  /** Lines that are too recent to be in the log. */
  recent: number;
  balances: readonly { account: number; shown: string; proved: string }[];
  balancesCompared: number;
};

/** The headings of lines, by their numbers, which begin with 1. */
const kinds = [
  '',
  'system_top_up',
  'manual_withdrawal',
  'ad_billing',
  'ad_serving',
  'system_chargeback',
  'virtual_recharge_deduction',
  'vip_subscription',
  'profit_sharing',
  'settlement',
  'exchange',
  'refund',
  'coupon',
  'deposit',
  'startup_funds',
];
/** The accounts whose lines the statement has. */
const shownAs = new Map([
  [101, 'available'],
  [106, 'promotional'],
  [201, 'held available'],
  [202, 'held promotional'],
  [203, 'held coupon'],
]);
const available = 101;
/** The log has a transaction ten seconds after it at the latest; clocks may differ. */
const recently = 60_000;
/** The most differences that are shown. */
const mostShown = 20;

/** `12.30` as `1230`. Few are below one, and have zeros in front. */
function minor(amount: string): string {
  const point = amount.indexOf('.');
  const digits = point < 0 ? amount : amount.slice(0, point) + amount.slice(point + 1);
  const first = digits[digits.startsWith('-') ? 1 : 0];
  return first === '0' ? digits.replace(/^(-?)0+(?=[0-9])/, '$1') : digits;
}

/** A line as the books have it. */
type Proved = Difference & { account: string; refType: string; refId: string };

/** Takes the transactions of a month as they are read, and then the lines of the screen. */
export class Comparer {
  /** The lines by time, because few have the same one. */
  private readonly lines = new Map<number, Proved[]>();
  private readonly known = new Map<number, { at: number; balance: string }[]>();
  /** The available balance after the previous entry; null until the file has one. */
  private balance: string | null = null;
  private last = 0;

  constructor(private readonly book: number) {}

  readonly add = (transaction: Transaction) => {
    const { recordedAt: time, refType } = transaction;
    this.last = Math.max(this.last, time);
    for (let at = 0; at < transaction.count; at += 1) {
      const entry = transaction.entry(at);
      if (entry?.owner !== this.book) continue;
      const after = entry.account < 200 ? entry.balance() : null;
      if (after !== null) this.note(entry.account, time, after);
      const account = shownAs.get(entry.account);
      if (entry.flow === null || account === undefined) continue;
      const kind = kinds[entry.flow] ?? String(entry.flow);
      const refId = String(transaction.refId);
      const amount = entry.amount();
      const line = { time, kind, amount, balance: this.balance, account, refType, refId };
      const alike = this.lines.get(time);
      if (alike) alike.push(line);
      else this.lines.set(time, [line]);
    }
  };

  private note(account: number, at: number, balance: string) {
    if (account === available) this.balance = balance;
    const known = this.known.get(account);
    if (known) known.push({ at, balance });
    else this.known.set(account, [{ at, balance }]);
  }

  /** Rows of lines; `made` is when the file was: lines and balances were read at about that time. */
  compare(shown: readonly string[], balances: ScreenBalances | null, made: number): Comparison {
    const onlyShown: Difference[] = [];
    let [compared, recent] = [0, 0];
    for (const row of shown) {
      const line = lineIn(row);
      if (this.take(line)) compared += 1;
      else if (Date.parse(line.time) >= Math.max(this.last, made - recently)) recent += 1;
      else onlyShown.push(differenceOf(line));
    }
    const onlyProved = [...this.lines.values()]
      .flat()
      .map(({ time, kind, amount, balance }) => ({ time, kind, amount, balance }));
    const checked = balances && recent === 0 ? this.balances(balances, made) : [];
    return {
      compared,
      onlyShown: onlyShown.slice(0, mostShown),
      onlyProved: onlyProved.slice(0, mostShown),
      recent,
      balances: checked.flatMap(({ same, ...balance }) => (same ? [] : [balance])),
      balancesCompared: checked.length,
    };
  }

  /** Finds a line of the screen, and takes it, so that it is found once. */
  private take(line: ScreenLine): boolean {
    const time = Date.parse(line.time);
    const account = line.source === null ? line.account : `${line.account} ${line.source}`;
    const amount = minor(line.amount);
    const balance = minor(line.balance);
    const alike = this.lines.get(time) ?? [];
    const at = alike.findIndex(
      (one) =>
        one.kind === line.kind &&
        one.account === account &&
        one.amount === amount &&
        one.refType === line.ref.type &&
        one.refId === line.ref.id &&
        (one.balance === null || one.balance === balance),
    );
    if (at < 0) return false;
    if (alike.length > 1) alike.splice(at, 1);
    else this.lines.delete(time);
    return true;
  }

  /** The screen was read shortly before the file was made: any balance since then is right. */
  private balances(shown: ScreenBalances, made: number) {
    return Object.entries(shown).flatMap(([number, amount]) => {
      const account = Number(number);
      const known = this.known.get(account) ?? [];
      const last = known.at(-1);
      if (!last) return [];
      const before = known.findLast(({ at }) => at < made - recently);
      const since = known.filter(({ at }) => at >= made - recently);
      const same = [before, ...since].some((one) => one?.balance === minor(amount));
      return [{ account, shown: minor(amount), proved: last.balance, same }];
    });
  }
}

function differenceOf({ time, kind, amount, balance }: ScreenLine): Difference {
  return { time: Date.parse(time), kind, amount: minor(amount), balance: minor(balance) };
}
