//! The kinds of notices to users, with the figures in their texts.

use std::fmt;

use base::{Money, Timestamp};
use derive_more::Display;

/// How a figure of a notice is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// An amount of the platform's currency.
    Money,
    /// An amount followed by the code of its own currency.
    Foreign,
    /// A time, or a day alone.
    Moment,
    Device,
    Plain,
}

impl Form {
    /// The form of a stored figure by its name, including figures of kinds that are no longer sent.
    pub fn of(name: &str) -> Self {
        match name {
            "amount" | "fee" | "balance" | "earned" | "price" | "outstanding" | "deposit" | "spent" | "budget"
            | "limit" | "loss" => Self::Money,
            "receives" => Self::Foreign,
            "date" | "moment" => Self::Moment,
            "device" => Self::Device,
            _ => Self::Plain,
        }
    }
}

/// A figure as stored: `Display` writes it, `FORM` says how it is shown.
trait Figure: fmt::Display {
    const FORM: Form;
}

macro_rules! figures {
    ($($type:ty: $form:ident),+) => { $(impl Figure for $type { const FORM: Form = Form::$form; })+ };
}

figures!(String: Plain, i32: Plain, i64: Plain, Money: Money, ForeignAmount: Foreign, Timestamp: Moment, Device: Device);

/// `1234.50 EUR`.
#[derive(Clone, Debug, PartialEq, Eq, Display)]
#[display("{amount} {currency}")]
pub struct ForeignAmount {
    /// A decimal with the number of decimals of its currency.
    pub amount: String,
    /// An ISO 4217 code.
    pub currency: String,
}

/// The user agent of a browser.
#[derive(Clone, Debug, PartialEq, Eq, Display)]
pub struct Device(pub String);

/// What is needed to fill in the texts of a kind.
#[derive(Clone, Copy, Debug)]
pub struct KindDescription {
    pub variant: &'static str,
    pub key: &'static str,
    /// The figures in its texts, each with its name and form.
    pub figures: &'static [(&'static str, Form)],
}

macro_rules! kinds {
    ($($variant:ident $key:literal { $($field:ident: $type:ty),* }),+ $(,)?) => {
        /// A notice to one user. Its texts are `server.notices.{key}.title` and `.body`;
        /// they are produced when it is read, in the reader's language.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum NoticeKind { $($variant { $($field: $type),* }),+ }

        impl NoticeKind {
            pub const ALL: &'static [KindDescription] = &[$(KindDescription {
                variant: stringify!($variant),
                key: $key,
                figures: &[$((stringify!($field), <$type as Figure>::FORM)),*],
            }),+];

            /// The stored name, which never changes.
            pub const fn key(&self) -> &'static str {
                match self { $(Self::$variant { .. } => $key),+ }
            }

            /// Its figures as stored, by name.
            pub fn figures(&self) -> Vec<(&'static str, String)> {
                match self { $(Self::$variant { $($field),* } => vec![$((stringify!($field), $field.to_string())),*]),+ }
            }
        }
    };
}

