//! All refusals in one table: the stable key that clients match on, and the data that
//! comes with it.

use auth::AccountStatus;
use base::{BankStatementId, Money, PublisherId, Timestamp};
use serde_json::{Map, Value, json};

/// A valid request that is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    WrongCredentials,
    /// The name, the code with which another login password is set, or its time.
    WrongResetCode,
    OldPasswordWrong,
    PasswordUnchanged,
    AuthorizationCodeNotFound,
    AuthorizationCodeUsed,
    StoreAlreadyOpened,
    StoreNotOpened,
    TicketInvalid,
    PayPasswordNotSet,
    WrongPayPassword {
        attempts_left: u32,
    },
    /// Without seconds, only staff can unlock it, after verifying identity.
    PayPasswordLocked {
        retry_after: Option<i64>,
    },
    InsufficientBalance,
    AmountOutOfRange,
    /// The same for an amount to be put on a plan.
    InvestmentOutOfRange,
    BankCardNotBound,
    /// The payout account, a password, or how the user is reached is new.
    PayoutOnHold {
        until: Timestamp,
        retry_after: i64,
    },
    /// The login password was reset, and no transaction password is set.
    PaySetupOnHold {
        until: Timestamp,
        retry_after: i64,
    },
    StartupFundsOutstanding {
        outstanding: Money,
    },
    /// What a chargeback did not find must be paid before money leaves.
    ChargebackDue {
        due: Money,
    },
    /// A chargeback would leave something due while a withdrawal or an exchange can be given back.
    FundsSetAside {
        withdrawing: Money,
        exchanging: Money,
    },
    FundsRemaining,
    /// A session of staff in a user's account changes nothing.
    ReadOnlySession,
    IdempotencyKeyReused,
    /// The caller has the key, and its clock is off.
    SignatureExpired,
    CouponUsed,
    CouponExpired,
    /// As many were given as allowed.
    CouponExhausted,
    CouponNotApplicable,
    CouponAlreadyReceived,
    CouponDailyLimit,
    FollowIdInvalid,
    AcceptanceCodeWrong {
        attempts_left: u32,
    },
    AcceptanceCodeLocked {
        retry_after: i64,
    },
    AcceptorLimitExceeded {
        limit: Money,
    },
    /// The rate that was shown has expired; request a new one.
    QuoteExpired,
    /// One exchange at a time.
    ExchangeOrderOpen,
    PlansUnderWay,
    /// As many payments are announced as may be open at once.
    AnnouncementsOpen {
        most: usize,
    },
    /// As many places are excluded as may be.
    ExclusionsFull {
        most: i64,
    },
    /// Too many lines for a PDF; CSV has no such limit.
    StatementTooLong,
    /// The installation keeps no public log.
    NoPublicLog,
    /// Nothing of the user's book is in the public log by the end of the month.
    NotInPublicLog,
    /// What is published of the log is not as far as the books, or another than they have.
    PublicLogBehind,
    PlanNotPuttable,
    /// The same for a plan that was offered on a product that has been closed since.
    ProductClosed,
    /// Only a budget of a plan that runs can be added to.
    PlanNotRunning,
    /// The budget is as large as the product allows.
    PlanBudgetFull {
        limit: Money,
    },
    /// Its limit has taken promises back as often as it may.
    PlanLoweredOften {
        until: Timestamp,
        retry_after: i64,
    },
    /// A file of too many bytes.
    ImageTooLarge,
    /// Too many pixels, in however few bytes.
    ImageTooComplex,
    /// A picture of a kind that is not taken.
    ImageKindNotTaken {
        kind: &'static str,
    },
    /// A picture of a kind that is taken, but written in a way that is not read.
    ImageCodingNotTaken {
        coding: &'static str,
    },
    /// A picture of a kind that is taken, but cut off or broken.
    ImageDamaged,
    NotAnImage,
    /// Somebody has opened the link that claims a key.
    ClaimUsed,
    /// The key counts once a second person has confirmed its fingerprint.
    KeyWaits,
    NotFound,
    /// Nothing has this name or number; there may be similar ones.
    Unknown {
        suggestions: Vec<String>,
    },
    // Only for staff.
    /// Several accounts have this address or number.
    Ambiguous {
        candidates: Vec<String>,
    },
    /// The user has ended all sessions, or one of staff, within the last day.
    SessionsEndedByUser {
        until: Timestamp,
        retry_after: i64,
    },
    /// The bank's reference was credited before.
    ReferenceUsed,
    SecondPersonNeeded,
    /// The first two people are not declared yet, or have not both rotated their keys.
    FoundersMissing,
    /// The operator's key is known to whoever issued it.
    KeyNotRotated,
    AlreadyDecided,
    /// Nobody approved it in time; request it again.
    RequestExpired,
    /// What it would change has changed since the request.
    ProposalStale,
    /// What waits for whoever confirms is not what they have seen.
    ProposalsChanged,
    /// Whoever proposed it was revoked since, so that nobody can agree.
    ProposerRevoked,
    NotApproved,
    /// Nobody has opened the link that claims the key.
    KeyNotClaimed,
    /// What was published of the public log is in the database, so that no new one is needed.
    LogGoesOn,
    /// The secret file has no key of the public log but those that were agreed on, or not the one that is agreed on now.
    LogKeyMissing,
    /// A link to its page needs one.
    PublisherKeyMissing {
        publisher: PublisherId,
    },
    NotPermitted,
    /// Only an admin may let money out of an account that is disabled, cancelled or not
    /// activated.
    AccountNotActive {
        status: AccountStatus,
    },
    /// One of the two people must be an admin.
    AdminNeeded,
    /// The rate or the amount of an exchange is not what two people had agreed on.
    RateNotAgreed,
    /// More than the role may request or approve, per action or per day.
    LimitExceeded {
        limit: Money,
    },
    /// Nobody would be left to add operators.
    LastAdmin,
    NameTaken,
    CannotChange,
    /// The bank's statement, or all of its lines, were imported already.
    StatementImported {
        statement: Option<BankStatementId>,
    },
    /// On a day that both have whole, other lines are stored than the file has.
    BankDayDiffers {
        day: String,
        stored: Money,
        file: Money,
    },
    /// What is stored and the file lead to different balances.
    BankBalanceDiffers {
        day: String,
        stored: Money,
        file: Money,
    },
    /// Several places fit, in which the same lines are stored already: no number tells them apart.
    BankPlaceOpen,
    /// Several places fit: so many of the file's lines may be stored already.
    BankPlaceUnclear {
        known: Vec<usize>,
    },
    /// The line or the document has a match already.
    AlreadyMatched,
    BankAmountDiffers {
        line: Money,
        document: Money,
    },
    /// The bank was told to pay it.
    InPaymentFile {
        file: String,
        end_to_end: String,
    },
    /// It is not what was approved any more.
    PaymentAltered {
        document: String,
    },
}

