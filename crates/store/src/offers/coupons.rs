//! Coupons: staff's definitions, and users' coupons.

mod uses;

use base::{CouponDefinitionId, CouponId, Money, Period, PlanId, Rate, Timestamp, UserId};
use coupons::{Benefit, Coupon, Definition, Effect, Kind, State, Validity};
use diesel::prelude::*;

use crate::schema::{coupon_definitions as definitions, coupons as table};
use crate::{Conn, Error, Page, PageRequest, Tx, will_change};

pub use uses::{CouponUse, Redemption, find_uses, give_back, redeem_all};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredDefinition {
    pub id: CouponDefinitionId,
    pub definition: Definition,
    /// Nobody has approved its terms yet.
    pub draft: bool,
    /// How many were given to users.
    pub given: i64,
    pub created_at: Timestamp,
}

impl StoredDefinition {
    /// Whether another coupon may be given out.
    pub const fn is_left(&self) -> bool {
        !self.draft && self.given < self.definition.quantity
    }
}

/// A user's coupon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserCoupon {
    pub id: CouponId,
    pub user: UserId,
    pub defined: StoredDefinition,
    pub received_at: Timestamp,
    pub expires_at: Timestamp,
    pub used_at: Option<Timestamp>,
    pub plan: Option<PlanId>,
}

impl UserCoupon {
    /// The part that decides how it can be used.
    pub fn coupon(&self) -> Coupon<'_> {
        Coupon {
            benefit: self.defined.definition.benefit,
            min_amount: self.defined.definition.min_amount,
            team: self.defined.definition.operated_id.as_deref(),
            expires_at: self.expires_at,
            used: self.used_at.is_some(),
        }
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = definitions)]
pub(crate) struct DefinitionRow {
    id: CouponDefinitionId,
    name: String,
    kind: Kind,
    effect: Effect,
    rate: Option<Rate>,
    amount: Option<Money>,
    max_value: Option<Money>,
    min_amount: Money,
    days: Option<i32>,
    ends_at: Option<Timestamp>,
    operated_id: Option<String>,
    activity: Option<String>,
    created_at: Timestamp,
    draft: bool,
    quantity: i64,
    given: i64,
}

impl DefinitionRow {
    fn benefit(&self) -> Result<Benefit, Error> {
        let (rate, value) = (self.rate, self.amount);
        let benefit = match self.effect {
            Effect::Discount => {
                rate.filter(|_| value.is_none()).map(|rate| Benefit::Discount { rate, cap: self.max_value })
            }
            Effect::Deduction => value.filter(|_| rate.is_none()).map(Benefit::Deduction),
            Effect::Addition => value.filter(|_| rate.is_none()).map(Benefit::Addition),
        };
        benefit.ok_or_else(|| Error::Corrupt(format!("coupon definition {} gives nothing", self.id)))
    }

    fn validity(&self) -> Result<Validity, Error> {
        match (self.days, self.ends_at) {
            (Some(days), None) => Ok(Validity::Days(days.into())),
            (None, Some(end)) => Ok(Validity::Until(end)),
            _ => Err(Error::Corrupt(format!("coupon definition {} has no end", self.id))),
        }
    }
}

impl TryFrom<DefinitionRow> for StoredDefinition {
    type Error = Error;

    fn try_from(row: DefinitionRow) -> Result<Self, Error> {
        let (benefit, validity) = (row.benefit()?, row.validity()?);
        let DefinitionRow { id, name, kind, min_amount, operated_id, activity, created_at, draft, .. } = row;
        let (quantity, given) = (row.quantity, row.given);
        let definition = Definition { name, kind, benefit, min_amount, validity, operated_id, activity, quantity };
        Ok(Self { id, definition, draft, given, created_at })
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = table)]
struct Row {
    id: CouponId,
    user_id: UserId,
    received_at: Timestamp,
    expires_at: Timestamp,
    used_at: Option<Timestamp>,
    plan_id: Option<PlanId>,
}

type Joined = (Row, DefinitionRow);

fn held((row, definition): Joined) -> Result<UserCoupon, Error> {
    let Row { id, user_id: user, received_at, expires_at, used_at, plan_id: plan } = row;
    Ok(UserCoupon { id, user, defined: definition.try_into()?, received_at, expires_at, used_at, plan })
}

/// The columns of a definition that staff set.
#[derive(Insertable, AsChangeset)]
#[diesel(table_name = definitions, treat_none_as_null = true)]
struct Defining<'a> {
    name: &'a str,
    kind: Kind,
    effect: Effect,
    rate: Option<String>,
    amount: Option<Money>,
    max_value: Option<Money>,
    min_amount: Money,
    days: Option<i32>,
    ends_at: Option<Timestamp>,
    operated_id: Option<&'a str>,
    activity: Option<&'a str>,
    quantity: i64,
    draft: bool,
}

