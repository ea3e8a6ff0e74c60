//! The accounts of users, plans, advertisers and the platform, and their numbers in
//! the database.

use base::{AdvertiserId, Money, PlanId, PublisherId, UnknownCode, UserId, coded, named};

use crate::books::postings::Leg;
use crate::kinds::FlowKind;

coded!(
    /// The accounts every user has.
    UserAccount {
        /// Can be spent and withdrawn.
        Available = 1 "available",
        /// Earned by accepted conversions, not yet settled.
        Pending = 2 "pending",
        /// Requested for withdrawal, not yet paid.
        Withdrawing = 3 "withdrawing",
        /// In an open exchange order.
        Exchanging = 4 "exchanging",
        /// Paid in as a security.
        Deposit = 5 "deposit",
        /// Credit that can be put on plans but never withdrawn.
        Promotional = 6 "promotional",
        /// Start-up funds that the user owes, as zero or a negative balance.
        Advance = 7 "advance",
    }
);

coded!(
    /// Where the money of a plan's hold came from and goes back to.
    Source as "HoldSource" {
        Available = 1 "available",
        Promotional = 2 "promotional",
        Coupon = 3 "coupon",
    }
);

coded!(
    /// The platform's own accounts. They may be negative. They have no balance
    /// row, because every transaction would have to update it: their balance is
    /// the sum of their entries.
    PlatformAccount {
        Bank = 1 "bank",
        /// Approved recharges that are not yet matched to a line of the bank.
        RechargeClearing = 2 "recharge_clearing",
        DeliveryRevenue = 3 "delivery_revenue",
        /// What publishers earned before each had an account.
        PublisherPayable = 4 "publisher_payable",
        Fees = 5 "fees",
        VipRevenue = 6 "vip_revenue",
        PromotionCost = 7 "promotion_cost",
        ExchangeClearing = 8 "exchange_clearing",
        /// Paid withdrawals that are not yet confirmed by the bank.
        PayoutTransit = 9 "payout_transit",
        WriteOffs = 10 "write_offs",
    }
);

named!(
    /// The accounts whose lines users see.
    FlowAccount {
        Available "available",
        /// A plan's hold.
        Held "held",
        Promotional "promotional",
    }
);

/// One account of the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Account {
    User(UserId, UserAccount),
    /// The rest of a plan's budget from one source.
    Hold {
        user: UserId,
        plan: PlanId,
        source: Source,
    },
    /// What an advertiser has paid in and conversions can claim.
    Advertiser(AdvertiserId),
    Platform(PlatformAccount),
    /// What a publisher has earned and was not paid yet. It has no balance row either, because bills of many plans
    /// would have to update it.
    Publisher(PublisherId),
}

/// An account as columns of a row: `code` is the class (1 user, 2 hold,
/// 3 advertiser, 4 platform, 5 publisher) times a hundred plus the account within it;
/// `owner` is the user, advertiser or publisher, `plan` the plan of a hold, otherwise 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccountKey {
    pub code: i16,
    pub owner: i64,
    pub plan: i64,
}

const USER: i16 = 100;
const HOLD: i16 = 200;
const ADVERTISER_CLAIMS: i16 = 301;
const PLATFORM: i16 = 400;
/// The code of a publisher's account, as in [`AccountKey`].
pub const PUBLISHER_EARNINGS: i16 = 501;

impl Account {
    /// One end of a transfer, shown to the user under `kind`.
    pub const fn shown(self, kind: FlowKind) -> Leg {
        Leg { account: self, flow: Some(kind) }
    }

    pub const fn key(self) -> AccountKey {
        match self {
            Self::User(user, account) => AccountKey { code: USER + account.code(), owner: user.0, plan: 0 },
            Self::Hold { user, plan, source } => AccountKey { code: HOLD + source.code(), owner: user.0, plan: plan.0 },
            Self::Advertiser(id) => AccountKey { code: ADVERTISER_CLAIMS, owner: id.0, plan: 0 },
            Self::Platform(account) => AccountKey { code: PLATFORM + account.code(), owner: 0, plan: 0 },
            Self::Publisher(id) => AccountKey { code: PUBLISHER_EARNINGS, owner: id.0, plan: 0 },
        }
    }

