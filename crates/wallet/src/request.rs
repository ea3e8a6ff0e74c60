//! Requests: whatever moves money at staff's instruction, or makes a promise that costs
//! money, is requested by one operator and approved by another within a time limit.

use base::{OperatorId, Timestamp, coded};

use crate::approval::{Approval, FirstDecision, SecondOperator};
use crate::refused::Refused;

coded!(
    /// What is requested.
    RequestKind {
        /// Crediting a user's payment.
        Recharge = 1 "recharge",
        /// A payment that the bank took back.
        Chargeback = 2 "chargeback",
        PromotionGrant = 3 "promotion_grant",
        PromotionRevoke = 4 "promotion_revoke",
        StartupLoan = 5 "startup_advance",
        /// An advertiser's payment, for conversions to claim.
        AdvertiserFund = 6 "advertiser_fund",
        /// What a product pays and costs, and where it leads.
        ProductTerms = 7 "product_terms",
        /// Resetting the transaction password of a user with money or credit, or with some on its way.
        PayPasswordReset = 20 "pay_password_reset",
        /// An acceptor's rates and limits.
        AcceptorTerms = 21 "acceptor_terms",
        /// A coupon's value, for whom it is, and how many are given.
        CouponTerms = 22 "coupon_terms",
        /// Giving a user a coupon.
        CouponGrant = 23 "coupon_grant",
        /// A key for an advertiser's postbacks.
        AdvertiserKey = 8 "advertiser_key",
        /// A higher daily cap on claims from an advertiser.
        AdvertiserCap = 9 "advertiser_cap",
        /// A publisher's share of what its slots are billed, and where it is paid.
        PublisherTerms = 10 "publisher_terms",
        /// Paying a publisher what it has earned.
        PublisherPayout = 11 "publisher_payout",
        /// A key with which an ad exchange asks for bids.
        SspKey = 12 "ssp_key",
        /// Adding to what a publisher has earned, from the platform's revenue.
        PublisherCredit = 13 "publisher_credit",
        /// Taking back from what a publisher has earned.
        PublisherDebit = 14 "publisher_debit",
        /// Giving buyers back what events cost that should not have counted.
        DeliveryCorrection = 15 "delivery_correction",
        /// A key with which a publisher reads its figures.
        PublisherKey = 30 "publisher_key",
        /// More that a role may request and approve.
        RoleLimits = 40 "role_limits",
        /// A notice to all users, or to all of one language.
        Announcement = 50 "announcement",
        /// A contact that users see; where it opens in the app, a page that the app frames.
        Contact = 51 "contact",
        /// A question with its answer.
        Faq = 52 "faq",
        /// What users are told of an activity.
        Activity = 53 "activity",
        /// An acceptor's code or type, and taking orders again.
        AcceptorChange = 54 "acceptor_change",
        /// Closing a publisher, which is for good.
        PublisherClosing = 55 "publisher_closing",
        /// Cancelling an account that owns something.
        AccountCancel = 56 "account_cancel",
        /// An account that users can follow, or its end.
        OperatedAccount = 57 "operated_account",
        /// A code with which a user who forgot the login password sets another.
        LoginPasswordReset = 58 "login_password_reset",
        /// An account that users pay in to.
        PayIn = 60 "pay_in",
        /// Giving back what was approved to be paid out and was not paid.
        Unpaid = 61 "unpaid",
        /// A public log that begins anew, or another key for it.
        PublicLog = 70 "public_log",
        /// Taking from a user what a chargeback could not take.
        ChargebackCollection = 74 "chargeback_collection",
        /// Giving up what a chargeback could not take.
        ChargebackWaiver = 75 "chargeback_waiver",
    }
);

coded!(
    RequestStatus {
        Requested = 0 "requested",
        Approved = 1 "approved",
        Rejected = 2 "rejected",
        Expired = 3 "expired",
    }
);