kinds! {
    CouponReceived "coupon_received" { name: String },
    CouponGranted "coupon_granted" { name: String },
    VipSubscribed "vip_subscribed" { amount: Money, date: Timestamp },
    LevelReached "level_reached" { level: i32 },
    PromotionGranted "promotion_granted" { amount: Money },
    PromotionRevoked "promotion_revoked" { amount: Money },
    ExchangePut "exchange_put" { amount: Money, acceptor: String, receives: ForeignAmount },
    ExchangeCompleted "exchange_completed" { amount: Money, acceptor: String, receives: ForeignAmount },
    ExchangeCancelled "exchange_cancelled" { amount: Money, acceptor: String, receives: ForeignAmount },
    RechargeCredited "recharge_credited" { amount: Money },
    RechargeRejected "recharge_rejected" { amount: Money, reason: String },
    RechargeExpired "recharge_expired" { amount: Money },
    Chargeback "chargeback" { amount: Money, reference: String },
    ChargebackDue "chargeback_due" { outstanding: Money },
    ChargebackCollected "chargeback_collected" { amount: Money, outstanding: Money },
    ChargebackWaived "chargeback_waived" { amount: Money, outstanding: Money },
    PlanOffered "plan_offered" { plan: String, product: String },
    PlanFollowed "plan_followed" { plan: String, product: String, followed: String, name: String },
    PlanPutting "plan_putting" { plan: String, product: String },
    PlanFailed "plan_failed" { plan: String, product: String },
    PlanRejected "plan_rejected" { plan: String, product: String },
    PlanFinished "plan_finished" { plan: String, product: String },
    PlanWaitingSettlement "plan_waiting_settlement" { plan: String, product: String },
    DeliveryRefunded "delivery_refunded" { plan: String, product: String, amount: Money, reason: String },
    RuleBudgetUsed "rule_budget_used" { plan: String, product: String, spent: Money, budget: Money },
    RuleConversionCost "rule_conversion_cost" { plan: String, product: String, spent: Money, conversions: i64, limit: Money },
    RuleNoConversion "rule_no_conversion" { plan: String, product: String, spent: Money, limit: Money },
    RuleLoss "rule_loss" { plan: String, product: String, loss: Money, limit: Money },
    RuleNotShown "rule_not_shown" { plan: String, product: String, moment: Timestamp },
    PausedBudgetUsed "paused_budget_used" { plan: String, product: String, spent: Money, budget: Money },
    PausedConversionCost "paused_conversion_cost" { plan: String, product: String, spent: Money, conversions: i64, limit: Money },
    PausedNoConversion "paused_no_conversion" { plan: String, product: String, spent: Money, limit: Money },
    PausedLoss "paused_loss" { plan: String, product: String, loss: Money, limit: Money },
    PausedNotShown "paused_not_shown" { plan: String, product: String, moment: Timestamp },
    PlanSettled "plan_settled" { plan: String, product: String, earned: Money, fee: Money },
    WithdrawalApproved "withdrawal_approved" { amount: Money },
    WithdrawalPaid "withdrawal_paid" { amount: Money },
    WithdrawalRejected "withdrawal_rejected" { amount: Money, reason: String },
    StartupAdvanced "startup_advanced" { amount: Money, outstanding: Money },
    StartupReturned "startup_returned" { amount: Money, outstanding: Money },
    StoreOpened "store_opened" {},
    AccountActivated "account_activated" {},
    AccountDisabled "account_disabled" {},
    PasswordChanged "password_changed" {},
    PasswordResetAllowed "password_reset_allowed" { moment: Timestamp },
    PasswordReset "password_reset" {},
    PayPasswordSet "pay_password_set" {},
    PayPasswordChanged "pay_password_changed" {},
    PayPasswordLocked "pay_password_locked" {},
    PayPasswordReset "pay_password_reset" {},
    BankCardChanged "bank_card_changed" { number: String },
    PayoutsHeld "payouts_held" { moment: Timestamp },
    NewDevice "new_device" { device: Device },
    StaffEntered "staff_entered" { operator: String, reason: String },
    EmailChanged "email_changed" { address: String },
    PhoneChanged "phone_changed" { number: String },
    FeedbackAnswered "feedback_answered" { topic: String, reply: String },
    ServiceAnswered "service_answered" {},
}

/// Stored instead of a kind's key if staff wrote the text.
pub const WRITTEN: &str = "written";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_what_its_texts_name() {
        let kind = NoticeKind::VipSubscribed { amount: Money::from_minor(9_900), date: Timestamp::from_seconds(0) };
        let kept = [("amount", "99.00".to_owned()), ("date", "1970-01-01T00:00:00.000Z".to_owned())];
        assert_eq!((kind.key(), kind.figures()), ("vip_subscribed", kept.to_vec()));
        let receives = ForeignAmount { amount: "9.14".into(), currency: "EUR".into() };
        assert_eq!(receives.to_string(), "9.14 EUR");
        let device = NoticeKind::NewDevice { device: Device("Firefox on Linux".into()) };
        assert_eq!(device.figures(), [("device", "Firefox on Linux".to_owned())]);
        assert_eq!(NoticeKind::StoreOpened {}.figures(), []);
    }

    /// Rows have the names of their figures, but no types.
    #[test]
    fn a_figure_is_shown_by_its_name_as_its_type_says() {
        for kind in NoticeKind::ALL {
            for (name, form) in kind.figures {
                assert_eq!(Form::of(name), *form, "{}: {name}", kind.key);
            }
        }
    }

    #[test]
    fn no_two_kinds_are_kept_alike() {
        let mut keys: Vec<_> = NoticeKind::ALL.iter().map(|kind| kind.key).chain([WRITTEN]).collect();
        keys.sort_unstable();
        let all = keys.len();
        keys.dedup();
        assert_eq!(keys.len(), all);
    }
}
