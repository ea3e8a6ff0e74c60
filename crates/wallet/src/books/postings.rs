//! The result of a decision: entries that sum to zero, because each one is half of a
//! transfer.

use base::{Money, refuse_if};

use crate::books::accounts::Account;
use crate::kinds::{FlowKind, TransactionKind};
use crate::refused::Refused;

/// One line of a transaction: `amount` is added to the account's balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub account: Account,
    pub amount: Money,
    /// The heading on the user's statement; `None` if it is not shown.
    pub flow: Option<FlowKind>,
}

/// One end of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leg {
    pub(crate) account: Account,
    pub(crate) flow: Option<FlowKind>,
}

impl From<Account> for Leg {
    fn from(account: Account) -> Self {
        Self { account, flow: None }
    }
}

/// The entries of one transaction, in the order of application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Postings {
    kind: TransactionKind,
    entries: Vec<Entry>,
}

impl Postings {
    pub(crate) const fn new(kind: TransactionKind) -> Self {
        Self { kind, entries: Vec::new() }
    }

    pub const fn kind(&self) -> TransactionKind {
        self.kind
    }

    /// The entries: never empty in the result of a decision, and their sum is zero.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Moves `amount` from one account to another. Nothing is written for
    /// zero; a negative amount is refused.
    pub(crate) fn transfer(mut self, from: impl Into<Leg>, to: impl Into<Leg>, amount: Money) -> Result<Self, Refused> {
        refuse_if(amount.is_negative(), Refused::AmountOutOfRange { asked: amount })?;
        if amount.is_zero() {
            return Ok(self);
        }
        self.add(from.into(), amount.negated()?)?;
        self.add(to.into(), amount)?;
        Ok(self)
    }

    /// Transfers from one account under one heading become one line, so a bill split
    /// between two receivers is one line to the user.
    fn add(&mut self, leg: Leg, amount: Money) -> Result<(), Refused> {
        let same = |entry: &&mut Entry| {
            entry.account == leg.account && entry.flow == leg.flow && entry.amount.is_positive() == amount.is_positive()
        };
        match self.entries.iter_mut().find(same) {
            Some(entry) => entry.amount = entry.amount.plus(amount)?,
            None => self.entries.push(Entry { account: leg.account, amount, flow: leg.flow }),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::books::accounts::PlatformAccount::{Bank, Fees, WriteOffs};

    const ACCOUNTS: [Account; 3] = [Account::Platform(Bank), Account::Platform(Fees), Account::Platform(WriteOffs)];

    fn built(transfers: &[(usize, usize, i64)]) -> Result<Postings, Refused> {
        transfers.iter().try_fold(Postings::new(TransactionKind::Recharge), |postings, (from, to, minor)| {
            postings.transfer(ACCOUNTS[*from], ACCOUNTS[*to], Money::from_minor(*minor))
        })
    }

    #[test]
    fn one_payer_under_one_heading_is_one_line() {
        let postings = built(&[(0, 1, 70), (0, 2, 30)]).expect("built");
        let lines: Vec<_> = postings.entries().iter().map(|e| (e.account, e.amount.minor())).collect();
        assert_eq!(lines, [(ACCOUNTS[0], -100), (ACCOUNTS[1], 70), (ACCOUNTS[2], 30)]);
    }

    #[test]
    fn two_headings_stay_two_lines() {
        let leg = |flow| ACCOUNTS[0].shown(flow);
        let postings = built(&[]).and_then(|p| p.transfer(leg(FlowKind::Coupon), ACCOUNTS[1], Money::from_minor(1)));
        let postings =
            postings.and_then(|p| p.transfer(leg(FlowKind::Refund), ACCOUNTS[1], Money::from_minor(2))).expect("built");
        assert_eq!(postings.entries().iter().map(|e| e.amount.minor()).collect::<Vec<_>>(), [-1, 3, -2]);
    }

    #[test]
    fn there_and_back_stay_two_lines() {
        assert_eq!(built(&[(0, 1, 70), (1, 0, 30)]).expect("built").entries().len(), 4);
    }

    #[test]
    fn zero_writes_nothing_and_negative_is_refused() {
        assert!(built(&[(0, 1, 0)]).expect("built").entries().is_empty());
        assert_eq!(built(&[(0, 1, -1)]), Err(Refused::AmountOutOfRange { asked: Money::from_minor(-1) }));
    }

    #[test]
    fn a_sum_that_cannot_be_kept_is_refused() {
        assert_eq!(built(&[(0, 1, i64::MAX), (0, 1, 1)]), Err(Refused::Overflow));
    }
}
