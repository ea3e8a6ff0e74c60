//! Looks up and lists plans, without a lock.

use std::collections::HashMap;

use base::{AdvertiserId, Money, PlanId, Timestamp, UserId};
use diesel::prelude::*;
use plans::{Cause, Pricing, Status};

use super::PlanRow;
use crate::plans::product::ProductRow;
use crate::schema::{holds, plan_transitions, plans as table, products, users};
use crate::{Conn, Error, Page, PageRequest};
use db::bulk::{Statement, ascending};
use db::{NumberedQuery, One, row, statement};

/// A plan's user and advertiser, without a lock: they never change.
pub fn owner(conn: &mut Conn, id: PlanId) -> Result<Option<(UserId, AdvertiserId)>, Error> {
    Ok(table::table.find(id).select((table::user_id, table::advertiser_id)).first(conn).optional()?)
}

row! {
    struct OwnerRow {
        id: PlanId,
        user_id: UserId,
    }
}

statement!(OWNERS, each: "SELECT id, user_id FROM plans WHERE id = ANY(?)");

/// The plans' users, without a lock: they never change.
pub fn owners(conn: &mut Conn, ids: impl IntoIterator<Item = PlanId>) -> Result<HashMap<PlanId, UserId>, Error> {
    let rows: Vec<OwnerRow> = OWNERS.load(conn, &[ascending(ids).into()])?;
    Ok(rows.into_iter().map(|row| (row.id, row.user_id)).collect())
}

/// A user's own plan with its product; somebody else's is not found.
pub fn find(conn: &mut Conn, user: UserId, id: PlanId) -> Result<Option<(PlanRow, ProductRow)>, Error> {
    Ok(table::table
        .inner_join(products::table)
        .filter(table::id.eq(id))
        .filter(table::user_id.eq(user))
        .select((PlanRow::as_select(), ProductRow::as_select()))
        .first(conn)
        .optional()?)
}

statement!(
    FIND_OWN,
    each: &format!(
        "SELECT {} FROM unnest(?, ?) AS n(id, us) JOIN plans p ON p.id = n.id AND p.user_id = n.us",
        PlanRow::columns("p.")
    ),
);

/// Users' own plans; somebody else's is not found.
pub fn find_own(conn: &mut Conn, plans: impl IntoIterator<Item = (PlanId, UserId)>) -> Result<Vec<PlanRow>, Error> {
    let (ids, users): (Vec<i64>, Vec<i64>) = plans.into_iter().map(|(plan, user)| (plan.0, user.0)).unzip();
    FIND_OWN.load(conn, &[ids.into(), users.into()])
}

/// A plan as the user knows it.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct PlanName {
    pub id: PlanId,
    pub plan_no: String,
    pub product: String,
    pub pricing: Pricing,
}

/// The names of the user's plans among these.
pub fn names(conn: &mut Conn, user: UserId, ids: &[PlanId]) -> Result<Vec<PlanName>, Error> {
    Ok(table::table
        .inner_join(products::table)
        .filter(table::id.eq_any(ids).and(table::user_id.eq(user)))
        .select((table::id, table::plan_no, products::name, table::pricing))
        .load(conn)?)
}

/// The ids of the user's plans with these numbers.
pub fn ids_of(
    conn: &mut Conn,
    user: UserId,
    numbers: impl IntoIterator<Item = String>,
) -> Result<HashMap<String, PlanId>, Error> {
    let numbers: Vec<String> = numbers.into_iter().collect();
    let own = table::plan_no.eq_any(numbers).and(table::user_id.eq(user));
    let rows: Vec<(String, PlanId)> = table::table.filter(own).select((table::plan_no, table::id)).load(conn)?;
    Ok(rows.into_iter().collect())
}

pub fn find_by_number(conn: &mut Conn, plan_no: &str) -> Result<Option<(PlanRow, ProductRow)>, Error> {
    Ok(table::table
        .inner_join(products::table)
        .filter(table::plan_no.eq(plan_no))
        .select((PlanRow::as_select(), ProductRow::as_select()))
        .first(conn)
        .optional()?)
}

/// Which plans to list; `None` means any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlanFilter {
    pub user: Option<UserId>,
    pub status: Option<Status>,
}

/// A plan with its product and its user's name.
pub type NamedPlan = (PlanRow, ProductRow, String);