coded!(
    /// A request's name in the ledger and the audit log; its number follows.
    RequestDocument {
        Recharge = 1 "recharge",
        Chargeback = 2 "chargeback",
        Promotion = 3 "promotion",
        StartupLoan = 4 "startup_advance",
        AdvertiserFund = 5 "advertiser_fund",
        ProductTerms = 6 "product_terms",
        PayPasswordReset = 20 "pay_password_reset",
        AcceptorTerms = 21 "acceptor_terms",
        CouponTerms = 22 "coupon_terms",
        CouponGrant = 23 "coupon_grant",
        AdvertiserKey = 7 "advertiser_key",
        AdvertiserCap = 8 "advertiser_cap",
        PublisherTerms = 9 "publisher_terms",
        PublisherPayout = 10 "publisher_payout",
        SspKey = 11 "ssp_key",
        PublisherCorrection = 12 "publisher_correction",
        DeliveryCorrection = 13 "delivery_correction",
        PublisherKey = 30 "publisher_key",
        RoleLimits = 40 "role_limits",
        Announcement = 50 "announcement",
        Contact = 51 "contact",
        Faq = 52 "faq",
        Activity = 53 "activity",
        AcceptorChange = 54 "acceptor_change",
        PublisherClosing = 55 "publisher_closing",
        AccountCancel = 56 "account_cancel",
        OperatedAccount = 57 "operated_account",
        LoginPasswordReset = 58 "login_password_reset",
        PayIn = 60 "pay_in",
        Unpaid = 61 "unpaid",
        PublicLog = 70 "public_log",
    }
);

impl RequestKind {
    pub const fn document(self) -> RequestDocument {
        macro_rules! document {
            ($kind:expr, $($same:ident)+) => {
                match $kind {
                    Self::Chargeback | Self::ChargebackCollection | Self::ChargebackWaiver => {
                        RequestDocument::Chargeback
                    }
                    Self::PromotionGrant | Self::PromotionRevoke => RequestDocument::Promotion,
                    Self::PublisherCredit | Self::PublisherDebit => RequestDocument::PublisherCorrection,
                    $(Self::$same => RequestDocument::$same),+
                }
            };
        }
        document! {
            self, Recharge StartupLoan AdvertiserFund ProductTerms PayPasswordReset AcceptorTerms CouponTerms
            CouponGrant AdvertiserKey AdvertiserCap PublisherTerms PublisherPayout SspKey DeliveryCorrection
            PublisherKey RoleLimits Announcement Contact Faq Activity AcceptorChange PublisherClosing
            AccountCancel OperatedAccount LoginPasswordReset PayIn Unpaid PublicLog
        }
    }

    /// Whether limits count everything that one user or publisher is given, or loses, in a month as one request:
    /// otherwise many small requests could go around them.
    pub const fn adds_up(self) -> bool {
        matches!(
            self,
            Self::PromotionGrant
                | Self::PromotionRevoke
                | Self::StartupLoan
                | Self::CouponGrant
                | Self::ChargebackWaiver
                | Self::PublisherPayout
                | Self::PublisherCredit
                | Self::PublisherDebit
                | Self::DeliveryCorrection
        )
    }

    /// Whether it is content that all users see, which belongs to nobody.
    pub const fn is_content(self) -> bool {
        matches!(self, Self::Announcement | Self::Contact | Self::PayIn | Self::Faq | Self::Activity)
    }

    /// Whether it is about a key that only its holder has; a second person confirms the key's fingerprint.
    pub const fn is_of_key(self) -> bool {
        matches!(self, Self::AdvertiserKey | Self::SspKey | Self::PublisherKey)
    }

    /// Whether it is about a payment, which the bank's reference identifies.
    pub const fn needs_reference(self) -> bool {
        matches!(self, Self::Recharge | Self::Chargeback | Self::AdvertiserFund)
    }
}

/// The state of a request that decisions depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestReview {
    pub status: RequestStatus,
    pub requested_by: OperatorId,
    /// The person that the requester counted as then. Even if that changes later, this person cannot approve the
    /// request.
    pub requested_person: OperatorId,
    pub expires_at: Timestamp,
}

impl RequestReview {
    pub const DAYS: i64 = 7;

    pub const fn new(by: OperatorId, person: OperatorId, now: Timestamp) -> Self {
        let expires_at = now.plus_days(Self::DAYS);
        Self { status: RequestStatus::Requested, requested_by: by, requested_person: person, expires_at }
    }

