//! Leases: parts of plans' budgets that one server may promise to creatives
//! without asking again. What is left of a lease counts as reserved, so booked
//! and reserved never exceed the budget, whatever dies; a lease that ended is
//! given back by whoever finds it. A plan's lock covers its leases.

use base::{PlanId, Timestamp};
use diesel::prelude::*;
use diesel::sql_types::BigInt;

use crate::delivery::event::lock_plans;
use crate::engine::bulk::{Statement, ascending, statement};
use crate::schema::leases;
use crate::{Conn, Error, Tx};

#[derive(Clone, Debug, QueryableByName)]
pub struct Lease {
    #[diesel(sql_type = BigInt)]
    pub id: i64,
    #[diesel(sql_type = BigInt)]
    pub plan_id: i64,
    /// In thousandths of a minor unit.
    #[diesel(sql_type = BigInt)]
    pub left_milli: i64,
    #[diesel(sql_type = BigInt)]
    pub ends_at: i64,
}

statement!(
    LOAD,
    postgres: "SELECT id, plan_id, left_milli, ends_at FROM leases WHERE id = ANY(?)",
    sqlite: "SELECT id, plan_id, left_milli, ends_at FROM leases WHERE id = ?",
);

/// Those that still exist. Their plans are locked.
pub fn load(tx: &mut Tx<'_>, ids: impl IntoIterator<Item = i64>) -> Result<Vec<Lease>, Error> {
    LOAD.load(tx, &[ascending(ids).into()])
}

/// A lease to begin, or to lengthen and fill up.
#[derive(Clone, Debug)]
pub struct Granted {
    /// `None` for a new one.
    pub lease: Option<i64>,
    pub plan: PlanId,
    pub holder: String,
    pub add_milli: i64,
    pub ends_at: Timestamp,
}

statement!(
    BEGIN,
    postgres: "INSERT INTO leases (plan_id, holder, left_milli, ends_at) SELECT * FROM unnest(?, ?, ?, ?) \
         RETURNING id, plan_id, left_milli, ends_at",
    sqlite: "INSERT INTO leases (plan_id, holder, left_milli, ends_at) VALUES (?, ?, ?, ?) \
         RETURNING id, plan_id, left_milli, ends_at",
);
statement!(
    LENGTHEN,
    postgres: "UPDATE leases l SET left_milli = l.left_milli + u.a, ends_at = u.e FROM unnest(?, ?, ?) AS u(a, e, id) \
         WHERE l.id = u.id RETURNING l.id, l.plan_id, l.left_milli, l.ends_at",
    sqlite: "UPDATE leases SET left_milli = left_milli + ?, ends_at = ? WHERE id = ? \
         RETURNING id, plan_id, left_milli, ends_at",
);
statement!(
    RESERVE,
    postgres: "UPDATE plans p SET reserved_milli = p.reserved_milli + u.a FROM unnest(?, ?) AS u(a, id) WHERE p.id = u.id",
    sqlite: "UPDATE plans SET reserved_milli = reserved_milli + ? WHERE id = ?",
);

/// Writes what was granted, at most one lease per plan, and answers the leases
/// as they are now. The plans are locked.
pub fn grant(tx: &mut Tx<'_>, granted: &[Granted]) -> Result<Vec<Lease>, Error> {
    let (old, new): (Vec<_>, Vec<_>) = granted.iter().partition(|g| g.lease.is_some());
    let mut leases: Vec<Lease> = BEGIN.load(
        tx,
        &[
            new.iter().map(|g| g.plan.0).collect::<Vec<_>>().into(),
            new.iter().map(|g| g.holder.clone()).collect::<Vec<_>>().into(),
            new.iter().map(|g| g.add_milli).collect::<Vec<_>>().into(),
            new.iter().map(|g| g.ends_at.millis()).collect::<Vec<_>>().into(),
        ],
    )?;
    leases.extend(LENGTHEN.load::<Lease>(
        tx,
        &[
            old.iter().map(|g| g.add_milli).collect::<Vec<_>>().into(),
            old.iter().map(|g| g.ends_at.millis()).collect::<Vec<_>>().into(),
            old.iter().filter_map(|g| g.lease).collect::<Vec<_>>().into(),
        ],
    )?);
    let more: Vec<_> = granted.iter().filter(|g| g.add_milli > 0).collect();
    RESERVE.execute(
        tx,
        &[
            more.iter().map(|g| g.add_milli).collect::<Vec<_>>().into(),
            more.iter().map(|g| g.plan.0).collect::<Vec<_>>().into(),
        ],
    )?;
    Ok(leases)
}

