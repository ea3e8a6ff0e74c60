//! Booking what the bank's statement confirms. When two people have approved a
//! payment, it is on a clearing account. Once a line of the bank shows it, it moves
//! to the bank account.

use base::{Money, OperatorId, Timestamp, coded};

use crate::approval::{Approval, FirstDecision, SecondOperator};
use crate::books::{Account, PlatformAccount, Postings};
use crate::kinds::TransactionKind;
use crate::refused::{Refused, positive};

coded!(
    /// The kind of document that a line of the bank can be matched with.
    BankDocument {
        Recharge = 1 "recharge",
        Withdrawal = 2 "withdrawal",
        Chargeback = 3 "chargeback",
        AdvertiserFund = 4 "advertiser_fund",
        PublisherPayout = 5 "publisher_payout",
    }
);

coded!(
    /// The state of a match between a line and a document, or of ignoring a line.
    MatchStatus {
        /// Proposed by one person, or because reference and amount fit.
        Proposed = 0 "proposed",
        Confirmed = 1 "confirmed",
        /// Withdrawn before it was confirmed.
        Dropped = 2 "dropped",
        /// Confirmed, but one person says it is wrong.
        Doubted = 3 "doubted",
        /// Two people say it is wrong; the booking was reversed.
        Undone = 4 "undone",
    }
);

coded!(
    LineStatus {
        Open = 0 "open",
        Matched = 1 "matched",
        /// Two people agreed that the line belongs to none of our documents.
        Ignored = 2 "ignored",
    }
);

/// The state of a match that decisions depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchReview {
    pub status: MatchStatus,
    /// Who set this status, and when.
    pub by: OperatorId,
    pub at: Timestamp,
}

impl MatchReview {
    /// A second person agrees. `person` returns which person an operator counts as.
    pub fn confirm(
        self,
        by: impl Into<SecondOperator>,
        person: impl Fn(OperatorId) -> OperatorId,
    ) -> Result<Self, Refused> {
        let second = by.into();
        self.approval().agree(second, person)?;
        let doubted = self.status == MatchStatus::Doubted;
        let status = if doubted { MatchStatus::Undone } else { MatchStatus::Confirmed };
        Ok(Self { status, by: second.by, ..self })
    }

    /// Withdraws a proposal, or says that a confirmed match is wrong. The latter moves money, so it waits for a second
    /// person. `revoked` says whether the operator who set the status was revoked since: their doubt no longer counts,
    /// and `by` becomes the first to doubt the match.
    pub fn unmatch(self, by: OperatorId, revoked: bool) -> Result<Self, Refused> {
        match self.status {
            MatchStatus::Proposed => Ok(Self { status: MatchStatus::Dropped, by, ..self }),
            MatchStatus::Confirmed => Ok(Self { status: MatchStatus::Doubted, by, ..self }),
            MatchStatus::Doubted if revoked => Ok(Self { by, ..self }),
            other => Err(Refused::AlreadyDecided { status: other.name() }),
        }
    }

    /// A confirmed match counts as decided until somebody doubts it.
    fn approval(self) -> Approval {
        match self.status {
            MatchStatus::Proposed | MatchStatus::Doubted => {
                Approval::Asked(FirstDecision { by: self.by, person: None, at: Some(self.at) })
            }
            decided @ (MatchStatus::Confirmed | MatchStatus::Dropped | MatchStatus::Undone) => {
                Approval::Decided(decided.name())
            }
        }
    }
}

impl BankDocument {
    /// The change of the bank's balance by a payment of `amount`.
    pub fn moves(self, amount: Money) -> Result<Money, Refused> {
        match self {
            Self::Recharge | Self::AdvertiserFund => Ok(amount),
            Self::Withdrawal | Self::Chargeback | Self::PublisherPayout => Ok(amount.negated()?),
        }
    }

    /// The accounts that the money moves between when the bank's line is found;
    /// `None` for a chargeback, which was booked on the bank at once.
    const fn clears(self) -> Option<(PlatformAccount, PlatformAccount)> {
        match self {
            Self::Recharge | Self::AdvertiserFund => Some((PlatformAccount::Bank, PlatformAccount::RechargeClearing)),
            Self::Withdrawal | Self::PublisherPayout => Some((PlatformAccount::PayoutTransit, PlatformAccount::Bank)),
            Self::Chargeback => None,
        }
    }
}

