//! Checking the ledger's laws against the rows themselves.

use std::collections::HashMap;

use base::{Money, Timestamp};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, SmallInt};
use wallet::{Account, AccountKey, Entry, FlowKind, Record, TransactionKind};

use crate::books::digest;
use crate::schema::{advertisers, entries, holds, transactions, wallets};
use crate::{Conn, Error};

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Laws {
    pub transactions: i64,
    pub entries: i64,
    pub sum: Money,
    pub chain_ok: bool,
    pub balances_ok: bool,
    pub faults: Vec<String>,
}

/// Faults beyond this many are not listed.
const LISTED: usize = 20;
/// Transactions read at a time.
const CHUNK: i64 = 2_000;

pub fn laws(conn: &mut Conn) -> Result<Laws, Error> {
    let mut walk = Walk { chain_ok: true, ..Walk::default() };
    loop {
        let chunk = transactions::table
            .filter(transactions::id.gt(walk.last))
            .order(transactions::id)
            .limit(CHUNK)
            .load::<TransactionRow>(conn)?;
        let Some(last) = chunk.last().map(|row| row.id) else { break };
        let lines = entries::table
            .filter(entries::transaction_id.gt(walk.last))
            .filter(entries::transaction_id.le(last))
            .order((entries::transaction_id, entries::position))
            .select(EntryRow::as_select())
            .load(conn)?;
        walk.chunk(&chunk, &lines)?;
        walk.last = last;
    }
    walk.orphans(conn)?;
    let chain_ok = walk.chain_ok && walk.heads_match(conn)?;
    let balances_ok = walk.balances_match(conn)?;
    let sum = Money::from_minor(walk.sum);
    Ok(Laws { transactions: walk.transactions, entries: walk.entries, sum, chain_ok, balances_ok, faults: walk.faults })
}

#[derive(Queryable)]
struct TransactionRow {
    id: i64,
    book: i64,
    book_seq: i64,
    kind: i16,
    ref_type: String,
    ref_id: i64,
    event_time: i64,
    recorded_at: i64,
    idempotency_key: Option<String>,
    actor: String,
    reason: String,
    prev_hash: Vec<u8>,
    hash: Vec<u8>,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = entries)]
struct EntryRow {
    transaction_id: i64,
    account_kind: i16,
    owner_id: i64,
    plan_id: Option<i64>,
    amount: i64,
    balance_after: Option<i64>,
    flow: Option<i16>,
}

impl EntryRow {
    fn entry(&self) -> Option<(Entry, Option<Money>)> {
        let key = AccountKey { code: self.account_kind, owner: self.owner_id, plan: self.plan_id.unwrap_or(0) };
        let flow = match self.flow {
            Some(code) => Some(FlowKind::try_from(code).ok()?),
            None => None,
        };
        let entry = Entry { account: Account::try_from(key).ok()?, amount: Money::from_minor(self.amount), flow };
        Some((entry, self.balance_after.map(Money::from_minor)))
    }
}

#[derive(Default)]
struct Walk {
    last: i64,
    transactions: i64,
    entries: i64,
    sum: i64,
    chain_ok: bool,
    heads: HashMap<i64, (i64, [u8; 32])>,
    balances: HashMap<AccountKey, i64>,
    faults: Vec<String>,
}

impl Walk {
    fn fault(&mut self, text: String) {
        if self.faults.len() < LISTED {
            self.faults.push(text);
        }
    }

    fn chunk(&mut self, chunk: &[TransactionRow], lines: &[EntryRow]) -> Result<(), Error> {
        let mut rest = lines;
        for row in chunk {
            let end = rest.partition_point(|line| line.transaction_id <= row.id);
            let (own, later) = rest.split_at_checked(end).unwrap_or((rest, &[]));
            rest = later;
            self.transaction(row, own)?;
        }
        Ok(())
    }

    fn transaction(&mut self, row: &TransactionRow, lines: &[EntryRow]) -> Result<(), Error> {
        self.transactions += 1;
        self.entries += i64::try_from(lines.len()).unwrap_or(0);
        let total: i64 = lines.iter().map(|line| line.amount).sum();
        self.sum += total;
        if total != 0 || lines.is_empty() {
            self.fault(format!("transaction {} sums to {}", row.id, Money::from_minor(total)));
        }
        let mut own = Vec::with_capacity(lines.len());
        for line in lines {
            match line.entry() {
                Some(entry) => own.push(entry),
                None => self.fault(format!("transaction {} has an entry on no known account", row.id)),
            }
        }
        self.running(row.id, &own);
        self.link(row, &own)
    }