    /// The status at this time: when a request expires, nothing is written.
    pub fn status_at(self, now: Timestamp) -> RequestStatus {
        match self.status {
            RequestStatus::Requested if now >= self.expires_at => RequestStatus::Expired,
            status => status,
        }
    }

    /// `person` returns which person an operator counts as.
    pub fn approve(
        self,
        by: impl Into<SecondOperator>,
        person: impl Fn(OperatorId) -> OperatorId,
        now: Timestamp,
    ) -> Result<Self, Refused> {
        self.approval(now).agree(by, person)?;
        Ok(Self { status: RequestStatus::Approved, ..self })
    }

    /// One person may reject, even the requester.
    pub fn reject(self, now: Timestamp) -> Result<Self, Refused> {
        self.approval(now).refuse()?;
        Ok(Self { status: RequestStatus::Rejected, ..self })
    }

    /// The third step, of a payout: the money was sent. Anybody but the person who approved
    /// it, at `approved`, says so.
    pub fn pay(
        self,
        approved: FirstDecision,
        by: impl Into<SecondOperator>,
        person: impl Fn(OperatorId) -> OperatorId,
    ) -> Result<(), Refused> {
        match self.status {
            RequestStatus::Approved => Approval::Asked(approved).agree(by, person),
            RequestStatus::Requested => Err(Refused::NotApproved),
            decided => Err(Refused::AlreadyDecided { status: decided.name() }),
        }
    }

    /// A payout was approved, and two people say that it was not paid.
    pub fn take_back(self) -> Result<Self, Refused> {
        match self.status {
            RequestStatus::Approved => Ok(Self { status: RequestStatus::Rejected, ..self }),
            RequestStatus::Requested => Err(Refused::NotApproved),
            decided => Err(Refused::AlreadyDecided { status: decided.name() }),
        }
    }

    /// The state to write for an expired request; `None` if it has not expired, or was
    /// written before.
    pub fn expire(self, now: Timestamp) -> Option<Self> {
        let lapsed = self.status == RequestStatus::Requested && self.status_at(now) == RequestStatus::Expired;
        lapsed.then_some(Self { status: RequestStatus::Expired, ..self })
    }

