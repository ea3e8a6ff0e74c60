//! The rules of each kind of request: who may make it, and its names in the audit.
//! Approving always needs the permission for money, because every kind can cost
//! money.

use auth::Permission;
use wallet::{Document, RequestKind};

/// What an operator's role must allow who asks for it.
pub(super) const fn asked_with(kind: RequestKind) -> Permission {
    match kind {
        RequestKind::Recharge
        | RequestKind::Chargeback
        | RequestKind::PromotionGrant
        | RequestKind::PromotionRevoke
        | RequestKind::StartupAdvance
        | RequestKind::AdvertiserFund => Permission::Money,
        RequestKind::ProductTerms
        | RequestKind::AdvertiserKey
        | RequestKind::AdvertiserCap
        | RequestKind::AcceptorTerms
        | RequestKind::CouponTerms
        | RequestKind::CouponGrant => Permission::Catalogue,
        RequestKind::PayPasswordReset => Permission::Accounts,
    }
}

/// How the audit names what is done with a request.
pub(super) struct Actions {
    pub request: &'static str,
    pub approve: &'static str,
    pub reject: &'static str,
    pub expire: &'static str,
}

pub(super) const fn actions(kind: RequestKind) -> Actions {
    macro_rules! named {
        ($name:literal) => {
            Actions {
                request: concat!($name, ".request"),
                approve: concat!($name, ".approve"),
                reject: concat!($name, ".reject"),
                expire: concat!($name, ".expire"),
            }
        };
    }
    match kind.document() {
        Document::Recharge => named!("recharge"),
        Document::Chargeback => named!("chargeback"),
        Document::Promotion => named!("promotion"),
        Document::StartupAdvance => named!("startup_advance"),
        Document::AdvertiserFund => named!("advertiser_fund"),
        Document::ProductTerms => named!("product_terms"),
        Document::PayPasswordReset => named!("pay_password_reset"),
        Document::AcceptorTerms => named!("acceptor_terms"),
        Document::CouponTerms => named!("coupon_terms"),
        Document::CouponGrant => named!("coupon_grant"),
        Document::AdvertiserKey => named!("advertiser_key"),
        Document::AdvertiserCap => named!("advertiser_cap"),
    }
}
