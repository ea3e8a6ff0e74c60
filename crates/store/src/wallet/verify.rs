//! Verifies the ledger's laws on the rows themselves.
//!
//! Every transaction and every entry is read once, in the order they were written. The
//! results are compared with every stored balance, and with every document that money was
//! moved for.

use std::collections::HashMap;
use std::thread;

use base::Money;
use crossbeam_channel::{Sender, bounded};
use diesel::prelude::*;

use crate::schema::{entries, transactions};
use crate::{Conn, Error};

mod agreed;
mod balances;
mod bank_lines;
mod chain;
mod claimed_days;
mod coupons;
pub(crate) mod documents;
mod faults;
mod levels;
mod lines;
mod log_months;
mod order_rates;
mod payment_references;
mod plan_terms;
mod plan_times;
mod public_log;
mod shares;
mod terms;
mod totals;
mod trial;
mod vip_times;
mod walk;

pub use chain::{BookEnd, book_ends};
pub use trial::{Line, claims, sum_owed_to_publishers, trial_balance};

use lines::EntryRow;
use walk::{TransactionRow, Walk};

/// The result of verification.
#[derive(Clone, Debug, Default)]
pub struct LedgerFindings {
    pub transactions: i64,
    pub entries: i64,
    pub sum: Money,
    pub chain_ok: bool,
    pub balances_ok: bool,
    pub faults: Vec<String>,
    /// Books that still contain their saved heads.
    pub extended: i64,
}

/// Saved heads by book: the number of transactions, and the last one's hash.
pub type NotedEnds = HashMap<i64, (i64, [u8; 32])>;
/// Called with the number of transactions that have been read, and of all.
pub type Progress = Box<dyn FnMut(i64, i64) + Send>;

/// Transactions read at a time.
const CHUNK: i64 = 4_000;
/// Chunks that may wait to be processed.
const AHEAD: usize = 2;

/// Verifies all laws.
pub fn laws(conn: &mut Conn) -> Result<LedgerFindings, Error> {
    laws_since(conn, NotedEnds::new(), Box::new(|_, _| ()))
}

/// Verifies all laws, and that the books contain the saved heads.
pub fn laws_since(conn: &mut Conn, noted: NotedEnds, progress: Progress) -> Result<LedgerFindings, Error> {
    let (chunks, waiting) = bounded::<Chunk>(AHEAD);
    let mut walk = thread::scope(|scope| {
        // One thread reads while another one checks.
        let walked = scope.spawn(move || waiting.into_iter().fold(Walk::new(noted), Walk::chunk));
        let read = read(conn, &chunks, progress);
        drop(chunks);
        let walk = walked.join().map_err(|_| Error::Panicked)?;
        read.map(|()| walk)
    })?;
    walk.chain.end(&mut walk.faults);
    chain::heads_match(conn, &walk.chain, &mut walk.faults)?;
    public_log::check(conn, &mut walk.faults)?;
    std::mem::take(&mut walk.months).check(conn, &mut walk.faults)?;
    balances::check(conn, &walk.lines, &mut walk.faults)?;
    documents::check(conn, &mut walk.booked, &mut walk.faults)?;
    walk.said.check(conn, &mut walk.faults)?;
    totals::check(conn, &mut walk.faults)?;
    std::mem::take(&mut walk.claims).check(conn, &mut walk.faults)?;
    coupons::check(conn, &walk.coupons, &mut walk.faults)?;
    bank_lines::check(conn, &mut walk.faults)?;
    payment_references::check(conn, &mut walk.faults)?;
    plan_times::check(conn, &mut walk.faults)?;
    plan_terms::check(conn, &mut walk.faults)?;
    levels::check(conn, &mut walk.faults)?;
    std::mem::take(&mut walk.vip_times).check(conn, &mut walk.faults)?;
    order_rates::check(conn, &mut walk.faults)?;
    shares::check(conn, &mut walk.faults)?;
    Ok(walk.found())
}

/// Transactions with their entries. The entries reach up to the last transaction.
struct Chunk {
    transactions: Vec<TransactionRow>,
    entries: Vec<EntryRow>,
}

fn read(conn: &mut Conn, chunks: &Sender<Chunk>, mut progress: Progress) -> Result<(), Error> {
    let all: i64 = transactions::table.count().get_result(conn)?;
    let (mut above, mut done) = (i64::MIN, 0);
    loop {
        let found: Vec<TransactionRow> =
            transactions::table.filter(transactions::id.gt(above)).order(transactions::id).limit(CHUNK).load(conn)?;
        // After the last transaction there may be entries without one.
        let last = found.last().map_or(i64::MAX, |row| row.id);
        let lines = entries::table
            .filter(entries::transaction_id.gt(above))
            .filter(entries::transaction_id.le(last))
            .order((entries::transaction_id, entries::position));
        let chunk = Chunk { entries: lines.load(conn)?, transactions: found };
        done += i64::try_from(chunk.transactions.len()).unwrap_or(0);
        // Sending fails if the other thread has ended; joining that thread reports why.
        let _ = chunks.send(chunk);
        progress(done, all);
        if last == i64::MAX {
            return Ok(());
        }
        above = last;
    }
}
