//! What staff do with coupons: defining them and giving them to users.

use auth::Permission;
use base::{CouponDefinitionId, Money, Rate, Timestamp};
use coupons::{Definition, Effect, Gives, Kind, Validity};
use serde::{Deserialize, Serialize};
use store::books::Books;
use store::coupons::{self as rows, Defined};
use store::{Conn, Page, PageRequest, Realm};

use crate::accounts::find_account;
use crate::activities::ACTIVITIES;
use crate::coupon_views::{CouponView, worth};
use crate::notifications::{Category, notify};
use crate::operated::normalise;
use crate::staff::{Changes, Staff};
use crate::zone::Zone;
use crate::{App, Error, Fields, Refusal};

/// A coupon as staff write it down in a TOML or JSON file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CouponFile {
    pub name: String,
    /// fixed_amount, value_add, deduction, team or custom.
    pub kind: String,
    /// discount, deduction or addition; what the kind says where it says one.
    #[serde(default)]
    pub effect: Option<String>,
    /// A rate such as "0.10" for a discount, otherwise money.
    pub value: String,
    #[serde(default)]
    pub max_value: Option<String>,
    #[serde(default)]
    pub min_amount: Option<String>,
    /// So many days from when it is received; either this or `ends`.
    #[serde(default)]
    pub days: Option<i64>,
    /// A moment, RFC 3339.
    #[serde(default)]
    pub ends: Option<String>,
    #[serde(default)]
    pub operated_id: Option<String>,
    /// The activity in which users claim it.
    #[serde(default)]
    pub activity: Option<String>,
}

/// What staff defined, as they see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DefinitionView {
    pub id: String,
    pub name: String,
    pub kind: String,
    pub effect: String,
    pub value: String,
    pub max_value: Option<String>,
    pub min_amount: String,
    pub days: Option<i64>,
    pub ends: Option<String>,
    pub operated_id: Option<String>,
    pub activity: Option<String>,
    pub created_at: String,
}

impl From<Defined> for DefinitionView {
    fn from(defined: Defined) -> Self {
        let definition = defined.definition;
        let (value, max_value) = worth(definition.gives);
        let (days, ends) = match definition.validity {
            Validity::Days(days) => (Some(days), None),
            Validity::Until(end) => (None, Some(end.to_string())),
        };
        Self {
            id: defined.id.to_string(),
            kind: definition.kind.name().to_owned(),
            effect: definition.effect().name().to_owned(),
            value,
            max_value,
            min_amount: definition.min_amount.to_string(),
            days,
            ends,
            operated_id: definition.operated_id,
            activity: defined.activity,
            created_at: defined.created_at.to_string(),
            name: definition.name,
        }
    }
}

impl CouponFile {
    /// Checks every field; the error names the ones that are wrong.
    pub fn check(&self, now: Timestamp) -> Result<Definition, Error> {
        let mut wrong = Fields::new();
        let kind = Kind::from_name(&self.kind);
        let effect = match (&self.effect, kind) {
            (Some(name), _) => Effect::from_name(name),
            (None, Some(kind)) => only_effect(kind),
            (None, None) => None,
        };
        let gives = effect.and_then(|effect| self.gives(effect, &mut wrong));
        let min_amount = self.min_amount.as_deref().unwrap_or("0").parse::<Money>();
        let validity = match (self.days, &self.ends) {
            (Some(days), None) => Some(Validity::Days(days)),
            (None, Some(end)) => Timestamp::parse(end).map(Validity::Until),
            _ => None,
        };
        let operated_id = self.operated_id.as_deref().map(normalise);
        for (field, problem, is_wrong) in [
            ("kind", "invalid", kind.is_none()),
            ("effect", "invalid", effect.is_none() && (kind.is_some() || self.effect.is_some())),
            ("min_amount", "invalid_amount", min_amount.is_err()),
            ("days", "required", self.days.is_none() && self.ends.is_none()),
            ("ends", "invalid", validity.is_none() && self.ends.is_some()),
            ("operated_id", "invalid", operated_id == Some(None)),
            ("activity", "invalid", self.activity.as_deref().is_some_and(|key| !ACTIVITIES.contains(&key))),
        ] {
            if is_wrong {
                wrong.insert(field, problem);
            }
        }
        let (Some(kind), Some(gives), Ok(min_amount), Some(validity)) = (kind, gives, min_amount, validity) else {
            return Err(Error::Fields(wrong));
        };
        let (name, operated_id) = (self.name.trim().to_owned(), operated_id.flatten());
        let definition = Definition { name, kind, gives, min_amount, validity, operated_id };
        wrong.extend(definition.problems(now).into_iter().map(|p| (p.field, p.problem)));
        if wrong.is_empty() { Ok(definition) } else { Err(Error::Fields(wrong)) }
    }

