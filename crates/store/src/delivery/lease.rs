//! Leases: parts of plans' budgets that one server may promise to creatives without
//! asking again. What is left of a lease counts as reserved, so booked and reserved never
//! exceed the budget, whatever crashes. An expired lease is returned by any server that
//! finds it. A plan's lock covers its leases.

use std::collections::{BTreeMap, BTreeSet};

use base::{PlanId, Timestamp};
use delivery::{Grant, LEASE_SECONDS, Lease};
use diesel::prelude::*;

use crate::delivery::event::{Target, lock_plans};
use crate::schema::leases as table;
use crate::{Conn, Error, Tx};
use db::bulk::{Column, Statement, ascending};
use db::{One, insert, row, statement, update};

row! {
    struct Row {
        id: i64,
        plan_id: PlanId,
        left_milli: i64,
        ends_at: Timestamp,
    }
}

impl From<Row> for Lease {
    fn from(Row { id, plan_id: plan, left_milli, ends_at }: Row) -> Self {
        Self { id, plan, left_milli, ends_at }
    }
}

fn leases(rows: Vec<Row>) -> Vec<Lease> {
    rows.into_iter().map(Lease::from).collect()
}

statement!(LOAD, each: "SELECT id, plan_id, left_milli, ends_at FROM leases WHERE id = ANY(?)");

/// The existing leases with these ids. The caller has locked their plans.
pub fn load(tx: &mut Tx<'_>, ids: impl IntoIterator<Item = i64>) -> Result<Vec<Lease>, Error> {
    Ok(leases(LOAD.load(tx, &[ascending(ids).into()])?))
}

statement!(
    LOAD_PARTS,
    each: "SELECT id, plan_id, left_milli, ends_at, exchanges_milli FROM leases WHERE id = ANY(?)",
);

/// The same with what of each is for exchanges.
pub fn load_parts(tx: &mut Tx<'_>, ids: impl IntoIterator<Item = i64>) -> Result<Vec<GrantedLease>, Error> {
    let rows: Vec<GrantedRow> = LOAD_PARTS.load(tx, &[ascending(ids).into()])?;
    Ok(rows.into_iter().map(GrantedLease::from).collect())
}

/// A grant and its holder, at most one lease per plan.
#[derive(Clone, Debug)]
pub struct LeaseGrant {
    pub plan: PlanId,
    pub holder: String,
    pub grant: Grant,
    /// What other leases on the plan give back.
    pub returned: Vec<Returned>,
    /// The part of the grant that is for exchanges, in milli.
    pub exchanges_milli: i64,
}

/// A lease as it is after a grant.
#[derive(Clone, Copy, Debug)]
pub struct GrantedLease {
    pub lease: Lease,
    /// The part that is for exchanges and is not booked yet, in milli.
    pub exchanges_milli: i64,
}

row! {
    struct GrantedRow {
        #[diesel(embed)]
        lease: Row,
        exchanges_milli: i64,
    }
}

/// What a lease gives back, in milli.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Returned {
    pub lease: i64,
    pub milli: i64,
    /// Of what was for exchanges.
    pub exchanges_milli: i64,
}

impl GrantedLease {
    /// What it gives back if so much has to stay. Of what stays, exchanges are promised all at most: more would only be
    /// kept from the next lease.
    pub fn given_back(&self, kept_milli: i64) -> Returned {
        let milli = self.lease.spare(kept_milli);
        let stays = self.lease.left_milli - milli;
        Returned { lease: self.lease.id, milli, exchanges_milli: (self.exchanges_milli - stays).max(0) }
    }
}

impl From<GrantedRow> for GrantedLease {
    fn from(GrantedRow { lease, exchanges_milli }: GrantedRow) -> Self {
        Self { lease: lease.into(), exchanges_milli }
    }
}

impl LeaseGrant {
    /// By how much the plan's reserved amount increases; negative if it decreases.
    fn reserved_milli(&self) -> i64 {
        self.grant.add_milli - self.returned.iter().map(|of| of.milli).sum::<i64>()
    }
}

