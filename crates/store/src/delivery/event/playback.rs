//! How far videos were played: the reports on each view, until no more can come, and the totals of each plan.

use base::{PlanId, Timestamp};
use delivery::{Nonce, PlayCounts, Played};
use diesel::prelude::*;

use crate::schema::{plan_videos, played_views};
use crate::{Conn, Error, Tx};
use db::bulk::Statement;
use db::{insert, row, statement, update};

insert! {
    struct Kept, KEEP into "played_views" {
        nonce: [u8; 16],
        plan_id: PlanId,
        reported: i16,
        counted: i16,
        issued_at: Timestamp,
    } then "ON CONFLICT (nonce) DO UPDATE SET reported = played_views.reported | excluded.reported"
}

/// Adds reports on views, in the order of their nonces. Each view occurs once.
pub fn keep(tx: &mut Tx<'_>, reported: &[(Nonce, PlanId, Played)]) -> Result<(), Error> {
    let row = |(nonce, plan_id, played): &(Nonce, PlanId, Played)| Kept {
        nonce: nonce.0,
        plan_id: *plan_id,
        reported: played.code(),
        counted: 0,
        issued_at: nonce.minted_at(),
    };
    KEEP.execute(tx, &Kept::columns(&reported.iter().map(row).collect::<Vec<_>>()))?;
    Ok(())
}

/// The reports on a view, and what of them is counted.
#[derive(Clone, Debug)]
pub struct PlayedView {
    pub nonce: Nonce,
    pub plan: PlanId,
    pub reported: Played,
    pub counted: Played,
}

row! {
    struct Row {
        nonce: Vec<u8>,
        plan_id: PlanId,
        reported: i16,
        counted: i16,
    }
}

fn nonce(bytes: Vec<u8>) -> Result<Nonce, Error> {
    bytes.try_into().map(Nonce).map_err(|_| Error::Corrupt("a nonce is not 16 bytes long".into()))
}

/// Views of which something is not counted, those that were sent first before others.
pub fn uncounted(conn: &mut Conn, limit: i64) -> Result<Vec<Nonce>, Error> {
    let found: Vec<Vec<u8>> = played_views::table
        .filter(played_views::reported.ne(played_views::counted))
        .order(played_views::issued_at)
        .limit(limit)
        .select(played_views::nonce)
        .load(conn)?;
    found.into_iter().map(nonce).collect()
}

statement!(
    LOCK,
    each: "SELECT nonce, plan_id, reported, counted FROM played_views WHERE nonce = ANY(?)",
    lock: "ORDER BY nonce FOR UPDATE",
);

/// Locks those of these views that are still there.
pub fn lock(tx: &mut Tx<'_>, nonces: &[Nonce]) -> Result<Vec<PlayedView>, Error> {
    let rows: Vec<Row> = LOCK.load(tx, &[nonces.iter().map(|nonce| nonce.0.to_vec()).collect::<Vec<_>>().into()])?;
    let view = |row: Row| {
        let (reported, counted) = (Played::from_code(row.reported), Played::from_code(row.counted));
        Ok(PlayedView { nonce: nonce(row.nonce)?, plan: row.plan_id, reported, counted })
    };
    rows.into_iter().map(view).collect()
}

update! {
    struct Counted, COUNT of "played_views" {
        counted: i16,
    } by { nonce: [u8; 16] }
}
insert! {
    struct Added, ADD into "plan_videos" {
        plan_id: PlanId,
        started += i64,
        first_quartile += i64,
        midpoint += i64,
        third_quartile += i64,
        completed += i64,
        skipped += i64,
    } then "ON CONFLICT (plan_id)"
}

/// Marks all reports on these views as counted, and adds them to the totals of plans, which are in the order of their
/// ids.
pub fn count(tx: &mut Tx<'_>, views: &[&PlayedView], added: &[(PlanId, PlayCounts)]) -> Result<(), Error> {
    let counted = |view: &&PlayedView| Counted { counted: view.reported.code(), nonce: view.nonce.0 };
    COUNT.execute(tx, &Counted::columns(&views.iter().map(counted).collect::<Vec<_>>()))?;
    let add = |(plan_id, more): &(PlanId, PlayCounts)| Added {
        plan_id: *plan_id,
        started: more.started,
        first_quartile: more.first_quartile,
        midpoint: more.midpoint,
        third_quartile: more.third_quartile,
        completed: more.completed,
        skipped: more.skipped,
    };
    ADD.execute(tx, &Added::columns(&added.iter().map(add).collect::<Vec<_>>()))?;
    Ok(())
}

/// Views whose creatives were issued before this time.
pub fn sent_before(conn: &mut Conn, then: Timestamp, limit: i64) -> Result<Vec<Nonce>, Error> {
    let old = played_views::table.filter(played_views::issued_at.lt(then)).order(played_views::issued_at).limit(limit);
    let found: Vec<Vec<u8>> = old.select(played_views::nonce).load(conn)?;
    found.into_iter().map(nonce).collect()
}

statement!(FORGET, each: "DELETE FROM played_views WHERE nonce = ANY(?)");

/// Removes these views, because no more reports on them are expected.
pub fn forget(tx: &mut Tx<'_>, nonces: &[Nonce]) -> Result<(), Error> {
    FORGET.execute(tx, &[nonces.iter().map(|nonce| nonce.0.to_vec()).collect::<Vec<_>>().into()])?;
    Ok(())
}

/// How far a plan's videos were played.
pub fn of_plan(conn: &mut Conn, plan: PlanId) -> Result<PlayCounts, Error> {
    let found: Option<(i64, i64, i64, i64, i64, i64)> = plan_videos::table
        .filter(plan_videos::plan_id.eq(plan))
        .select((
            plan_videos::started,
            plan_videos::first_quartile,
            plan_videos::midpoint,
            plan_videos::third_quartile,
            plan_videos::completed,
            plan_videos::skipped,
        ))
        .first(conn)
        .optional()?;
    let (started, first_quartile, midpoint, third_quartile, completed, skipped) = found.unwrap_or_default();
    Ok(PlayCounts { started, first_quartile, midpoint, third_quartile, completed, skipped })
}
