//! Recharges. An approved recharge is available at once; it stays on the clearing
//! account until a line of the bank is matched to it. What users announce beforehand
//! decides nothing.

use base::{Money, Timestamp, coded, named};

use crate::books::{Account, PlatformAccount, Postings, UserAccount};
use crate::kinds::{FlowKind, TransactionKind};
use crate::model::Wallet;
use crate::refused::{Refused, positive};

pub fn recharge(wallet: &Wallet, amount: Money) -> Result<Postings, Refused> {
    positive(amount)?;
    Postings::new(TransactionKind::Recharge).transfer(
        Account::Platform(PlatformAccount::RechargeClearing),
        wallet.account(UserAccount::Available).shown(FlowKind::SystemTopUp),
        amount,
    )
}

coded!(
    /// How an announcement was closed.
    AnnouncementOutcome {
        Credited = 1 "credited",
        Withdrawn = 2 "withdrawn",
    }
);

named!(AnnouncementStatus {
    Open "open",
    Credited "credited",
    Withdrawn "withdrawn",
    Lapsed "lapsed",
});

/// A payment that a user claims to have made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Announced {
    pub at: Timestamp,
    pub outcome: Option<AnnouncementOutcome>,
}

impl Announced {
    /// The most announcements that a user may have open.
    pub const MOST_OPEN: usize = 5;
    /// The most announcements that a user may make in a day.
    pub const MOST_DAILY: usize = 20;
    pub const DAYS: i64 = 30;

    /// Announcements from before this moment have lapsed.
    pub const fn lapsed_before(now: Timestamp) -> Timestamp {
        now.plus_days(-Self::DAYS)
    }

    pub const fn lapses_at(self) -> Timestamp {
        self.at.plus_days(Self::DAYS)
    }

    pub fn is_open(self, now: Timestamp) -> bool {
        self.outcome.is_none() && self.at > Self::lapsed_before(now)
    }

    /// The status at this time. Nothing is written when an announcement lapses.
    pub fn status(self, now: Timestamp) -> AnnouncementStatus {
        match self.outcome {
            Some(AnnouncementOutcome::Credited) => AnnouncementStatus::Credited,
            Some(AnnouncementOutcome::Withdrawn) => AnnouncementStatus::Withdrawn,
            None if self.is_open(now) => AnnouncementStatus::Open,
            None => AnnouncementStatus::Lapsed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{lines, money, wallet};

    #[test]
    fn adds_to_available() {
        let postings = recharge(&wallet(), money(500)).expect("accepted");
        assert_eq!(lines(&postings), ["recharge_clearing -500", "available 500 system_top_up"]);
    }

    #[test]
    fn an_announcement_lapses_after_thirty_days_unless_it_was_closed() {
        let at = Timestamp::from_seconds(1_000);
        let open = Announced { at, outcome: None };
        let (last, late) = (open.lapses_at().plus_millis(-1), open.lapses_at());
        assert_eq!(late, at.plus_days(30));
        assert_eq!((open.status(last), open.status(late)), (AnnouncementStatus::Open, AnnouncementStatus::Lapsed));
        let credited = Announced { outcome: Some(AnnouncementOutcome::Credited), ..open };
        assert_eq!([credited.status(last), credited.status(late)], [AnnouncementStatus::Credited; 2]);
        assert!(open.is_open(last) && !open.is_open(late) && !credited.is_open(last));
    }

    #[test]
    fn nothing_and_less_are_refused() {
        for minor in [0, -1] {
            assert_eq!(recharge(&wallet(), money(minor)), Err(Refused::AmountOutOfRange { asked: money(minor) }));
        }
    }
}