insert! {
    struct Begun<'a>, BEGIN into "leases" {
        plan_id: PlanId,
        holder: &'a str,
        left_milli: i64,
        ends_at: Timestamp,
        exchanges_milli: i64,
    } then "RETURNING id, plan_id, left_milli, ends_at, exchanges_milli"
}
update! {
    struct More, ADD of "leases" {
        left_milli += i64,
        exchanges_milli += i64,
    } by { id: i64 } returning ("id, plan_id, left_milli, ends_at, exchanges_milli")
}
update! {
    struct Reserved, RESERVE of "plans" { reserved_milli += i64 } by { id: PlanId }
}

/// Stores grants, and returns the resulting leases. The caller has locked the plans.
pub fn grant(tx: &mut Tx<'_>, granted: &[LeaseGrant]) -> Result<Vec<GrantedLease>, Error> {
    let (old, new): (Vec<_>, Vec<_>) = granted.iter().partition(|g| g.grant.lease.is_some());
    let begun = new.iter().map(|g| Begun {
        plan_id: g.plan,
        holder: &g.holder,
        left_milli: g.grant.add_milli,
        ends_at: g.grant.ends_at,
        exchanges_milli: g.exchanges_milli,
    });
    let mut rows: Vec<GrantedRow> = BEGIN.load(tx, &Begun::columns(&begun.collect::<Vec<_>>()))?;
    let added = |g: &&LeaseGrant| Some((g.grant.lease?, (g.grant.add_milli, g.exchanges_milli)));
    let added: BTreeMap<i64, (i64, i64)> = old.iter().filter_map(added).collect();
    let returned = granted.iter().flat_map(|g| &g.returned).map(|of| (of.lease, (-of.milli, -of.exchanges_milli)));
    let changed: BTreeMap<i64, (i64, i64)> =
        added.iter().map(|(lease, more)| (*lease, *more)).chain(returned).collect();
    let more = |(id, (left_milli, exchanges_milli))| More { left_milli, exchanges_milli, id };
    let changed: Vec<GrantedRow> = ADD.load(tx, &More::columns(&changed.into_iter().map(more).collect::<Vec<_>>()))?;
    rows.extend(changed.into_iter().filter(|row| added.contains_key(&row.lease.id)));
    let reserved = granted.iter().map(|g| Reserved { reserved_milli: g.reserved_milli(), id: g.plan });
    let reserved: Vec<Reserved> = reserved.filter(|row| row.reserved_milli != 0).collect();
    RESERVE.execute(tx, &Reserved::columns(&reserved))?;
    Ok(rows.into_iter().map(GrantedLease::from).collect())
}

row! {
    struct ForExchanges {
        plan_id: PlanId,
        milli: i64,
    }
}

statement!(
    FOR_EXCHANGES,
    each: "SELECT plan_id, CAST(SUM(exchanges_milli) AS BIGINT) AS milli FROM leases WHERE plan_id = ANY(?) GROUP BY plan_id",
);

/// For each plan, the amount that the leases of all servers reserve for exchanges and that is not booked yet. The
/// caller has locked the plans.
pub fn for_exchanges(tx: &mut Tx<'_>, plans: impl IntoIterator<Item = PlanId>) -> Result<BTreeMap<PlanId, i64>, Error> {
    let rows: Vec<ForExchanges> = FOR_EXCHANGES.load(tx, &[ascending(plans.into_iter().map(|plan| plan.0)).into()])?;
    Ok(rows.into_iter().map(|row| (row.plan_id, row.milli)).collect())
}

statement!(
    UNPAYABLE,
    each: "SELECT p.id FROM plans p JOIN advertisers a ON a.id = p.advertiser_id WHERE p.id = ANY(?) AND a.claims < p.payout",
);