    /// Each entry's balance follows from the one before on the same account.
    fn running(&mut self, id: i64, lines: &[(Entry, Option<Money>)]) {
        for (entry, balance) in lines {
            let key = entry.account.key();
            let kept = self.balances.entry(key).or_insert(0);
            *kept += entry.amount.minor();
            let expected = *kept;
            if balance.is_some_and(|b| b.minor() != expected) {
                self.fault(format!("transaction {id}: the running balance of account {} breaks", key.code));
            }
        }
    }

    fn link(&mut self, row: &TransactionRow, lines: &[(Entry, Option<Money>)]) -> Result<(), Error> {
        let (sequence, previous) = self.heads.get(&row.book).copied().unwrap_or((0, wallet::GENESIS));
        let kind = TransactionKind::try_from(row.kind).map_err(|e| Error::Corrupt(e.to_string()))?;
        let hash = wallet::hash(
            &previous,
            &Record {
                book: row.book,
                sequence: row.book_seq,
                kind,
                ref_type: &row.ref_type,
                ref_id: row.ref_id,
                event_at: Timestamp::from_millis(row.event_time),
                recorded_at: Timestamp::from_millis(row.recorded_at),
                idempotency_key: row.idempotency_key.as_deref(),
                actor: &row.actor,
                reason: &row.reason,
                entries: lines,
            },
        );
        if row.book_seq != sequence + 1 || row.prev_hash != previous || row.hash != hash {
            self.chain_ok = false;
            self.fault(format!("transaction {}: the chain of book {} breaks", row.id, row.book));
        }
        self.heads.insert(row.book, (row.book_seq, digest(&row.hash)?));
        Ok(())
    }

    /// Entries whose transaction is gone would be seen by no walk.
    fn orphans(&mut self, conn: &mut Conn) -> Result<(), Error> {
        let all: i64 = entries::table.count().get_result(conn)?;
        if all != self.entries {
            self.fault(format!("{} entries belong to no transaction", all - self.entries));
        }
        Ok(())
    }

    fn heads_match(&mut self, conn: &mut Conn) -> Result<bool, Error> {
        let users: Vec<(i64, i64, Vec<u8>)> =
            wallets::table.select((wallets::user_id, wallets::book_seq, wallets::book_head)).load(conn)?;
        let others: Vec<(i64, i64, Vec<u8>)> =
            advertisers::table.select((advertisers::id, advertisers::book_seq, advertisers::book_head)).load(conn)?;
        let mut all = true;
        for (book, sequence, head) in users.into_iter().chain(others.into_iter().map(|(id, s, h)| (-id, s, h))) {
            let (kept, hash) = self.heads.get(&book).copied().unwrap_or((0, wallet::GENESIS));
            if kept != sequence || head != hash {
                all = false;
                self.fault(format!("book {book} ends elsewhere than its chain"));
            }
        }
        Ok(all)
    }

    fn balances_match(&mut self, conn: &mut Conn) -> Result<bool, Error> {
        let mut all = true;
        for (key, balance) in kept_balances(conn)? {
            let summed = self.balances.get(&key).copied().unwrap_or(0);
            if summed != balance {
                all = false;
                self.fault(format!(
                    "account {} of {} keeps {balance}, its entries sum to {summed}",
                    key.code, key.owner
                ));
            }
        }
        let open = broken_holds(conn)?;
        for plan in open {
            all = false;
            self.fault(format!("the hold of plan {plan} is not what the plan has left"));
        }
        for user in broken(conn, SET_ASIDE_TO_EXCHANGE)? {
            all = false;
            self.fault(format!("what user {user} has set aside to exchange is not what the open order says"));
        }
        for user in broken(conn, SET_ASIDE_TO_WITHDRAW)? {
            all = false;
            self.fault(format!("what user {user} is withdrawing is not what the open withdrawals say"));
        }
        Ok(all)
    }
}

