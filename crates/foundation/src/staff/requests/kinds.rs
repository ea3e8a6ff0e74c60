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
    /// Only of payouts.
    pub pay: &'static str,
    pub reject: &'static str,
    pub expire: &'static str,
}

pub const fn actions(kind: RequestKind) -> Actions {
    macro_rules! named {
        ($name:literal) => {
            Actions {
                request: concat!($name, ".request"),
                approve: concat!($name, ".approve"),
                pay: concat!($name, ".pay"),
                reject: concat!($name, ".reject"),
                expire: concat!($name, ".expire"),
            }
        };
    }
    match kind.document() {
        RequestDocument::Recharge => named!("recharge"),
        RequestDocument::Chargeback => named!("chargeback"),
        RequestDocument::Promotion => named!("promotion"),
        RequestDocument::StartupLoan => named!("startup_advance"),
        RequestDocument::AdvertiserFund => named!("advertiser_fund"),
        RequestDocument::ProductTerms => named!("product_terms"),
        RequestDocument::PayPasswordReset => named!("pay_password_reset"),
        RequestDocument::AcceptorTerms => named!("acceptor_terms"),
        RequestDocument::CouponTerms => named!("coupon_terms"),
        RequestDocument::CouponGrant => named!("coupon_grant"),
        RequestDocument::AdvertiserKey => named!("advertiser_key"),
        RequestDocument::AdvertiserCap => named!("advertiser_cap"),
        RequestDocument::PublisherTerms => named!("publisher_terms"),
        RequestDocument::PublisherPayout => named!("publisher_payout"),
        RequestDocument::SspKey => named!("ssp_key"),
        RequestDocument::PublisherCorrection => named!("publisher_correction"),
        RequestDocument::DeliveryCorrection => named!("delivery_correction"),
        RequestDocument::PublisherKey => named!("publisher_key"),
        RequestDocument::RoleLimits => named!("role_limits"),
        RequestDocument::Announcement => named!("announcement"),
        RequestDocument::Contact => named!("contact"),
        RequestDocument::PayIn => named!("pay_in"),
        RequestDocument::Unpaid => named!("unpaid"),
        RequestDocument::Faq => named!("faq"),
        RequestDocument::Activity => named!("activity"),
        RequestDocument::AcceptorChange => named!("acceptor_change"),
        RequestDocument::PublisherClosing => named!("publisher_closing"),
        RequestDocument::AccountCancel => named!("account_cancel"),
        RequestDocument::LoginPasswordReset => named!("login_password_reset"),
        RequestDocument::OperatedAccount => named!("operated_account"),
        RequestDocument::PublicLog => named!("public_log"),
    }
}
