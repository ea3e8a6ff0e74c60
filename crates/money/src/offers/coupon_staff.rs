//! Defining and listing coupons, for staff.

use auth::{Looks, Permission};
use base::{CouponDefinitionId, Field, Money, Rate, Timestamp};
use content::is_key;
use coupons::{Benefit, Definition, Effect, Kind, Validity};
use foundation::staff::requests::RequestView;
use foundation::staff::{Changes, Staff};
use foundation::{App, Error, Fields};
use plans::operated::normalise;
use serde::{Deserialize, Serialize};
use store::offers::coupons::{self as rows, StoredDefinition};
use store::{Conn, Page, PageRequest};

use crate::offers::coupon_terms::{self, CouponTerms};

/// A coupon in a TOML or JSON file by staff.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CouponFile {
    pub name: String,
    /// fixed_amount, value_add, deduction, team or custom.
    pub kind: String,
    /// discount, deduction or addition; not needed if the kind implies it.
    pub effect: Option<String>,
    /// A rate such as "0.10" for a discount, otherwise money.
    pub value: String,
    /// The most that a discount takes off.
    pub max_value: Option<String>,
    pub min_amount: Option<String>,
    /// The number of days after it is received; either this or `ends`.
    pub days: Option<i64>,
    /// A time, RFC 3339.
    pub ends: Option<String>,
    pub operated_id: Option<String>,
    /// The activity in which users claim it.
    pub activity: Option<String>,
    /// The most that may be given out, including claims.
    pub quantity: i64,
}

/// A definition as staff see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DefinitionView {
    pub id: CouponDefinitionId,
    pub name: String,
    /// `draft` until a second person has approved its terms, then `offered`, or
    /// `exhausted` if no more are given.
    pub status: &'static str,
    #[serde(flatten)]
    pub(crate) terms: CouponTerms,
    /// How many were given to users.
    pub given: i64,
    pub created_at: Timestamp,
}

impl From<StoredDefinition> for DefinitionView {
    fn from(defined: StoredDefinition) -> Self {
        let status = match (defined.draft, defined.is_left()) {
            (true, _) => "draft",
            (false, true) => "offered",
            (false, false) => "exhausted",
        };
        Self {
            id: defined.id,
            status,
            terms: CouponTerms::of(&defined.definition),
            given: defined.given,
            created_at: defined.created_at,
            name: defined.definition.name,
        }
    }
}

impl CouponFile {
    /// Checks every field; the error names the wrong ones.
    pub fn check(&self, now: Timestamp) -> Result<Definition, Error> {
        let mut wrong = Fields::new();
        let kind = Kind::from_name(&self.kind);
        let effect = match (&self.effect, kind) {
            (Some(name), _) => Effect::from_name(name),
            (None, Some(kind)) => kind.only_effect(),
            (None, None) => None,
        };
        let benefit = effect.and_then(|effect| self.benefit(effect, &mut wrong));
        let min_amount = self.min_amount.as_deref().unwrap_or("0").parse::<Money>();
        let validity = match (self.days, &self.ends) {
            (Some(days), None) => Some(Validity::Days(days)),
            (None, Some(end)) => Timestamp::parse(end).map(Validity::Until),
            _ => None,
        };
        let operated_id = self.operated_id.as_deref().map(normalise);
        for (field, problem, is_wrong) in [
            (Field::Kind, "invalid", kind.is_none()),
            (Field::Effect, "invalid", effect.is_none() && (kind.is_some() || self.effect.is_some())),
            (Field::MinAmount, "invalid_amount", min_amount.is_err()),
            (Field::Days, "required", self.days.is_none() && self.ends.is_none()),
            (Field::Ends, "invalid", validity.is_none() && self.ends.is_some()),
            (Field::OperatedId, "invalid", operated_id == Some(None)),
            (Field::Activity, "invalid", self.activity.as_deref().is_some_and(|key| !is_key(key))),
        ] {
            if is_wrong {
                wrong.insert(field, problem);
            }
        }
        let (Some(kind), Some(benefit), Ok(min_amount), Some(validity)) = (kind, benefit, min_amount, validity) else {
            return Err(Error::Fields(wrong));
        };
        let (name, operated_id) = (self.name.trim().to_owned(), operated_id.flatten());
        let (activity, quantity) = (self.activity.clone(), self.quantity);
        let definition = Definition { name, kind, benefit, min_amount, validity, operated_id, activity, quantity };
        wrong.extend(definition.problems(now).into_iter().map(|p| (p.field, p.problem)));
        if wrong.is_empty() { Ok(definition) } else { Err(Error::Fields(wrong)) }
    }

