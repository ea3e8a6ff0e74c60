//! Where an accountant looks for each account: among assets, liabilities, income or expenses.

use crate::books::accounts::{Account, PlatformAccount, Source, UserAccount};

impl Account {
    /// The heading in the chart of accounts, below which each owner has an account. The ledger counts what is owed to
    /// others as positive, so balances of assets and expenses are negative.
    pub const fn heading(self) -> &'static str {
        match self {
            Self::User(_, account) => match account {
                UserAccount::Available => "Liabilities:Users:Available",
                UserAccount::Pending => "Liabilities:Users:Pending",
                UserAccount::Withdrawing => "Liabilities:Users:Withdrawing",
                UserAccount::Exchanging => "Liabilities:Users:Exchanging",
                UserAccount::Deposit => "Liabilities:Users:Deposit",
                UserAccount::Promotional => "Liabilities:Users:Promotional",
                UserAccount::Advance => "Assets:Users:Advance",
            },
            Self::Hold { source, .. } => match source {
                Source::Available => "Liabilities:Users:Held:Available",
                Source::Promotional => "Liabilities:Users:Held:Promotional",
                Source::Coupon => "Liabilities:Users:Held:Coupon",
            },
            Self::Advertiser(_) => "Liabilities:Advertisers:Claims",
            Self::Publisher(_) => "Liabilities:Publishers:Earnings",
            Self::Platform(account) => match account {
                PlatformAccount::Bank => "Assets:Bank",
                // Money on its way between the books and the bank, in either direction.
                PlatformAccount::RechargeClearing => "Assets:Clearing:Recharges",
                PlatformAccount::PayoutTransit => "Assets:Clearing:Payouts",
                PlatformAccount::PublisherPayable => "Liabilities:Publishers:Payable",
                // Acceptors have paid it out, and are owed it.
                PlatformAccount::ExchangeClearing => "Liabilities:Acceptors:Exchange",
                PlatformAccount::DeliveryRevenue => "Income:Delivery",
                PlatformAccount::Fees => "Income:Fees",
                PlatformAccount::VipRevenue => "Income:Vip",
                PlatformAccount::PromotionCost => "Expenses:Promotion",
                PlatformAccount::WriteOffs => "Expenses:WriteOffs",
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use base::{AdvertiserId, PlanId, PublisherId, UserId};

    use super::*;

    fn every() -> Vec<Account> {
        let (user, plan) = (UserId(1), PlanId(2));
        let users = UserAccount::ALL.iter().map(|account| Account::User(user, *account));
        let holds = Source::ALL.iter().map(|source| Account::Hold { user, plan, source: *source });
        let platform = PlatformAccount::ALL.iter().map(|account| Account::Platform(*account));
        let others = [Account::Advertiser(AdvertiserId(3)), Account::Publisher(PublisherId(4))];
        users.chain(holds).chain(platform).chain(others).collect()
    }

    /// With a shared heading, the balances of two kinds could not be told apart.
    #[test]
    fn every_kind_has_a_heading_of_its_own() {
        let headings: BTreeSet<&str> = every().into_iter().map(Account::heading).collect();
        assert_eq!(headings.len(), every().len());
    }

    #[test]
    fn headings_are_parts_in_capitals_below_one_of_four_roots() {
        for heading in every().into_iter().map(Account::heading) {
            let mut parts = heading.split(':');
            assert!(["Assets", "Liabilities", "Income", "Expenses"].contains(&parts.next().unwrap_or_default()));
            for part in parts {
                let capital = part.starts_with(|c: char| c.is_ascii_uppercase());
                assert!(capital && part.bytes().all(|b| b.is_ascii_alphabetic()), "{heading}");
            }
        }
    }

    /// An account that may be below zero holds what its owner owes, so it is an asset; every other one is a liability.
    #[test]
    fn users_accounts_are_liabilities_unless_they_may_be_negative() {
        for account in UserAccount::ALL.iter().map(|account| Account::User(UserId(1), *account)) {
            let owes = account.allows(base::Money::from_minor(-1));
            assert_eq!(account.heading().starts_with("Assets:"), owes, "{account:?}");
        }
    }
}
