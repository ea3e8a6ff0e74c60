//! The rules of each kind of request: who may make it, and its names in the audit.
//! Approving always needs the permission for money, because every kind can cost
//! money: the platform's, or what users lose to what they are shown.

use auth::Permission;
use wallet::{RequestDocument, RequestKind};

/// The permission that the requester's role needs.
pub const fn asked_with(kind: RequestKind) -> Permission {
    match kind {
        RequestKind::Recharge
        | RequestKind::Chargeback
        | RequestKind::ChargebackCollection
        | RequestKind::ChargebackWaiver
        | RequestKind::PromotionGrant
        | RequestKind::PromotionRevoke
        | RequestKind::StartupLoan
        | RequestKind::AdvertiserFund
        | RequestKind::PublisherPayout
        | RequestKind::PublisherCredit
        | RequestKind::PublisherDebit
        | RequestKind::DeliveryCorrection
        | RequestKind::Unpaid => Permission::Money,
        RequestKind::ProductTerms
        | RequestKind::AdvertiserKey
        | RequestKind::AdvertiserCap
        | RequestKind::AcceptorTerms
        | RequestKind::PublisherTerms
        | RequestKind::SspKey
        | RequestKind::PublisherKey
        | RequestKind::CouponTerms
        | RequestKind::CouponGrant
        | RequestKind::Announcement
        | RequestKind::Contact
        | RequestKind::PayIn
        | RequestKind::Faq
        | RequestKind::Activity
        | RequestKind::AcceptorChange
        | RequestKind::PublisherClosing
        | RequestKind::OperatedAccount => Permission::Catalogue,
        RequestKind::PayPasswordReset | RequestKind::LoginPasswordReset | RequestKind::AccountCancel => {
            Permission::Accounts
        }
        RequestKind::RoleLimits | RequestKind::PublicLog => Permission::Operators,
    }
}

/// The names of actions on a request in the audit log.
pub struct Actions {
    pub request: &'static str,
    pub approve: &'static str,
    /// The name of the action that pays a payout.
    pub pay: &'static str,
    pub reject: &'static str,
    pub expire: &'static str,
}

pub const fn actions(kind: RequestKind) -> Actions {
    macro_rules! named {
        ($($document:ident $name:literal,)+) => {
            match kind.document() {
                $(RequestDocument::$document => Actions {
                    request: concat!($name, ".request"),
                    approve: concat!($name, ".approve"),
                    pay: concat!($name, ".pay"),
                    reject: concat!($name, ".reject"),
                    expire: concat!($name, ".expire"),
                }),+
            }
        };
    }
    named! {
        Recharge "recharge", Chargeback "chargeback", Promotion "promotion", StartupLoan "startup_advance",
        AdvertiserFund "advertiser_fund", ProductTerms "product_terms", PayPasswordReset "pay_password_reset",
        AcceptorTerms "acceptor_terms", CouponTerms "coupon_terms", CouponGrant "coupon_grant",
        AdvertiserKey "advertiser_key", AdvertiserCap "advertiser_cap", PublisherTerms "publisher_terms",
        PublisherPayout "publisher_payout", SspKey "ssp_key", PublisherCorrection "publisher_correction",
        DeliveryCorrection "delivery_correction", PublisherKey "publisher_key", RoleLimits "role_limits",
        Announcement "announcement", Contact "contact", PayIn "pay_in", Unpaid "unpaid", Faq "faq",
        Activity "activity", AcceptorChange "acceptor_change", PublisherClosing "publisher_closing",
        AccountCancel "account_cancel", LoginPasswordReset "login_password_reset",
        OperatedAccount "operated_account", PublicLog "public_log",
    }
}