/// Everybody's, newest first, for operators.
pub fn page_of_all(conn: &mut Conn, wanted: PlanFilter, request: PageRequest) -> Result<Page<NamedPlan>, Error> {
    let mut query = table::table
        .inner_join(products::table)
        .inner_join(users::table)
        .filter(table::id.lt(request.below()))
        .order(table::id.desc())
        .limit(request.fetch())
        .select((PlanRow::as_select(), ProductRow::as_select(), users::username))
        .into_boxed();
    if let Some(user) = wanted.user {
        query = query.filter(table::user_id.eq(user));
    }
    if let Some(status) = wanted.status {
        query = query.filter(table::status.eq(status));
    }
    Ok(Page::cut(query.load(conn)?, request, |(plan, _, _)| plan.id.0))
}

/// Whether one of the user's plans runs, or has run and is not settled yet.
pub fn has_under_way(conn: &mut Conn, user: UserId) -> Result<bool, Error> {
    let found = table::table.filter(table::user_id.eq(user).and(table::status.eq_any(Status::under_way())));
    Ok(diesel::select(diesel::dsl::exists(found)).get_result(conn)?)
}

/// The user's unfinished plans, by status and then newest first, with their products'
/// names.
pub fn under_way(conn: &mut Conn, user: UserId, request: PageRequest) -> Result<Vec<(PlanRow, String)>, Error> {
    let ids: Vec<PlanId> =
        open_ids(user, request.limit).load(conn)?.into_iter().map(|found: One<PlanId>| found.0).collect();
    Ok(table::table
        .inner_join(products::table)
        .filter(table::id.eq_any(ids))
        .order((table::status, table::id.desc()))
        .select((PlanRow::as_select(), products::name))
        .load(conn)?)
}

/// A query for each status, each through the index. A user may have a million settled plans, and PostgreSQL would read
/// all of them to sort across statuses.
fn open_ids(user: UserId, limit: i64) -> NumberedQuery {
    let mut query = NumberedQuery::new("SELECT id FROM (");
    let open = Status::ALL.iter().filter(|status| !status.is_final());
    for (n, status) in open.enumerate() {
        query = query
            .and(if n == 0 { "" } else { " UNION ALL " })
            .and("SELECT * FROM (SELECT id, status FROM plans WHERE user_id = ? AND status = ? ORDER BY id DESC LIMIT ?) s")
            .bind(user.0)
            .bind(status.code().into())
            .bind(limit);
    }
    query.and(") found ORDER BY status, id DESC LIMIT ?").bind(limit)
}

/// The user's plans that still hold the user's own money, and how much, newest first.
pub fn holding(conn: &mut Conn, user: UserId, request: PageRequest) -> Result<Vec<(PlanRow, Money)>, Error> {
    Ok(holds::table
        .inner_join(table::table.on(table::id.eq(holds::plan_id)))
        .filter(holds::user_id.eq(user).and(holds::available.gt(0)))
        .order(table::id.desc())
        .limit(request.limit)
        .select((PlanRow::as_select(), holds::available))
        .load(conn)?)
}

pub fn count_waiting(conn: &mut Conn, user: UserId) -> Result<i64, Error> {
    Ok(table::table
        .filter(table::user_id.eq(user))
        .filter(table::status.eq(Status::WaitingToPut))
        .count()
        .get_result(conn)?)
}

/// Every step so far: status, cause, time.
pub fn timeline(conn: &mut Conn, id: PlanId) -> Result<Vec<(Status, Cause, Timestamp)>, Error> {
    Ok(plan_transitions::table
        .filter(plan_transitions::plan_id.eq(id))
        .order(plan_transitions::id)
        .limit(100)
        .select((plan_transitions::status, plan_transitions::reason, plan_transitions::at))
        .load(conn)?)
}

/// Plans in order of id, above one, for going through all of them.
pub fn after(conn: &mut Conn, above: i64, limit: i64) -> Result<Vec<PlanRow>, Error> {
    Ok(table::table
        .filter(table::id.gt(above))
        .order(table::id)
        .limit(limit)
        .select(PlanRow::as_select())
        .load(conn)?)
}

/// Plans with a step that may be due, longest overdue first.
pub fn find_due(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<Vec<PlanId>, Error> {
    let due = table::table.filter(table::next_at.le(now)).order(table::next_at).limit(limit);
    Ok(due.select(table::id).load(conn)?)
}
