//! Applying postings to balances that were loaded under a lock.

use std::collections::BTreeMap;

use base::{AdvertiserId, Money, PlanId, UserId};

use crate::books::accounts::Account;
use crate::books::postings::Postings;
use crate::model::{Advertiser, Hold, Wallet};
use crate::refused::Refused;

/// The balances that a batch of decisions is based on. Every account in the postings
/// must be inserted first; a new plan starts from [`Hold::empty`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Balances {
    wallets: BTreeMap<UserId, Wallet>,
    holds: BTreeMap<PlanId, Hold>,
    advertisers: BTreeMap<AdvertiserId, Advertiser>,
}

impl Balances {
    pub fn insert_wallet(&mut self, wallet: Wallet) {
        self.wallets.insert(wallet.user, wallet);
    }

    pub fn insert_hold(&mut self, hold: Hold) {
        self.holds.insert(hold.plan, hold);
    }

    pub fn insert_advertiser(&mut self, advertiser: Advertiser) {
        self.advertisers.insert(advertiser.id, advertiser);
    }

    pub fn wallet(&self, user: UserId) -> Option<&Wallet> {
        self.wallets.get(&user)
    }

    pub fn hold(&self, plan: PlanId) -> Option<&Hold> {
        self.holds.get(&plan)
    }

    pub fn advertiser(&self, id: AdvertiserId) -> Option<&Advertiser> {
        self.advertisers.get(&id)
    }

    pub fn holds(&self) -> impl Iterator<Item = &Hold> {
        self.holds.values()
    }

    /// Applies all entries or none. Returns the balance after each entry, or `None` for
    /// accounts that have none.
    ///
    /// # Errors
    /// [`Refused::InsufficientBalance`] if an account would get the wrong sign,
    /// [`Refused::NotLoaded`] if its balance was not inserted.
    pub fn apply(&mut self, postings: &Postings) -> Result<Vec<Option<Money>>, Refused> {
        let mut changed: BTreeMap<Account, Money> = BTreeMap::new();
        let mut running = Vec::with_capacity(postings.entries().len());
        for entry in postings.entries() {
            if !entry.account.has_balance() {
                running.push(None);
                continue;
            }
            let before = match changed.get(&entry.account) {
                Some(balance) => *balance,
                None => self.balance(entry.account)?,
            };
            let after = before.plus(entry.amount)?;
            if !entry.account.allows(after) {
                let asked = entry.amount.negated()?;
                return Err(Refused::InsufficientBalance { account: entry.account, balance: before, asked });
            }
            changed.insert(entry.account, after);
            running.push(Some(after));
        }
        for (account, balance) in changed {
            if let Some(place) = self.place(account) {
                *place = balance;
            }
        }
        Ok(running)
    }

    fn balance(&self, account: Account) -> Result<Money, Refused> {
        let found = match account {
            Account::User(user, account) => self.wallets.get(&user).map(|w| w.balance(account)),
            Account::Hold { user, plan, source } => {
                self.holds.get(&plan).filter(|h| h.user == user).map(|h| h.remaining(source))
            }
            Account::Advertiser(id) => self.advertisers.get(&id).map(|a| a.claims),
            Account::Platform(_) | Account::Publisher(_) => None,
        };
        found.ok_or(Refused::NotLoaded(account))
    }

    fn place(&mut self, account: Account) -> Option<&mut Money> {
        match account {
            Account::User(user, account) => self.wallets.get_mut(&user).map(|w| w.balance_mut(account)),
            Account::Hold { plan, source, .. } => self.holds.get_mut(&plan).map(|h| h.remaining_mut(source)),
            Account::Advertiser(id) => self.advertisers.get_mut(&id).map(|a| &mut a.claims),
            Account::Platform(_) | Account::Publisher(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::books::accounts::{PlatformAccount, UserAccount};
    use crate::kinds::TransactionKind;

    const USER: UserId = UserId(1);
    const AVAILABLE: Account = Account::User(USER, UserAccount::Available);
    const FEES: Account = Account::Platform(PlatformAccount::Fees);

    fn with_available(minor: i64) -> Balances {
        let mut balances = Balances::default();
        balances.insert_wallet(Wallet { available: Money::from_minor(minor), ..Wallet::empty(USER) });
        balances
    }

    fn moved(from: Account, to: Account, minor: i64) -> Postings {
        let postings = Postings::new(TransactionKind::Settlement);
        postings.transfer(from, to, Money::from_minor(minor)).expect("a transfer")
    }

    #[test]
    fn running_balances_follow_the_entries() {
        let mut balances = with_available(100);
        let postings = moved(AVAILABLE, FEES, 30).transfer(FEES, AVAILABLE, Money::from_minor(5)).expect("a transfer");
        let running = balances.apply(&postings).expect("applied");
        assert_eq!(running, [Some(Money::from_minor(70)), None, None, Some(Money::from_minor(75))]);
        assert_eq!(balances, with_available(75));
    }

    #[test]
    fn an_overdraft_changes_nothing() {
        let mut balances = with_available(100);
        let (balance, asked) = (Money::from_minor(100), Money::from_minor(101));
        let refused = Refused::InsufficientBalance { account: AVAILABLE, balance, asked };
        assert_eq!(balances.apply(&moved(AVAILABLE, FEES, 101)), Err(refused));
        assert_eq!(balances, with_available(100));
    }

    #[test]
    fn an_advance_never_becomes_a_credit() {
        let mut balances = with_available(100);
        let advance = Account::User(USER, UserAccount::Advance);
        assert!(balances.apply(&moved(AVAILABLE, advance, 1)).is_err());
        assert!(balances.apply(&moved(advance, AVAILABLE, 1)).is_ok());
    }

    #[test]
    fn balances_that_are_not_loaded_are_not_guessed() {
        let mut balances = with_available(100);
        let hold = Hold::empty(UserId(2), PlanId(1));
        balances.insert_hold(hold);
        let foreign = Account::Hold { user: USER, plan: PlanId(1), source: crate::Source::Available };
        let stranger = Account::Advertiser(AdvertiserId(9));
        for account in [foreign, stranger] {
            assert_eq!(balances.apply(&moved(AVAILABLE, account, 1)), Err(Refused::NotLoaded(account)));
        }
        assert_eq!(balances.wallet(USER).map(|w| w.available), Some(Money::from_minor(100)));
    }
}