impl<'a> Defining<'a> {
    fn new(definition: &'a Definition, draft: bool) -> Self {
        let (rate, amount, cap) = match definition.benefit {
            Benefit::Discount { rate, cap } => (Some(rate.to_string()), None, cap),
            Benefit::Deduction(value) | Benefit::Addition(value) => (None, Some(value), None),
        };
        let (days, ends_at) = match definition.validity {
            Validity::Days(days) => (i32::try_from(days).ok(), None),
            Validity::Until(end) => (None, Some(end)),
        };
        Self {
            name: &definition.name,
            kind: definition.kind,
            effect: definition.effect(),
            rate,
            amount,
            max_value: cap,
            min_amount: definition.min_amount,
            days,
            ends_at,
            operated_id: definition.operated_id.as_deref(),
            activity: definition.activity.as_deref(),
            quantity: definition.quantity,
            draft,
        }
    }
}

/// Changes a definition, approved or still a draft. Users' coupons read their definition,
/// so the terms of one that was given out must not change.
pub fn redefine(tx: &mut Tx<'_>, id: CouponDefinitionId, definition: &Definition, draft: bool) -> Result<(), Error> {
    will_change(tx, "coupon_definitions", [id.0])?;
    tx.run(diesel::update(definitions::table.find(id)).set(Defining::new(definition, draft)))
}

/// Prevents others from changing a definition or giving out its coupons until the
/// transaction ends.
pub fn lock_definition(tx: &mut Tx<'_>, id: CouponDefinitionId) -> Result<(), Error> {
    tx.run(diesel::update(definitions::table.find(id)).set(definitions::name.eq(definitions::name)))
}

/// The definitions with these names.
pub fn find_definitions(conn: &mut Conn, names: &[String]) -> Result<Vec<StoredDefinition>, Error> {
    let named = definitions::table.filter(definitions::name.eq_any(names));
    let rows: Vec<DefinitionRow> = named.select(DefinitionRow::as_select()).load(conn)?;
    rows.into_iter().map(StoredDefinition::try_from).collect()
}

/// The definitions with these names, locked against changes and gifts until the transaction ends. Locking several
/// at once requires the lock on all content.
pub fn lock_named(tx: &mut Tx<'_>, names: &[String]) -> Result<Vec<StoredDefinition>, Error> {
    let named = definitions::table.filter(definitions::name.eq_any(names));
    tx.run(diesel::update(named).set(definitions::name.eq(definitions::name)))?;
    find_definitions(tx, names)
}

/// Inserts a definition as a draft.
///
/// # Errors
/// A unique violation if the name is taken; the transaction cannot continue after it.
pub fn define(tx: &mut Tx<'_>, definition: &Definition) -> Result<StoredDefinition, Error> {
    let row: DefinitionRow = diesel::insert_into(definitions::table)
        .values((Defining::new(definition, true), definitions::created_at.eq(tx.now())))
        .returning(definitions::all_columns)
        .get_result(tx.conn())?;
    tx.notes().vouches("coupon_definitions", row.id.0);
    row.try_into()
}

pub fn find_definition(conn: &mut Conn, id: CouponDefinitionId) -> Result<Option<StoredDefinition>, Error> {
    let row: Option<DefinitionRow> =
        definitions::table.find(id).select(DefinitionRow::as_select()).first(conn).optional()?;
    row.map(StoredDefinition::try_from).transpose()
}

pub fn find_definition_by_name(conn: &mut Conn, name: &str) -> Result<Option<StoredDefinition>, Error> {
    let found = definitions::table.filter(definitions::name.eq(name));
    let row: Option<DefinitionRow> = found.select(DefinitionRow::as_select()).first(conn).optional()?;
    row.map(StoredDefinition::try_from).transpose()
}

/// The names of all definitions; there are few.
pub fn names(conn: &mut Conn) -> Result<Vec<String>, Error> {
    Ok(definitions::table.select(definitions::name).load(conn)?)
}

/// The definition to claim in an activity: the one approved last.
pub fn of_activity(conn: &mut Conn, activity: &str) -> Result<Option<StoredDefinition>, Error> {
    let agreed = definitions::table.filter(definitions::activity.eq(activity).and(definitions::draft.eq(false)));
    let found = agreed.order(definitions::id.desc());
    let row: Option<DefinitionRow> = found.select(DefinitionRow::as_select()).first(conn).optional()?;
    row.map(StoredDefinition::try_from).transpose()
}

/// Newest first.
pub fn definitions(conn: &mut Conn, request: PageRequest) -> Result<Page<StoredDefinition>, Error> {
    let rows: Vec<DefinitionRow> = definitions::table
        .filter(definitions::id.lt(request.below()))
        .order(definitions::id.desc())
        .limit(request.fetch())
        .select(DefinitionRow::as_select())
        .load(conn)?;
    let found = rows.into_iter().map(StoredDefinition::try_from).collect::<Result<_, _>>()?;
    Ok(Page::cut(found, request, |defined: &StoredDefinition| defined.id.0))
}