statement!(
    USE,
    postgres: "UPDATE leases l SET left_milli = l.left_milli - u.m FROM unnest(?, ?) AS u(m, id) WHERE l.id = u.id",
    sqlite: "UPDATE leases SET left_milli = left_milli - ? WHERE id = ?",
);

/// Takes booked prices out of leases: amounts in milli, by lease.
pub fn take(tx: &mut Tx<'_>, used: &[(i64, i64)]) -> Result<(), Error> {
    USE.execute(
        tx,
        &[
            used.iter().map(|(_, milli)| *milli).collect::<Vec<_>>().into(),
            used.iter().map(|(lease, _)| *lease).collect::<Vec<_>>().into(),
        ],
    )?;
    Ok(())
}

/// Plans with leases that ended.
pub fn ended(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<Vec<PlanId>, Error> {
    let ids: Vec<i64> = leases::table
        .filter(leases::ends_at.le(now.millis()))
        .order(leases::ends_at)
        .limit(limit)
        .select(leases::plan_id)
        .load(conn)?;
    Ok(ascending(ids).into_iter().map(PlanId).collect())
}

statement!(
    END,
    postgres: "DELETE FROM leases WHERE plan_id = ANY(?) AND ends_at <= (SELECT MAX(t) FROM unnest(?) AS t) \
         RETURNING id, plan_id, left_milli, ends_at",
    sqlite: "DELETE FROM leases WHERE plan_id = ? AND ends_at <= ? RETURNING id, plan_id, left_milli, ends_at",
);

/// Gives what is left of ended leases back to their plans' budgets.
pub fn end_lapsed(tx: &mut Tx<'_>, plans: &[PlanId]) -> Result<(), Error> {
    lock_plans(tx, plans.iter().copied())?;
    let ids = ascending(plans.iter().map(|id| id.0));
    let now = vec![tx.now().millis(); ids.len()];
    let ended = END.load(tx, &[ids.into(), now.into()])?;
    give_back(tx, &ended)
}

statement!(
    DROP,
    postgres: "DELETE FROM leases WHERE id = ANY(?) RETURNING id, plan_id, left_milli, ends_at",
    sqlite: "DELETE FROM leases WHERE id = ? RETURNING id, plan_id, left_milli, ends_at",
);

/// Ends leases, by plan and id, before their time: their holder needs them no more.
pub fn end(tx: &mut Tx<'_>, of: &[(PlanId, i64)]) -> Result<(), Error> {
    lock_plans(tx, of.iter().map(|(plan, _)| *plan))?;
    let ended = DROP.load(tx, &[ascending(of.iter().map(|(_, lease)| *lease)).into()])?;
    give_back(tx, &ended)
}

// A plan whose budget is used is looked at again at once (status 2 is putting).
statement!(
    GIVE_BACK,
    postgres: "UPDATE plans p SET reserved_milli = p.reserved_milli - u.m, next_at = CASE WHEN p.status = 2 \
         AND p.reserved_milli = u.m AND p.booked_milli + p.unit_milli > p.put_amount * 1000 THEN u.t ELSE p.next_at END \
         FROM unnest(?, ?, ?) AS u(m, t, id) WHERE p.id = u.id",
    sqlite: "UPDATE plans SET reserved_milli = reserved_milli - u.m, next_at = CASE WHEN status = 2 \
         AND reserved_milli = u.m AND booked_milli + unit_milli > put_amount * 1000 THEN u.t ELSE next_at END \
         FROM (SELECT ? AS m, ? AS t, ? AS id) AS u WHERE plans.id = u.id",
);

fn give_back(tx: &mut Tx<'_>, ended: &[Lease]) -> Result<(), Error> {
    let mut by_plan = std::collections::BTreeMap::<i64, i64>::new();
    for lease in ended {
        *by_plan.entry(lease.plan_id).or_default() += lease.left_milli;
    }
    let now = vec![tx.now().millis(); by_plan.len()];
    let (plans, milli): (Vec<i64>, Vec<i64>) = by_plan.into_iter().unzip();
    GIVE_BACK.execute(tx, &[milli.into(), now.into(), plans.into()])?;
    Ok(())
}