/// Every balance that is kept in a row, by its account.
fn kept_balances(conn: &mut Conn) -> Result<Vec<(AccountKey, i64)>, Error> {
    type Balances = (i64, i64, i64, i64, i64, i64, i64, i64);
    let users: Vec<Balances> = wallets::table
        .select((
            wallets::user_id,
            wallets::available,
            wallets::pending,
            wallets::withdrawing,
            wallets::exchanging,
            wallets::deposit,
            wallets::promotional,
            wallets::advance,
        ))
        .load(conn)?;
    let held: Vec<(i64, i64, i64, i64, i64)> = holds::table
        .select((holds::user_id, holds::plan_id, holds::available, holds::promotional, holds::coupon))
        .load(conn)?;
    let claims: Vec<(i64, i64)> = advertisers::table.select((advertisers::id, advertisers::claims)).load(conn)?;
    let mut kept = Vec::with_capacity(users.len() * 7 + held.len() * 3 + claims.len());
    for (user, available, pending, withdrawing, exchanging, deposit, promotional, advance) in users {
        let balances = [available, pending, withdrawing, exchanging, deposit, promotional, advance];
        kept.extend((101..).zip(balances).map(|(code, b)| (AccountKey { code, owner: user, plan: 0 }, b)));
    }
    for (owner, plan, available, promotional, coupon) in held {
        kept.extend(
            (201..).zip([available, promotional, coupon]).map(|(code, b)| (AccountKey { code, owner, plan }, b)),
        );
    }
    kept.extend(claims.into_iter().map(|(owner, b)| (AccountKey { code: 301, owner, plan: 0 }, b)));
    Ok(kept)
}

#[derive(QueryableByName)]
struct Id {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

/// Users whose money set aside is not what their open documents say: a
/// pending exchange order, withdrawals that are pending or approved.
const SET_ASIDE_TO_EXCHANGE: &str = "SELECT w.user_id AS id FROM wallets w LEFT JOIN (SELECT user_id, \
     CAST(SUM(amount) AS BIGINT) AS open FROM exchange_orders WHERE status = 0 GROUP BY user_id) o \
     ON o.user_id = w.user_id WHERE w.exchanging <> COALESCE(o.open, 0) LIMIT 20";
const SET_ASIDE_TO_WITHDRAW: &str = "SELECT w.user_id AS id FROM wallets w LEFT JOIN (SELECT user_id, \
     CAST(SUM(amount) AS BIGINT) AS open FROM withdrawals WHERE status IN (0, 1) GROUP BY user_id) o \
     ON o.user_id = w.user_id WHERE w.withdrawing <> COALESCE(o.open, 0) LIMIT 20";

fn broken(conn: &mut Conn, sql: &'static str) -> Result<Vec<i64>, Error> {
    let rows: Vec<Id> = diesel::sql_query(sql).load(conn)?;
    Ok(rows.into_iter().map(|row| row.id).collect())
}

/// Plans whose hold is not their budget less what was billed and returned.
fn broken_holds(conn: &mut Conn) -> Result<Vec<i64>, Error> {
    let rows: Vec<Id> = diesel::sql_query(
        "SELECT p.id AS id FROM plans p LEFT JOIN holds h ON h.plan_id = p.id \
         WHERE COALESCE(h.available + h.promotional + h.coupon, 0) <> p.put_amount - p.billed - p.returned LIMIT 20",
    )
    .load(conn)?;
    Ok(rows.into_iter().map(|row| row.id).collect())
}

/// One kind of account: its name, how many entries it has, what they sum to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub account: String,
    pub entries: i64,
    pub balance: Money,
}

#[derive(QueryableByName)]
struct LineRow {
    #[diesel(sql_type = SmallInt)]
    code: i16,
    #[diesel(sql_type = BigInt)]
    entries: i64,
    #[diesel(sql_type = BigInt)]
    balance: i64,
}

pub fn trial_balance(conn: &mut Conn) -> Result<Vec<Line>, Error> {
    let rows: Vec<LineRow> = diesel::sql_query(
        "SELECT account_kind AS code, COUNT(*) AS entries, CAST(COALESCE(SUM(amount), 0) AS BIGINT) AS balance \
         FROM entries GROUP BY account_kind ORDER BY account_kind",
    )
    .load(conn)?;
    Ok(rows
        .into_iter()
        .map(|row| Line { account: name(row.code), entries: row.entries, balance: Money::from_minor(row.balance) })
        .collect())
}

fn name(code: i16) -> String {
    match Account::try_from(AccountKey { code, owner: 1, plan: 1 }) {
        Ok(Account::User(_, account)) => account.name().into(),
        Ok(Account::Hold { source, .. }) => format!("held_{}", source.name()),
        Ok(Account::Advertiser(_)) => "claims".into(),
        Ok(Account::Platform(account)) => account.name().into(),
        Err(_) => format!("unknown_{code}"),
    }
}