    /// The account as users see it; `None` if they see no lines of it.
    pub const fn on_statement(self) -> Option<FlowAccount> {
        match self {
            Self::User(_, UserAccount::Available) => Some(FlowAccount::Available),
            Self::User(_, UserAccount::Promotional) => Some(FlowAccount::Promotional),
            Self::Hold { .. } => Some(FlowAccount::Held),
            _ => None,
        }
    }

    /// Whether it has a balance row. The balance of every other account is the sum of its
    /// entries.
    pub const fn has_balance(self) -> bool {
        !matches!(self, Self::Platform(_) | Self::Publisher(_))
    }

    /// Whether the account may have this balance.
    pub(crate) const fn allows(self, balance: Money) -> bool {
        match self {
            Self::Platform(_) | Self::Publisher(_) => true,
            Self::User(_, UserAccount::Advance) => !balance.is_positive(),
            _ => !balance.is_negative(),
        }
    }
}

impl TryFrom<AccountKey> for Account {
    type Error = UnknownCode;

    fn try_from(key: AccountKey) -> Result<Self, UnknownCode> {
        let AccountKey { code, owner, plan } = key;
        match code {
            101..=199 => Ok(Self::User(UserId(owner), (code - USER).try_into()?)),
            201..=299 => Ok(Self::Hold { user: UserId(owner), plan: PlanId(plan), source: (code - HOLD).try_into()? }),
            ADVERTISER_CLAIMS => Ok(Self::Advertiser(AdvertiserId(owner))),
            401..=499 => Ok(Self::Platform((code - PLATFORM).try_into()?)),
            PUBLISHER_EARNINGS => Ok(Self::Publisher(PublisherId(owner))),
            other => Err(UnknownCode(other)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_lead_back_and_are_distinct() {
        let mut all = vec![Account::Advertiser(AdvertiserId(3)), Account::Publisher(PublisherId(3))];
        all.extend(UserAccount::ALL.iter().map(|a| Account::User(UserId(1), *a)));
        all.extend(Source::ALL.iter().map(|s| Account::Hold { user: UserId(1), plan: PlanId(2), source: *s }));
        all.extend(PlatformAccount::ALL.iter().map(|p| Account::Platform(*p)));
        let mut keys: Vec<_> = all.iter().map(|account| account.key()).collect();
        for account in &all {
            assert_eq!(Account::try_from(account.key()), Ok(*account));
        }
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), all.len());
    }

    #[test]
    fn only_accounts_without_a_balance_may_have_either_sign() {
        let stands = |account: Account| [-1, 0, 1].map(|minor| account.allows(Money::from_minor(minor)));
        for account in PlatformAccount::ALL {
            assert_eq!(stands(Account::Platform(*account)), [true, true, true], "{account}");
        }
        assert_eq!(stands(Account::Publisher(PublisherId(3))), [true, true, true]);
        assert_eq!(stands(Account::User(UserId(1), UserAccount::Advance)), [true, true, false]);
        let hold = Account::Hold { user: UserId(1), plan: PlanId(2), source: Source::Coupon };
        for account in [Account::User(UserId(1), UserAccount::Available), hold, Account::Advertiser(AdvertiserId(3))] {
            assert_eq!(stands(account), [false, true, true], "{account:?}");
        }
    }

    #[test]
    fn unknown_codes_are_refused() {
        for code in [-1, 0, 100, 108, 204, 300, 302, 411, 500, 502, i16::MAX] {
            let key = AccountKey { code, owner: 1, plan: 1 };
            assert!(Account::try_from(key).is_err(), "{code}");
        }
    }
}