/// Books a document whose line was found. `None` if nothing has to move.
pub fn clear(document: BankDocument, amount: Money) -> Result<Option<Postings>, Refused> {
    positive(amount)?;
    moved(TransactionKind::BankCleared, document.clears(), amount)
}

/// Reverses [`clear`] after a wrong match was undone.
pub fn reopen(document: BankDocument, amount: Money) -> Result<Option<Postings>, Refused> {
    positive(amount)?;
    moved(TransactionKind::BankReopened, document.clears().map(|(from, to)| (to, from)), amount)
}

fn moved(
    kind: TransactionKind,
    way: Option<(PlatformAccount, PlatformAccount)>,
    amount: Money,
) -> Result<Option<Postings>, Refused> {
    let Some((from, to)) = way else { return Ok(None) };
    Postings::new(kind).transfer(Account::Platform(from), Account::Platform(to), amount).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{lines, money};

    const ANN: OperatorId = OperatorId(1);
    const BOB: OperatorId = OperatorId(2);
    const CARA: OperatorId = OperatorId(3);
    const PROPOSED: MatchReview =
        MatchReview { status: MatchStatus::Proposed, by: ANN, at: Timestamp::from_seconds(1_000) };

    fn shown(postings: Result<Option<Postings>, Refused>) -> Vec<String> {
        postings.expect("accepted").as_ref().map(lines).unwrap_or_default()
    }

    #[test]
    fn what_came_in_and_went_out_is_the_banks() {
        for document in [BankDocument::Recharge, BankDocument::AdvertiserFund] {
            assert_eq!(shown(clear(document, money(5))), ["bank -5", "recharge_clearing 5"]);
            assert_eq!(shown(reopen(document, money(5))), ["recharge_clearing -5", "bank 5"]);
        }
        assert_eq!(shown(clear(BankDocument::Withdrawal, money(5))), ["payout_transit -5", "bank 5"]);
        assert_eq!(shown(reopen(BankDocument::Withdrawal, money(5))), ["bank -5", "payout_transit 5"]);
    }

    #[test]
    fn a_chargeback_is_there_already() {
        assert_eq!(
            (clear(BankDocument::Chargeback, money(5)), reopen(BankDocument::Chargeback, money(5))),
            (Ok(None), Ok(None))
        );
    }

    #[test]
    fn nothing_and_less_are_refused() {
        for document in BankDocument::ALL {
            for minor in [0, -1] {
                assert!(clear(*document, money(minor)).is_err() && reopen(*document, money(minor)).is_err());
            }
            let moves = document.moves(money(5)).map(Money::minor);
            let out = !matches!(document, BankDocument::Recharge | BankDocument::AdvertiserFund);
            assert_eq!(moves, Ok(if out { -5 } else { 5 }));
        }
    }

    #[test]
    fn two_people_match_and_two_undo() {
        let same = |id| id;
        assert_eq!(PROPOSED.confirm(ANN, same), Err(Refused::SecondPersonNeeded));
        assert_eq!(PROPOSED.confirm(BOB, |_| ANN), Err(Refused::SecondPersonNeeded));
        let confirmed = PROPOSED.confirm(BOB, same).expect("confirmed");
        assert_eq!(confirmed.confirm(ANN, same), Err(Refused::AlreadyDecided { status: "confirmed" }));
        let doubted = confirmed.unmatch(CARA, true).expect("doubted");
        assert_eq!(
            (doubted.status, doubted.confirm(CARA, same)),
            (MatchStatus::Doubted, Err(Refused::SecondPersonNeeded))
        );
        assert_eq!(doubted.unmatch(BOB, false), Err(Refused::AlreadyDecided { status: "doubted" }));
        assert_eq!(doubted.unmatch(BOB, true), Ok(MatchReview { by: BOB, ..doubted }));
        let undone = doubted.confirm(ANN, same).expect("undone");
        let dropped = PROPOSED.unmatch(BOB, false).expect("dropped");
        // Each review names the operator who set its status.
        assert_eq!([confirmed, doubted, undone, dropped].map(|review| review.by), [BOB, CARA, ANN, BOB]);
        for done in [undone, dropped] {
            let refused = Err(Refused::AlreadyDecided { status: done.status.name() });
            assert_eq!((done.confirm(BOB, same), done.unmatch(BOB, true)), (refused, refused));
        }
    }
}