/// Those of these plans whose advertiser cannot pay another conversion.
pub fn unpayable(conn: &mut Conn, plans: impl IntoIterator<Item = PlanId>) -> Result<BTreeSet<PlanId>, Error> {
    let rows: Vec<One<PlanId>> = UNPAYABLE.load(conn, &[ascending(plans.into_iter().map(|plan| plan.0)).into()])?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

statement!(
    pub(super) USE,
    postgres: "UPDATE leases l SET left_milli = l.left_milli - u.m, \
         exchanges_milli = GREATEST(l.exchanges_milli - u.x, 0) FROM unnest(?, ?, ?) AS u(m, x, id) WHERE l.id = u.id",
    sqlite: "UPDATE leases SET left_milli = left_milli - ?, exchanges_milli = MAX(exchanges_milli - ?, 0) WHERE id = ?",
);

/// Columns for booked prices that are taken out of leases: the leases, the amounts in milli, and the part that was
/// promised in exchanges.
pub(super) fn uses(used: &BTreeMap<i64, i64>, in_exchanges: &BTreeMap<i64, i64>) -> [Column; 3] {
    [
        used.values().copied().collect::<Vec<_>>().into(),
        used.keys().map(|lease| in_exchanges.get(lease).copied().unwrap_or(0)).collect::<Vec<_>>().into(),
        used.keys().copied().collect::<Vec<_>>().into(),
    ]
}

/// Plans with expired leases.
pub fn find_expired(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<Vec<PlanId>, Error> {
    let ids: Vec<PlanId> = table::table
        .filter(table::ends_at.le(now))
        .order(table::ends_at)
        .limit(limit)
        .select(table::plan_id)
        .load(conn)?;
    Ok(ascending(ids))
}

/// Leases that end more than a day later than any that is granted now, by plan and id: a clock was ahead when they were
/// granted. Without their holder, their parts of budgets would be kept until then, and their plans could not end.
pub fn find_ahead(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<Vec<(PlanId, i64)>, Error> {
    let ahead = now.plus_seconds(LEASE_SECONDS).plus_days(1);
    let found = table::table.filter(table::ends_at.gt(ahead)).order(table::ends_at).limit(limit);
    Ok(found.select((table::plan_id, table::id)).load(conn)?)
}

statement!(
    END,
    postgres: "DELETE FROM leases WHERE plan_id = ANY(?) AND ends_at <= (SELECT MAX(t) FROM unnest(?) AS t) \
         RETURNING id, plan_id, left_milli, ends_at",
    sqlite: "DELETE FROM leases WHERE plan_id = ? AND ends_at <= ? RETURNING id, plan_id, left_milli, ends_at",
);

/// Returns what is left of expired leases to their plans' budgets.
pub fn end_lapsed(tx: &mut Tx<'_>, plans: &[PlanId]) -> Result<(), Error> {
    let targets = lock_plans(tx, plans.iter().copied())?;
    let ids = ascending(plans.iter().map(|id| id.0));
    let now = vec![tx.now().millis(); ids.len()];
    let ended = leases(END.load(tx, &[ids.into(), now.into()])?);
    give_back(tx, &targets, &ended)
}

statement!(DROP, each: "DELETE FROM leases WHERE id = ANY(?) RETURNING id, plan_id, left_milli, ends_at");

/// Ends leases early, by plan and id, because their holder no longer needs them.
pub fn end(tx: &mut Tx<'_>, of: &[(PlanId, i64)]) -> Result<(), Error> {
    let targets = lock_plans(tx, of.iter().map(|(plan, _)| *plan))?;
    let ended = leases(DROP.load(tx, &[ascending(of.iter().map(|(_, lease)| *lease)).into()])?);
    give_back(tx, &targets, &ended)
}

statement!(
    GIVE_BACK,
    each: "UPDATE plans AS p SET reserved_milli = p.reserved_milli - u.m, next_at = COALESCE(u.t, p.next_at) \
         FROM unnest(?, ?, ?) AS u(m, t, id) WHERE p.id = u.id",
);

/// Releases the rest of ended leases. A plan that may end because of this is checked again at once.
fn give_back(tx: &mut Tx<'_>, targets: &[Target], ended: &[Lease]) -> Result<(), Error> {
    let mut by_plan = BTreeMap::<PlanId, i64>::new();
    for lease in ended {
        *by_plan.entry(lease.plan).or_default() += lease.left_milli;
    }
    let now = tx.now().millis();
    let mut given_back = Vec::with_capacity(by_plan.len());
    for target in targets {
        if let Some(milli) = by_plan.get(&target.id) {
            let ends = target.commitment().released(*milli).ends(target.status);
            given_back.push((*milli, ends.then_some(now), target.id));
        }
    }
    GIVE_BACK.execute(
        tx,
        &[
            given_back.iter().map(|(milli, ..)| *milli).collect::<Vec<_>>().into(),
            given_back.iter().map(|(_, next_at, _)| *next_at).collect::<Vec<_>>().into(),
            given_back.iter().map(|(.., plan)| *plan).collect::<Vec<_>>().into(),
        ],
    )?;
    Ok(())
}