    fn gives(&self, effect: Effect, wrong: &mut Fields) -> Option<Gives> {
        let value = self.value.parse::<Money>();
        let cap = self.max_value.as_deref().map(str::parse::<Money>).transpose();
        if cap.is_err() || (effect != Effect::Discount && self.max_value.is_some()) {
            wrong.insert("max_value", "invalid");
        }
        let gives = match (effect, value) {
            (Effect::Discount, _) => {
                let rate: Option<Rate> = self.value.parse().ok();
                // Shown and kept in hundredths.
                let rate = rate.filter(|rate| rate.decimal().scale() <= 2);
                rate.map(|rate| Gives::Discount { rate, cap: cap.ok().flatten() })
            }
            (Effect::Deduction, Ok(value)) => Some(Gives::Deduction(value)),
            (Effect::Addition, Ok(value)) => Some(Gives::Addition(value)),
            (_, Err(_)) => None,
        };
        if gives.is_none() {
            wrong.insert("value", "invalid");
        }
        gives
    }
}

/// What a kind does where it does one thing only.
fn only_effect(kind: Kind) -> Option<Effect> {
    let mut allowed = Effect::ALL.iter().copied().filter(|effect| kind.allows(*effect));
    allowed.next().filter(|_| allowed.next().is_none())
}

/// # Errors
/// The wrong fields, all at once; `not_permitted`.
pub async fn define_coupon(app: &App, by: &Staff, file: &CouponFile) -> Result<DefinitionView, Error> {
    by.may(Permission::Catalogue)?;
    let definition = file.check(app.now())?;
    let (by, activity) = (by.clone(), file.activity.clone());
    app.db
        .write(move |tx| {
            if rows::find_definition_by_name(tx, &definition.name)?.is_some() {
                return Err(Error::field("name", "taken"));
            }
            let defined = rows::define(tx, &definition, activity.as_deref())?;
            let (subject, view) = (format!("coupon_definition:{}", defined.id), DefinitionView::from(defined));
            by.record(tx, "coupon.define", subject, &Changes::made(&view).details())?;
            Ok(view)
        })
        .await
}

/// Newest first.
pub async fn coupon_definitions(app: &App, page: PageRequest) -> Result<Page<DefinitionView>, Error> {
    Ok(app.db.read(move |conn| rows::definitions(conn, page)).await?.map(DefinitionView::from))
}

/// Gives a user a coupon, by its definition's name or id. A moment of its own
/// at which it expires lies ahead; only a demonstration may look back.
///
/// # Errors
/// `not_permitted`, `not_found`; the field `expires`; `coupon_expired` where its
/// definition has ended; `coupon_daily_limit` where the user was given one of
/// the same name today.
pub async fn grant_coupon(
    app: &App,
    by: &Staff,
    username: &str,
    coupon: &str,
    expires: Option<Timestamp>,
) -> Result<CouponView, Error> {
    by.may(Permission::Catalogue)?;
    if expires.is_some_and(|at| at <= app.now()) && app.realm() == Realm::Live {
        return Err(Error::field("expires", "invalid"));
    }
    let user = find_account(app, username).await?;
    let (by, coupon) = (by.clone(), coupon.trim().to_owned());
    app.db
        .write(move |tx| {
            let now = tx.now();
            Books::lock_user(tx, user)?;
            let defined = named(tx, &coupon)?.ok_or(Refusal::NotFound)?;
            // Staff have no zone that the user would know of.
            if rows::received_within(tx, user, defined.id, Zone::UTC.day_period(now))? {
                return Err(Refusal::CouponDailyLimit.into());
            }
            let expires_at = expires.unwrap_or_else(|| defined.definition.expires_at(now));
            if expires.is_none() && expires_at <= now {
                return Err(Refusal::CouponExpired.into());
            }
            let id = rows::give(tx, user, &defined, None, expires_at)?;
            notify(tx, user, Category::Activity, "coupon_granted", &[("name", &defined.definition.name)])?;
            let held = rows::find(tx, user, id)?.ok_or(Refusal::NotFound)?;
            let view = CouponView::of(&held, now);
            let changes = Changes::made(&view).about("user", user.0);
            by.record(tx, "coupon.grant", format!("coupon:{id}"), &changes.details())?;
            Ok(view)
        })
        .await
}

fn named(conn: &mut Conn, text: &str) -> Result<Option<Defined>, Error> {
    if let Some(found) = rows::find_definition_by_name(conn, text)? {
        return Ok(Some(found));
    }
    match text.parse::<CouponDefinitionId>() {
        Ok(id) => Ok(rows::find_definition(conn, id)?),
        Err(_) => Ok(None),
    }
}
