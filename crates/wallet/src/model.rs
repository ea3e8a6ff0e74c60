//! The state that decisions are based on, and the figures shown from it.

use base::{AdvertiserId, Money, MoneyError, PlanId, UserId};

use crate::books::{Account, Source, UserAccount};

/// A user's balances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wallet {
    pub user: UserId,
    pub available: Money,
    pub pending: Money,
    pub withdrawing: Money,
    pub exchanging: Money,
    pub deposit: Money,
    pub promotional: Money,
    /// Start-up funds that the user owes, as zero or a negative amount.
    pub advance: Money,
}

impl Wallet {
    pub const fn empty(user: UserId) -> Self {
        Self {
            user,
            available: Money::ZERO,
            pending: Money::ZERO,
            withdrawing: Money::ZERO,
            exchanging: Money::ZERO,
            deposit: Money::ZERO,
            promotional: Money::ZERO,
            advance: Money::ZERO,
        }
    }

    pub const fn account(&self, account: UserAccount) -> Account {
        Account::User(self.user, account)
    }

    pub const fn balance(&self, account: UserAccount) -> Money {
        match account {
            UserAccount::Available => self.available,
            UserAccount::Pending => self.pending,
            UserAccount::Withdrawing => self.withdrawing,
            UserAccount::Exchanging => self.exchanging,
            UserAccount::Deposit => self.deposit,
            UserAccount::Promotional => self.promotional,
            UserAccount::Advance => self.advance,
        }
    }

    pub(crate) const fn balance_mut(&mut self, account: UserAccount) -> &mut Money {
        match account {
            UserAccount::Available => &mut self.available,
            UserAccount::Pending => &mut self.pending,
            UserAccount::Withdrawing => &mut self.withdrawing,
            UserAccount::Exchanging => &mut self.exchanging,
            UserAccount::Deposit => &mut self.deposit,
            UserAccount::Promotional => &mut self.promotional,
            UserAccount::Advance => &mut self.advance,
        }
    }

    /// Start-up funds still to be returned: zero or a positive amount.
    pub fn startup_loan_outstanding(&self) -> Result<Money, MoneyError> {
        self.advance.negated()
    }
}

/// What is left of a plan's budget, by source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hold {
    pub user: UserId,
    pub plan: PlanId,
    pub available: Money,
    pub promotional: Money,
    pub coupon: Money,
}

impl Hold {
    pub const fn empty(user: UserId, plan: PlanId) -> Self {
        Self { user, plan, available: Money::ZERO, promotional: Money::ZERO, coupon: Money::ZERO }
    }

    pub const fn account(&self, source: Source) -> Account {
        Account::Hold { user: self.user, plan: self.plan, source }
    }

    pub const fn remaining(&self, source: Source) -> Money {
        match source {
            Source::Available => self.available,
            Source::Promotional => self.promotional,
            Source::Coupon => self.coupon,
        }
    }

    pub(crate) const fn remaining_mut(&mut self, source: Source) -> &mut Money {
        match source {
            Source::Available => &mut self.available,
            Source::Promotional => &mut self.promotional,
            Source::Coupon => &mut self.coupon,
        }
    }

    /// The sum of all sources.
    pub fn total(&self) -> Result<Money, MoneyError> {
        Money::sum([self.available, self.promotional, self.coupon])
    }
}

/// An advertiser, with the funds that no conversion has claimed yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advertiser {
    pub id: AdvertiserId,
    pub claims: Money,
}

impl Advertiser {
    pub const fn account(&self) -> Account {
        Account::Advertiser(self.id)
    }
}

/// "To be consumed": the user's own money still held by plans. Promotional credit
/// is not part of it.
pub fn to_be_consumed<'a>(holds: impl IntoIterator<Item = &'a Hold>) -> Result<Money, MoneyError> {
    Money::sum(holds.into_iter().map(|hold| hold.available))
}

/// "Total assets": the user's money on all accounts.
pub fn total_assets(wallet: &Wallet, to_be_consumed: Money) -> Result<Money, MoneyError> {
    let Wallet { available, pending, withdrawing, exchanging, deposit, .. } = *wallet;
    Money::sum([available, to_be_consumed, pending, withdrawing, exchanging, deposit])
}
