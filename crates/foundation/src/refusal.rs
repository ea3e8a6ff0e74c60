//! All refusals in one table: the stable key that clients match on, and the data that accompanies it.

use auth::AccountStatus;
use base::{BankStatementId, Money, PublisherId, Timestamp};
use serde_json::{Map, Value, json};

/// Declares the refusals, each with its data and its key.
macro_rules! refusals {
    ($($(#[$doc:meta])* $name:ident $({ $($field:ident: $kind:ty),+ })? => $key:literal,)+) => {
        /// A valid request that is refused.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Refusal {
            $($(#[$doc])* $name $({ $($field: $kind),+ })?),+
        }

        impl Refusal {
            /// The stable key that clients match on.
            pub const fn key(&self) -> &'static str {
                match self {
                    $(Self::$name $({ $($field: _),+ })? => $key),+
                }
            }
        }
    };
}

refusals! {
    WrongCredentials => "wrong_credentials",
    /// The name, the code with which another login password is set, or its time.
    WrongResetCode => "wrong_reset_code",
    OldPasswordWrong => "old_password_wrong",
    PasswordUnchanged => "password_unchanged",
    AuthorizationCodeNotFound => "authorization_code_not_found",
    AuthorizationCodeUsed => "authorization_code_used",
    StoreAlreadyOpened => "store_already_opened",
    StoreNotOpened => "store_not_opened",
    TicketInvalid => "ticket_invalid",
    PayPasswordNotSet => "pay_password_not_set",
    WrongPayPassword { attempts_left: u32 } => "wrong_pay_password",
    /// Without seconds, only staff can unlock it, after verifying identity.
    PayPasswordLocked { retry_after: Option<i64> } => "pay_password_locked",
    InsufficientBalance => "insufficient_balance",
    AmountOutOfRange => "amount_out_of_range",
    /// The same for an amount to be put on a plan.
    InvestmentOutOfRange => "amount_out_of_range",
    BankCardNotBound => "bank_card_not_bound",
    /// The payout account, a password, or how the user is reached is new.
    PayoutOnHold { until: Timestamp, retry_after: i64 } => "payout_on_hold",
    /// The login password was reset, and no transaction password is set.
    PaySetupOnHold { until: Timestamp, retry_after: i64 } => "pay_setup_on_hold",
    StartupFundsOutstanding { outstanding: Money } => "startup_funds_outstanding",
    /// What a chargeback could not take must be paid before money leaves.
    ChargebackDue { due: Money } => "chargeback_due",
    /// A chargeback would leave something due while a withdrawal or an exchange can be given back.
    FundsSetAside { withdrawing: Money, exchanging: Money } => "funds_set_aside",
    FundsRemaining => "funds_remaining",
    /// A session of staff in a user's account changes nothing.
    ReadOnlySession => "read_only_session",
    IdempotencyKeyReused => "idempotency_key_reused",
    /// The caller has the key, and its clock is off.
    SignatureExpired => "signature_expired",
    CouponUsed => "coupon_used",
    CouponExpired => "coupon_expired",
    /// No more coupons of this definition are given out.
    CouponExhausted => "coupon_exhausted",
    CouponNotApplicable => "coupon_not_applicable",
    CouponAlreadyReceived => "coupon_already_received",
    CouponDailyLimit => "coupon_daily_limit",
    FollowIdInvalid => "follow_id_invalid",
    AcceptanceCodeWrong { attempts_left: u32 } => "acceptance_code_wrong",
    AcceptanceCodeLocked { retry_after: i64 } => "acceptance_code_locked",
    AcceptorLimitExceeded { limit: Money } => "acceptor_limit_exceeded",
    /// The rate that was shown has expired; request a new one.
    QuoteExpired => "quote_expired",
    /// One exchange at a time.
    ExchangeOrderOpen => "exchange_order_open",
    PlansUnderWay => "plans_under_way",
    /// The user has the most announced payments that may be open at once.
    AnnouncementsOpen { most: usize } => "announcements_open",
    /// The most places that may be excluded are excluded.
    ExclusionsFull { most: i64 } => "exclusions_full",
    /// Too many lines for a PDF; CSV has no such limit.
    StatementTooLong => "statement_too_long",
    /// The installation keeps no public log.
    NoPublicLog => "no_public_log",
    /// None of the user's transactions up to the end of the month are in the public log.
    NotInPublicLog => "not_in_public_log",
    /// The published log is behind the books, or does not match them.
    PublicLogBehind => "public_log_behind",
    PlanNotPuttable => "plan_not_puttable",
    /// The same for an offered plan whose product has been closed since.
    ProductClosed => "plan_not_puttable",
    /// Only a budget of a plan that runs can be added to.
    PlanNotRunning => "plan_not_running",
    /// The budget is as large as the product allows.
    PlanBudgetFull { limit: Money } => "plan_budget_full",
    /// Its limit has taken promises back as often as it may.
    PlanLoweredOften { until: Timestamp, retry_after: i64 } => "plan_lowered_often",
    /// A file of too many bytes.
    ImageTooLarge => "image_too_large",
    /// Too many pixels, in however few bytes.
    ImageTooComplex => "image_too_complex",
    /// A picture of a kind that is not taken.
    ImageKindNotTaken { kind: &'static str } => "image_kind_not_taken",
    /// A picture of a kind that is taken, but written in a way that is not read.
    ImageCodingNotTaken { coding: &'static str } => "image_coding_not_taken",
    /// A picture of a kind that is taken, but cut off or broken.
    ImageDamaged => "image_damaged",
    NotAnImage => "not_an_image",
    /// Somebody has opened the link that claims a key.
    ClaimUsed => "claim_used",
    /// The key counts once a second person has confirmed its fingerprint.
    KeyWaits => "key_waits",
    NotFound => "not_found",
    /// Nothing has this name or number; there may be similar ones.
    Unknown { suggestions: Vec<String> } => "not_found",
    // Only for staff.
    /// Several accounts have this address or number.
    Ambiguous { candidates: Vec<String> } => "ambiguous",
    /// The user has ended all sessions, or one of staff, within the last day.
    SessionsEndedByUser { until: Timestamp, retry_after: i64 } => "sessions_ended_by_user",
    /// The bank's reference was credited before.
    ReferenceUsed => "reference_used",
    SecondPersonNeeded => "second_person_needed",
    /// The first two people are not declared yet, or have not both rotated their keys.
    FoundersMissing => "founders_missing",
    /// The operator's key is known to whoever issued it.
    KeyNotRotated => "key_not_rotated",
    AlreadyDecided => "already_decided",
    /// Nobody approved it in time; request it again.
    RequestExpired => "request_expired",
    /// The data that the request would change has changed since.
    ProposalStale => "proposal_stale",
    /// The proposals that wait are not the ones that the operator has seen.
    ProposalsChanged => "proposals_changed",
    /// Whoever proposed it was revoked since, so that nobody can agree.
    ProposerRevoked => "proposer_revoked",
    NotApproved => "not_approved",
    /// Nobody has opened the link that claims the key.
    KeyNotClaimed => "key_not_claimed",
    /// The published log matches the database, so no new log is needed.
    LogGoesOn => "log_goes_on",
    /// The secret file has no key of the public log but those that were agreed on, or not the one that is agreed on now.
    LogKeyMissing => "log_key_missing",
    /// A link to its page needs one.
    PublisherKeyMissing { publisher: PublisherId } => "publisher_key_missing",
    NotPermitted => "not_permitted",
    /// Only an admin may let money out of an account that is disabled, cancelled or not
    /// activated.
    AccountNotActive { status: AccountStatus } => "account_not_active",
    /// One of the two people must be an admin.
    AdminNeeded => "admin_needed",
    /// The rate or the amount of an exchange is not what two people had agreed on.
    RateNotAgreed => "rate_not_agreed",
    /// More than the role may request or approve, per action or per day.
    LimitExceeded { limit: Money } => "limit_exceeded",
    /// Nobody would be left to add operators.
    LastAdmin => "last_admin",
    NameTaken => "name_taken",
    CannotChange => "cannot_change",
    /// The same for what is already as it was to become.
    AlreadySo => "cannot_change",
    /// The bank's statement, or all of its lines, were imported already.
    StatementImported { statement: Option<BankStatementId> } => "statement_imported",
    /// For a day that both cover completely, the stored lines differ from those in the file.
    BankDayDiffers { day: String, stored: Money, file: Money } => "bank_day_differs",
    /// The stored lines and the file lead to different balances.
    BankBalanceDiffers { day: String, stored: Money, file: Money } => "bank_balance_differs",
    /// Several places fit, in which the same lines are stored already: no number tells them apart.
    BankPlaceOpen => "bank_place_open",
    /// Several places fit: so many of the file's lines may be stored already.
    BankPlaceUnclear { known: Vec<usize> } => "bank_place_unclear",
    /// The line or the document has a match already.
    AlreadyMatched => "already_matched",
    BankAmountDiffers { line: Money, document: Money } => "bank_amount_differs",
    /// The payment of this line was credited to this document.
    BankLineCredited { line: String, document: String } => "bank_line_credited",
    /// The bank was told to pay it.
    InPaymentFile { file: String, end_to_end: String } => "in_payment_file",
    /// The payment is no longer what was approved.
    PaymentAltered { document: String } => "payment_altered",
    /// The request is no longer what its operator requested.
    RequestAltered { document: String } => "request_altered",
}

impl Refusal {
    /// The key of the user's text, below `errors` in the locale files.
    pub const fn text(&self) -> &'static str {
        match self {
            Self::PayPasswordLocked { retry_after: None } => "pay_password_disabled",
            Self::InvestmentOutOfRange => "investment_out_of_range",
            Self::ProductClosed => "product_closed",
            Self::AlreadySo => "already_so",
            other => other.key(),
        }
    }

    /// The data that accompanies the key.
    pub fn data(&self) -> Map<String, Value> {
        let pair = match self {
            Self::WrongPayPassword { attempts_left } | Self::AcceptanceCodeWrong { attempts_left } => {
                ("attempts_left", json!(attempts_left))
            }
            Self::AcceptanceCodeLocked { retry_after } => ("retry_after", json!(retry_after)),
            Self::AcceptorLimitExceeded { limit } | Self::LimitExceeded { limit } | Self::PlanBudgetFull { limit } => {
                ("limit", json!(limit.to_string()))
            }
            Self::Ambiguous { candidates } => ("candidates", json!(candidates)),
            Self::Unknown { suggestions } if !suggestions.is_empty() => ("suggestions", json!(suggestions)),
            Self::PayPasswordLocked { retry_after } => ("retry_after", json!(retry_after)),
            Self::PublisherKeyMissing { publisher } => ("publisher", json!(publisher.to_string())),
            Self::StartupFundsOutstanding { outstanding: owed } | Self::ChargebackDue { due: owed } => {
                ("outstanding", json!(owed.to_string()))
            }
            Self::FundsSetAside { withdrawing, exchanging } => {
                let both = [("withdrawing", withdrawing), ("exchanging", exchanging)];
                return both.into_iter().map(|(name, value)| (name.to_owned(), json!(value.to_string()))).collect();
            }
            Self::AccountNotActive { status } => ("status", json!(status.name())),
            Self::PayoutOnHold { until, retry_after }
            | Self::PaySetupOnHold { until, retry_after }
            | Self::PlanLoweredOften { until, retry_after }
            | Self::SessionsEndedByUser { until, retry_after } => {
                let both = [("until", json!(until.to_string())), ("retry_after", json!(retry_after))];
                return both.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            }
            Self::StatementImported { statement: Some(id) } => ("statement", json!(id.to_string())),
            Self::BankDayDiffers { day, stored, file } | Self::BankBalanceDiffers { day, stored, file } => {
                let all = [("day", day.clone()), ("stored", stored.to_string()), ("file", file.to_string())];
                return all.into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect();
            }
            Self::BankPlaceUnclear { known } => {
                let all: Vec<String> = known.iter().map(usize::to_string).collect();
                ("known", json!(all.join(", ")))
            }
            Self::AnnouncementsOpen { most } => ("most", json!(most)),
            Self::ExclusionsFull { most } => ("most", json!(most)),
            Self::ImageKindNotTaken { kind } => ("kind", json!(kind)),
            Self::ImageCodingNotTaken { coding } => ("coding", json!(coding)),
            Self::InPaymentFile { file, end_to_end } => {
                let both = [("file", json!(file)), ("end_to_end", json!(end_to_end))];
                return both.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            }
            Self::BankLineCredited { line, document } => {
                let both = [("line", line), ("document", document)];
                return both.into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect();
            }
            Self::PaymentAltered { document } | Self::RequestAltered { document } => ("document", json!(document)),
            Self::BankAmountDiffers { line, document } => {
                let both = [("line", line), ("document", document)];
                return both.into_iter().map(|(name, amount)| (name.to_owned(), json!(amount.to_string()))).collect();
            }
            _ => return Map::new(),
        };
        Map::from_iter([(pair.0.to_owned(), pair.1)])
    }
}