impl Refusal {
    pub const fn key(&self) -> &'static str {
        match self {
            Self::WrongCredentials => "wrong_credentials",
            Self::WrongResetCode => "wrong_reset_code",
            Self::OldPasswordWrong => "old_password_wrong",
            Self::PasswordUnchanged => "password_unchanged",
            Self::AuthorizationCodeNotFound => "authorization_code_not_found",
            Self::AuthorizationCodeUsed => "authorization_code_used",
            Self::StoreAlreadyOpened => "store_already_opened",
            Self::StoreNotOpened => "store_not_opened",
            Self::TicketInvalid => "ticket_invalid",
            Self::PayPasswordNotSet => "pay_password_not_set",
            Self::WrongPayPassword { .. } => "wrong_pay_password",
            Self::PayPasswordLocked { .. } => "pay_password_locked",
            Self::InsufficientBalance => "insufficient_balance",
            Self::AmountOutOfRange | Self::InvestmentOutOfRange => "amount_out_of_range",
            Self::BankCardNotBound => "bank_card_not_bound",
            Self::PayoutOnHold { .. } => "payout_on_hold",
            Self::PaySetupOnHold { .. } => "pay_setup_on_hold",
            Self::StartupFundsOutstanding { .. } => "startup_funds_outstanding",
            Self::ChargebackDue { .. } => "chargeback_due",
            Self::FundsSetAside { .. } => "funds_set_aside",
            Self::FundsRemaining => "funds_remaining",
            Self::ReadOnlySession => "read_only_session",
            Self::SessionsEndedByUser { .. } => "sessions_ended_by_user",
            Self::SignatureExpired => "signature_expired",
            Self::IdempotencyKeyReused => "idempotency_key_reused",
            Self::CouponUsed => "coupon_used",
            Self::CouponExpired => "coupon_expired",
            Self::CouponExhausted => "coupon_exhausted",
            Self::CouponNotApplicable => "coupon_not_applicable",
            Self::CouponAlreadyReceived => "coupon_already_received",
            Self::CouponDailyLimit => "coupon_daily_limit",
            Self::FollowIdInvalid => "follow_id_invalid",
            Self::AcceptanceCodeWrong { .. } => "acceptance_code_wrong",
            Self::AcceptanceCodeLocked { .. } => "acceptance_code_locked",
            Self::AcceptorLimitExceeded { .. } => "acceptor_limit_exceeded",
            Self::QuoteExpired => "quote_expired",
            Self::ExchangeOrderOpen => "exchange_order_open",
            Self::PlansUnderWay => "plans_under_way",
            Self::AnnouncementsOpen { .. } => "announcements_open",
            Self::ExclusionsFull { .. } => "exclusions_full",
            Self::StatementTooLong => "statement_too_long",
            Self::NoPublicLog => "no_public_log",
            Self::NotInPublicLog => "not_in_public_log",
            Self::PublicLogBehind => "public_log_behind",
            Self::PlanNotPuttable | Self::ProductClosed => "plan_not_puttable",
            Self::PlanNotRunning => "plan_not_running",
            Self::PlanBudgetFull { .. } => "plan_budget_full",
            Self::PlanLoweredOften { .. } => "plan_lowered_often",
            Self::ImageTooLarge => "image_too_large",
            Self::ImageTooComplex => "image_too_complex",
            Self::ImageKindNotTaken { .. } => "image_kind_not_taken",
            Self::ImageCodingNotTaken { .. } => "image_coding_not_taken",
            Self::ImageDamaged => "image_damaged",
            Self::NotAnImage => "not_an_image",
            Self::ClaimUsed => "claim_used",
            Self::KeyWaits => "key_waits",
            Self::KeyNotClaimed => "key_not_claimed",
            Self::LogGoesOn => "log_goes_on",
            Self::LogKeyMissing => "log_key_missing",
            Self::PublisherKeyMissing { .. } => "publisher_key_missing",
            Self::NotFound | Self::Unknown { .. } => "not_found",
            Self::Ambiguous { .. } => "ambiguous",
            Self::ReferenceUsed => "reference_used",
            Self::SecondPersonNeeded => "second_person_needed",
            Self::FoundersMissing => "founders_missing",
            Self::KeyNotRotated => "key_not_rotated",
            Self::AlreadyDecided => "already_decided",
            Self::RequestExpired => "request_expired",
            Self::ProposalStale => "proposal_stale",
            Self::ProposalsChanged => "proposals_changed",
            Self::ProposerRevoked => "proposer_revoked",
            Self::NotApproved => "not_approved",
            Self::NotPermitted => "not_permitted",
            Self::AccountNotActive { .. } => "account_not_active",
            Self::AdminNeeded => "admin_needed",
            Self::RateNotAgreed => "rate_not_agreed",
            Self::LimitExceeded { .. } => "limit_exceeded",
            Self::LastAdmin => "last_admin",
            Self::NameTaken => "name_taken",
            Self::CannotChange => "cannot_change",
            Self::StatementImported { .. } => "statement_imported",
            Self::BankDayDiffers { .. } => "bank_day_differs",
            Self::BankBalanceDiffers { .. } => "bank_balance_differs",
            Self::BankPlaceOpen => "bank_place_open",
            Self::BankPlaceUnclear { .. } => "bank_place_unclear",
            Self::AlreadyMatched => "already_matched",
            Self::BankAmountDiffers { .. } => "bank_amount_differs",
            Self::InPaymentFile { .. } => "in_payment_file",
            Self::PaymentAltered { .. } => "payment_altered",
        }
    }

    /// The key of the user's text, below `errors` in the locale files.
    pub const fn text(&self) -> &'static str {
        match self {
            Self::PayPasswordLocked { retry_after: None } => "pay_password_disabled",
            Self::InvestmentOutOfRange => "investment_out_of_range",
            Self::ProductClosed => "product_closed",
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
            Self::PaymentAltered { document } => ("document", json!(document)),
            Self::BankAmountDiffers { line, document } => {
                let both = [("line", line), ("document", document)];
                return both.into_iter().map(|(name, amount)| (name.to_owned(), json!(amount.to_string()))).collect();
            }
            _ => return Map::new(),
        };
        Map::from_iter([(pair.0.to_owned(), pair.1)])
    }
}