/// Gives a user a coupon; `None` if none is left. The caller has locked the user's
/// wallet, so that two calls at once cannot both be the first. The statement itself
/// checks that one is left, and locks the definition.
pub fn give(
    tx: &mut Tx<'_>,
    user: UserId,
    defined: &StoredDefinition,
    activity: Option<&str>,
    expires_at: Timestamp,
) -> Result<Option<CouponId>, Error> {
    let left = definitions::draft.eq(false).and(definitions::given.lt(definitions::quantity));
    let one = definitions::table.filter(definitions::id.eq(defined.id).and(left));
    if diesel::update(one).set(definitions::given.eq(definitions::given + 1)).execute(tx.conn())? == 0 {
        return Ok(None);
    }
    let id: CouponId = diesel::insert_into(table::table)
        .values((
            table::user_id.eq(user),
            table::definition_id.eq(defined.id),
            table::activity.eq(activity),
            table::received_at.eq(tx.now()),
            table::expires_at.eq(expires_at),
        ))
        .returning(table::id)
        .get_result(tx.conn())?;
    tx.notes().vouches("coupons", id.0);
    // How many may be given, and for what.
    tx.notes().relies("coupon_definitions", defined.id.0);
    Ok(Some(id))
}

/// A user's own coupon; somebody else's is not found.
pub fn find(conn: &mut Conn, user: UserId, id: CouponId) -> Result<Option<UserCoupon>, Error> {
    let found: Option<Joined> = table::table
        .inner_join(definitions::table)
        .filter(table::id.eq(id).and(table::user_id.eq(user)))
        .select((Row::as_select(), DefinitionRow::as_select()))
        .first(conn)
        .optional()?;
    found.map(held).transpose()
}

/// The coupon that the user claimed in an activity.
pub fn find_claimed(conn: &mut Conn, user: UserId, activity: &str) -> Result<Option<UserCoupon>, Error> {
    let found: Option<Joined> = table::table
        .inner_join(definitions::table)
        .filter(table::user_id.eq(user).and(table::activity.eq(activity)))
        .select((Row::as_select(), DefinitionRow::as_select()))
        .first(conn)
        .optional()?;
    found.map(held).transpose()
}

/// The coupons that the user claimed in activities, with their keys.
pub fn find_all_claimed(conn: &mut Conn, user: UserId) -> Result<Vec<(String, UserCoupon)>, Error> {
    let rows: Vec<(Option<String>, Row, DefinitionRow)> = table::table
        .inner_join(definitions::table)
        .filter(table::user_id.eq(user).and(table::activity.is_not_null()))
        .order(table::id)
        .limit(crate::installation::content::AT_MOST)
        .select((table::activity, Row::as_select(), DefinitionRow::as_select()))
        .load(conn)?;
    let claimed = |(activity, row, definition): (Option<String>, Row, DefinitionRow)| {
        Ok((activity.unwrap_or_default(), held((row, definition))?))
    };
    rows.into_iter().map(claimed).collect()
}

/// The existing coupons with these ids.
pub fn by_ids(conn: &mut Conn, ids: Vec<i64>) -> Result<Vec<UserCoupon>, Error> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<Joined> = table::table
        .inner_join(definitions::table)
        .filter(table::id.eq_any(ids))
        .select((Row::as_select(), DefinitionRow::as_select()))
        .load(conn)?;
    rows.into_iter().map(held).collect()
}

/// A user's coupons, newest first, of one state if given.
pub fn page(
    conn: &mut Conn,
    user: UserId,
    state: Option<State>,
    now: Timestamp,
    request: PageRequest,
) -> Result<Page<UserCoupon>, Error> {
    let mut query = table::table
        .inner_join(definitions::table)
        .filter(table::user_id.eq(user).and(table::id.lt(request.below())))
        .order(table::id.desc())
        .limit(request.fetch())
        .select((Row::as_select(), DefinitionRow::as_select()))
        .into_boxed();
    query = match state {
        None => query,
        Some(State::Used) => query.filter(table::used_at.is_not_null()),
        Some(State::Unused) => query.filter(table::used_at.is_null().and(table::expires_at.gt(now))),
        Some(State::Expired) => query.filter(table::used_at.is_null().and(table::expires_at.le(now))),
    };
    let found = query.load::<Joined>(conn)?.into_iter().map(held).collect::<Result<_, _>>()?;
    Ok(Page::cut(found, request, |coupon: &UserCoupon| coupon.id.0))
}

/// Whether the user has a coupon that can still be used.
pub fn has_unused(conn: &mut Conn, user: UserId, now: Timestamp) -> Result<bool, Error> {
    let unused =
        table::table.filter(table::user_id.eq(user)).filter(table::used_at.is_null().and(table::expires_at.gt(now)));
    Ok(diesel::select(diesel::dsl::exists(unused)).get_result(conn)?)
}

/// Whether the user received a coupon of this definition in this period.
pub fn has_received_within(
    conn: &mut Conn,
    user: UserId,
    definition: CouponDefinitionId,
    period: Period,
) -> Result<bool, Error> {
    let found =
        of_user(user, definition).filter(table::received_at.ge(period.from).and(table::received_at.lt(period.until)));
    Ok(diesel::select(diesel::dsl::exists(found)).get_result(conn)?)
}

#[diesel::dsl::auto_type]
fn of_user(user: UserId, definition: CouponDefinitionId) -> _ {
    table::table.filter(table::user_id.eq(user)).filter(table::definition_id.eq(definition))
}
