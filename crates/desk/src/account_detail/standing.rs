//! The account's status and its history.

use auth::AccountStatus;
use base::{Money, Timestamp};
use foundation::Error;
use foundation::people::staff_accounts::STATUS_CHANGED;
use money::offers::levels;
use serde::Serialize;
use store::Conn;
use store::people::users::User;
use store::staff::audit;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AccountStatusView {
    /// `active`, `not_activated`, `disabled` or `cancelled`.
    pub status: AccountStatus,
    /// Since when; the day of registration if it never changed, and null if the user
    /// closed the account.
    pub since: Option<Timestamp>,
    /// The operator who set it.
    pub by: Option<String>,
    pub reason: String,
    pub registered_at: Timestamp,
}

impl AccountStatusView {
    pub(super) fn of(conn: &mut Conn, user: &User) -> Result<Self, Error> {
        let changed = audit::last_of(conn, &format!("user:{}", user.id), STATUS_CHANGED)?;
        // There is no such record if the user closed the account.
        let changed = changed.filter(|record| record.reason == user.status_reason);
        let untouched = user.status_reason.is_empty();
        Ok(Self {
            status: user.status,
            since: changed.as_ref().map(|record| record.at).or(untouched.then_some(user.created_at)),
            by: changed.map(|record| record.operator_name),
            reason: user.status_reason.clone(),
            registered_at: user.created_at,
        })
    }
}

/// The shop's level, the credit score and VIP.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ranks {
    pub level: i32,
    pub name: String,
    pub credit_score: i32,
    /// The user's own money that settled plans have spent, which determines the level.
    pub spent: Money,
    pub vip: bool,
    pub vip_until: Option<Timestamp>,
}

impl Ranks {
    pub(super) fn of(user: &User, now: Timestamp) -> Self {
        Self {
            level: user.level,
            name: levels::name(i18n::Lang::En, user.level),
            credit_score: user.credit_score,
            spent: user.settled_spend,
            vip: user.is_vip(now),
            vip_until: user.vip_until,
        }
    }
}