    fn approval(self, now: Timestamp) -> Approval {
        match self.status_at(now) {
            RequestStatus::Requested => Approval::Asked(FirstDecision {
                by: self.requested_by,
                person: Some(self.requested_person),
                at: Some(self.expires_at.plus_days(-Self::DAYS)),
            }),
            RequestStatus::Expired => Approval::Expired,
            decided @ (RequestStatus::Approved | RequestStatus::Rejected) => Approval::Decided(decided.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANN: OperatorId = OperatorId(1);
    const BOB: OperatorId = OperatorId(2);
    /// An operator whose key Ann issued.
    const PUPPET: OperatorId = OperatorId(3);
    const START: Timestamp = Timestamp::from_seconds(1_000);

    fn person(id: OperatorId) -> OperatorId {
        if id == PUPPET { ANN } else { id }
    }

    #[test]
    fn it_needs_a_second_person_and_is_decided_once() {
        let review = RequestReview::new(ANN, ANN, START);
        for same in [ANN, PUPPET] {
            assert_eq!(review.approve(same, person, START), Err(Refused::SecondPersonNeeded));
        }
        let approved = review.approve(BOB, person, START).expect("approved");
        let decided = |status| Err(Refused::AlreadyDecided { status });
        assert_eq!(approved.approve(BOB, person, START), decided("approved"));
        assert_eq!(approved.reject(START), decided("approved"));
        let rejected = review.reject(START).expect("rejected");
        assert_eq!(rejected.approve(BOB, person, START), decided("rejected"));
    }

    #[test]
    fn who_asked_stays_who_they_were_then() {
        let by_puppet = RequestReview::new(PUPPET, ANN, START);
        // Somebody has confirmed since then that the puppet is a person of their own.
        let alone = |id| id;
        assert_eq!(by_puppet.approve(ANN, alone, START), Err(Refused::SecondPersonNeeded));
        assert!(by_puppet.approve(BOB, alone, START).is_ok());
        // Somebody whose key has changed hands since then counts as both.
        let by_ann = RequestReview::new(ANN, ANN, START);
        assert_eq!(by_ann.approve(BOB, |_| BOB, START), Err(Refused::SecondPersonNeeded));
    }

    #[test]
    fn who_was_confirmed_after_it_was_asked_for_does_not_approve_it() {
        let review = RequestReview::new(ANN, ANN, START);
        let confirmed = |at| SecondOperator { by: PUPPET, confirmed_at: Some(at) };
        let late = review.approve(confirmed(START.plus_millis(1)), |id| id, START.plus_days(1));
        assert_eq!(late, Err(Refused::SecondPersonNeeded));
        assert!(review.approve(confirmed(START), |id| id, START.plus_days(1)).is_ok());
    }

    #[test]
    fn a_payout_takes_three_steps_and_no_two_in_a_row_by_one_person() {
        let review = RequestReview::new(ANN, ANN, START);
        let word = FirstDecision { by: BOB, person: Some(BOB), at: Some(START) };
        assert_eq!(review.pay(word, ANN, person), Err(Refused::NotApproved));
        assert_eq!(review.take_back(), Err(Refused::NotApproved));
        let approved = review.approve(BOB, person, START).expect("approved");
        assert_eq!(approved.pay(word, BOB, person), Err(Refused::SecondPersonNeeded));
        assert_eq!((approved.pay(word, ANN, person), approved.pay(word, PUPPET, person)), (Ok(()), Ok(())));
        let late = SecondOperator { by: PUPPET, confirmed_at: Some(START.plus_millis(1)) };
        assert_eq!(approved.pay(word, late, person), Err(Refused::SecondPersonNeeded));
        let taken_back = approved.take_back().expect("taken back");
        assert_eq!(taken_back.status, RequestStatus::Rejected);
        let decided = Err(Refused::AlreadyDecided { status: "rejected" });
        assert_eq!((taken_back.pay(word, ANN, person), taken_back.take_back().map(drop)), (decided, decided));
    }

    #[test]
    fn after_seven_days_it_is_nobodys_to_decide() {
        let review = RequestReview::new(ANN, ANN, START);
        let (last, late) = (START.plus_days(7).plus_millis(-1), START.plus_days(7));
        assert_eq!(review.status_at(last), RequestStatus::Requested);
        assert!(review.approve(BOB, person, last).is_ok() && review.expire(last).is_none());
        assert_eq!(review.status_at(late), RequestStatus::Expired);
        assert_eq!(review.approve(BOB, person, late), Err(Refused::RequestExpired));
        assert_eq!(review.reject(late), Err(Refused::RequestExpired));
        let expired = review.expire(late).expect("expired");
        assert_eq!((expired.status, expired.expire(late)), (RequestStatus::Expired, None));
        // Whatever the clock says later.
        assert_eq!(expired.approve(BOB, person, START), Err(Refused::RequestExpired));
    }

    #[test]
    fn what_was_decided_in_time_stays_so() {
        let approved = RequestReview::new(ANN, ANN, START).approve(BOB, person, START).expect("approved");
        assert_eq!(approved.status_at(START.plus_days(400)), RequestStatus::Approved);
        assert!(approved.expire(START.plus_days(400)).is_none());
    }

    #[test]
    fn what_is_a_payment_has_a_reference_of_the_bank() {
        let payments: Vec<_> = RequestKind::ALL.iter().filter(|kind| kind.needs_reference()).collect();
        assert_eq!(payments, [&RequestKind::Recharge, &RequestKind::Chargeback, &RequestKind::AdvertiserFund]);
    }

    #[test]
    fn names_and_codes_lead_back() {
        for kind in RequestKind::ALL {
            assert_eq!(RequestKind::from_name(kind.name()), Some(*kind));
            assert_eq!(RequestKind::try_from(kind.code()), Ok(*kind));
            assert!(RequestDocument::ALL.contains(&kind.document()));
        }
        for status in RequestStatus::ALL {
            assert_eq!(RequestStatus::try_from(status.code()), Ok(*status));
        }
    }
}
