//! Processes each transaction with its entries, in the order of writing.

use base::Money;
use wallet::TransactionKind;

use super::chain::Chain;
use super::claimed_days::ClaimedDays;
use super::coupons::CouponParts;
use super::documents::BookedDocuments;
use super::faults::{Faults, Law};
use super::lines::{EntryRow, Lines};
use super::log_months::BookMonths;
use super::terms::DocumentDigests;
use super::vip_times::VipTimes;
use super::{Chunk, LedgerFindings, NotedEnds};
pub(super) use crate::wallet::books::TransactionRow;

/// What is remembered about earlier transactions.
#[derive(Default)]
pub(super) struct Walk {
    transactions: i64,
    entries: i64,
    sum: i128,
    pub chain: Chain,
    pub lines: Lines,
    pub booked: BookedDocuments,
    pub said: DocumentDigests,
    pub claims: ClaimedDays,
    pub coupons: CouponParts,
    pub months: BookMonths,
    pub vip_times: VipTimes,
    pub faults: Faults,
}

impl Walk {
    pub fn new(noted: NotedEnds) -> Self {
        Self { chain: Chain::new(noted), ..Self::default() }
    }

    pub fn chunk(mut self, chunk: Chunk) -> Self {
        let mut rest = chunk.entries.as_slice();
        for row in &chunk.transactions {
            let earlier = rest.partition_point(|line| line.transaction_id < row.id);
            let (none, from_here) = rest.split_at_checked(earlier).unwrap_or((rest, &[]));
            self.orphans(none);
            let own = from_here.partition_point(|line| line.transaction_id == row.id);
            let (own, later) = from_here.split_at_checked(own).unwrap_or((from_here, &[]));
            rest = later;
            self.transaction(row, own);
        }
        self.orphans(rest);
        self
    }

    /// Reports entries without a transaction.
    fn orphans(&mut self, entries: &[EntryRow]) {
        for entry in entries {
            self.entries += 1;
            self.sum += i128::from(entry.amount);
            let (id, of) = (entry.id, entry.transaction_id);
            self.faults.add(Law::Rows, || format!("entry {id} is of transaction {of}, which is not there"));
        }
    }

    fn transaction(&mut self, row: &TransactionRow, entries: &[EntryRow]) {
        let id = row.id;
        self.transactions += 1;
        self.entries += i64::try_from(entries.len()).unwrap_or(0);
        let total: i128 = entries.iter().map(|entry| i128::from(entry.amount)).sum();
        self.sum += total;
        if entries.is_empty() {
            self.faults.add(Law::Rows, || format!("transaction {id} has no entries"));
        } else if total != 0 {
            self.faults.add(Law::Rows, || format!("transaction {id} does not sum to zero: {}", shown(total)));
        }
        let own = self.lines.take(row, entries, &mut self.faults);
        self.chain.link(row, entries, own.as_deref(), &mut self.faults);
        self.months.take(row);
        if let Ok(kind) = TransactionKind::try_from(row.kind) {
            self.booked.take(kind, row, entries);
            self.claims.take(kind, row, entries);
            self.coupons.take(kind, row, entries);
            self.vip_times.take(kind, row);
            self.said.take(kind, row, &mut self.faults);
        }
    }

    pub fn found(self) -> LedgerFindings {
        LedgerFindings {
            transactions: self.transactions,
            entries: self.entries,
            sum: money(self.sum),
            chain_ok: !self.faults.broken(Law::Chain),
            balances_ok: !self.faults.broken(Law::Balances),
            extended: self.chain.extended(),
            faults: self.faults.into_texts(),
        }
    }
}

fn money(sum: i128) -> Money {
    Money::from_minor(i64::try_from(sum).unwrap_or(i64::MAX))
}

fn shown(sum: i128) -> String {
    money(sum).to_string()
}
