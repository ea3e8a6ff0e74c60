//! Verifies the columns of each entry that its transaction's hash does not cover: the
//! balance after it, and the figures on its statement line.

use std::collections::HashMap;

use base::{Money, Timestamp, UserId};
use diesel::prelude::*;
use wallet::{Account, AccountKey, Entry, FlowKind, Source, UserAccount};

use super::faults::{Faults, Law};
use super::walk::TransactionRow;
use crate::wallet::books::entry_id;

#[derive(Queryable)]
pub(super) struct EntryRow {
    pub id: i64,
    pub transaction_id: i64,
    pub position: i16,
    pub account_kind: i16,
    pub owner_id: i64,
    pub plan_id: Option<i64>,
    pub amount: i64,
    pub balance_after: Option<i64>,
    pub flow: Option<i16>,
    pub available_after: Option<i64>,
    pub income_after: Option<i64>,
    pub ref_type: String,
    pub ref_id: i64,
    pub remark: String,
    pub recorded_at: Timestamp,
}

impl EntryRow {
    pub fn is_of_publisher(&self) -> bool {
        let key = AccountKey { code: self.account_kind, owner: self.owner_id, plan: 0 };
        matches!(Account::try_from(key), Ok(Account::Publisher(_)))
    }

    pub fn is_of_user(&self) -> bool {
        self.entry().is_some_and(|entry| matches!(entry.account, Account::User(..)))
    }

    /// What the entry adds from a coupon to a plan's hold, if it does.
    pub fn of_coupon(&self) -> Option<i64> {
        let is_coupons = |entry: &Entry| matches!(entry.account, Account::Hold { source: Source::Coupon, .. });
        self.entry().filter(is_coupons).map(|_| self.amount)
    }

    pub fn is_of_hold(&self) -> bool {
        self.entry().is_some_and(|entry| matches!(entry.account, Account::Hold { .. }))
    }

    fn entry(&self) -> Option<Entry> {
        let flow = self.flow.map(FlowKind::try_from).transpose().ok()?;
        // A plan with number 0 is stored as null.
        let plan = match self.plan_id {
            Some(0) => return None,
            plan => plan.unwrap_or(0),
        };
        let key = AccountKey { code: self.account_kind, owner: self.owner_id, plan };
        let account = Account::try_from(key).ok().filter(|account| account.key() == key)?;
        Some(Entry { account, amount: Money::from_minor(self.amount), flow })
    }
}

/// The sums of the entries so far.
#[derive(Default)]
pub(super) struct Lines {
    /// By account, without accounts that have no balance.
    pub balances: HashMap<AccountKey, i64>,
    /// The total of everything that was ever credited to `available`, by user.
    pub income: HashMap<i64, i64>,
    /// Whether the ids of entries follow from their transactions' ids. In the first installations they were counted, so
    /// they are lower. Once one id is of the new kind, all later ones are.
    numbered: bool,
}

impl Lines {
    /// Takes the entries of a transaction as they are hashed; `None` if one is on an unknown account.
    pub fn take(
        &mut self,
        row: &TransactionRow,
        entries: &[EntryRow],
        faults: &mut Faults,
    ) -> Option<Vec<(Entry, Option<Money>)>> {
        self.numbers(row, entries, faults);
        let mut own = Some(Vec::with_capacity(entries.len()));
        for (position, line) in (0_i16..).zip(entries) {
            if line.position != position {
                fault(faults, line, "stands at another place");
            }
            for (said, column) in differences(row, line) {
                if said {
                    fault(faults, line, &format!("does not say the same as it: {column}"));
                }
            }
            match line.entry() {
                Some(entry) => {
                    self.running(row, line, &entry, faults);
                    if let Some(own) = &mut own {
                        own.push((entry, line.balance_after.map(Money::from_minor)));
                    }
                }
                None => {
                    fault(faults, line, "is on no known account, or of no known kind");
                    own = None;
                }
            }
        }
        own
    }

    fn numbers(&mut self, row: &TransactionRow, entries: &[EntryRow], faults: &mut Faults) {
        let numbered = |line: &EntryRow| line.id == entry_id(row.id, line.position);
        self.numbered |= entries.iter().any(numbered);
        let (mut last, lowest) = (i64::MIN, entry_id(row.id, 0));
        for line in entries {
            if line.id <= last || (!numbered(line) && (self.numbered || line.id >= lowest)) {
                fault(faults, line, "bears another number than its own");
            }
            last = line.id;
        }
    }

    /// Checks that the balance follows from the previous one of the same account.
    fn running(&mut self, row: &TransactionRow, line: &EntryRow, entry: &Entry, faults: &mut Faults) {
        let kept = match entry.account {
            account if !account.has_balance() => None,
            account => {
                let kept = self.balances.entry(account.key()).or_insert(0);
                *kept = kept.saturating_add(line.amount);
                Some(*kept)
            }
        };
        if line.balance_after != kept {
            fault(faults, line, "left another balance than the entries so far come to");
        }
        if let Account::User(user, UserAccount::Available) = entry.account
            && line.amount > 0
        {
            let income = self.income.entry(user.0).or_insert(0);
            *income = income.saturating_add(line.amount);
        }
        self.statement(row, line, faults);
    }

    /// Checks the figures on a line that the user sees: the available balance, and the total of all income.
    fn statement(&self, row: &TransactionRow, line: &EntryRow, faults: &mut Faults) {
        let (available, income) = match line.flow {
            Some(_) => {
                let available = Account::User(UserId(row.book), UserAccount::Available).key();
                let of = |kept: Option<&i64>| Some(kept.copied().unwrap_or(0));
                (of(self.balances.get(&available)), of(self.income.get(&row.book)))
            }
            None => (None, None),
        };
        if line.available_after != available {
            fault(faults, line, "shows another amount available than there was");
        }
        if line.income_after != income {
            fault(faults, line, "shows another income than there was");
        }
    }
}

/// What an entry repeats from its transaction, each with whether it differs.
fn differences(row: &TransactionRow, line: &EntryRow) -> [(bool, &'static str); 4] {
    [
        (line.ref_type != row.ref_type, "ref_type"),
        (line.ref_id != row.ref_id, "ref_id"),
        (line.remark != row.reason, "remark"),
        (line.recorded_at != row.recorded_at, "recorded_at"),
    ]
}

fn fault(faults: &mut Faults, line: &EntryRow, what: &str) {
    let (id, of) = (line.id, line.transaction_id);
    faults.add(Law::Rows, || format!("entry {id} of transaction {of} {what}"));
}