    fn benefit(&self, effect: Effect, wrong: &mut Fields) -> Option<Benefit> {
        let value = self.value.parse::<Money>();
        let cap = self.max_value.as_deref().map(str::parse::<Money>).transpose();
        if cap.is_err() || (effect != Effect::Discount && self.max_value.is_some()) {
            wrong.insert(Field::MaxValue, "invalid");
        }
        let benefit = match (effect, value) {
            (Effect::Discount, _) => {
                let rate: Option<Rate> = self.value.parse().ok();
                // Shown and stored in hundredths.
                let rate = rate.filter(|rate| rate.decimal().scale() <= 2);
                rate.map(|rate| Benefit::Discount { rate, cap: cap.ok().flatten() })
            }
            (Effect::Deduction, Ok(value)) => Some(Benefit::Deduction(value)),
            (Effect::Addition, Ok(value)) => Some(Benefit::Addition(value)),
            (_, Err(_)) => None,
        };
        if benefit.is_none() {
            wrong.insert(Field::Value, "invalid");
        }
        benefit
    }
}

/// A new definition, and the request for its terms.
#[derive(Clone, Debug, Serialize)]
pub struct DefinedCoupon {
    #[serde(flatten)]
    pub request: RequestView,
    pub coupon: DefinitionView,
}

/// Inserts a draft and requests its terms; it can be given once another operator has
/// approved them.
///
/// # Errors
/// All wrong fields, `name` also for one that looks like another's; `not_permitted`, `limit_exceeded`,
/// `amount_out_of_range`.
pub async fn define_coupon(app: &App, by: &Staff, file: &CouponFile) -> Result<DefinedCoupon, Error> {
    by.may(Permission::Catalogue)?;
    let definition = file.check(app.now())?;
    Error::field_if(definition.lacks_cap(None), Field::MaxValue, "required")?;
    let by = by.clone();
    app.db
        .write(move |tx| {
            // Of two at once that look alike, the second sees the first.
            store::installation::content::lock(tx)?;
            Error::field_if(rows::find_definition_by_name(tx, &definition.name)?.is_some(), Field::Name, "taken")?;
            Error::field_if(looks(tx)?.find(&definition.name).is_some(), Field::Name, "looks_like_another")?;
            let defined = rows::define(tx, &definition)?;
            let request = coupon_terms::ask(tx, &by, &defined, &definition)?;
            let request = request.ok_or_else(|| Error::Internal("a draft has terms already".to_owned()))?;
            let (subject, coupon) = (format!("coupon_definition:{}", defined.id), DefinitionView::from(defined));
            by.record(tx, "coupon.define", subject, &Changes::made(&coupon).details())?;
            Ok(DefinedCoupon { request, coupon })
        })
        .await
}

/// How the names of all coupons look, to compare new ones with. Staff read them to users on the telephone, and approve
/// grants by them.
pub fn looks(conn: &mut Conn) -> Result<Looks, Error> {
    Ok(rows::names(conn)?.into_iter().collect())
}

/// Newest first.
pub async fn coupon_definitions(app: &App, page: PageRequest) -> Result<Page<DefinitionView>, Error> {
    Ok(app.db.read(move |conn| rows::definitions(conn, page)).await?.map(DefinitionView::from))
}
