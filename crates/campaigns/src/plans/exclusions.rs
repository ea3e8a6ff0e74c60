//! Places where a user does not want plans to be shown. Creatives that were sent before may still be seen, and count.

use base::{PlanId, Timestamp, UserId, refuse_if};
use foundation::{App, Error, Refusal};
use serde::Serialize;
use store::delivery::{slot, ssp};
use store::people::users;
use store::plans::exclusions::{self as rows, ExcludedPlace, Exclusion, NamedExclusion, NamedSlot};
use store::plans::plan;
use store::{Conn, Tx};
use supply::PublisherKind;
use utoipa::ToSchema;

/// The most places that are excluded for a plan, and the most for all plans of a user.
pub const MOST: i64 = 100;

/// A place as a user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedPlace {
    /// A publisher's slot, by its key.
    Slot(String),
    /// A site or an app, as its exchange names it.
    Site(String),
    /// All sites and apps of an exchange, by its name.
    Exchange(String),
}

/// Whether a place is shown in from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    Not,
    Again,
}

/// A place where plans are not shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ExclusionView {
    /// The key of a publisher's slot; null for everything else.
    pub slot: Option<String>,
    /// The slot's publisher; null without a slot.
    pub publisher: Option<String>,
    /// A site's domain or an app's name, as its exchange names it; null for everything else.
    pub site: Option<String>,
    /// An exchange, with all its sites and apps; null for everything else.
    pub exchange: Option<String>,
    /// For all plans of the user, and not only for this one.
    pub all_plans: bool,
    pub at: Timestamp,
}

impl ExclusionView {
    fn of(row: NamedExclusion) -> Self {
        let NamedExclusion { plan, place, slot, at } = row;
        let none = Self { slot: None, publisher: None, site: None, exchange: None, all_plans: plan.is_none(), at };
        match (place, slot) {
            (ExcludedPlace::Source(site), _) => Self { site: Some(site), ..none },
            (ExcludedPlace::Slot(_), Some(NamedSlot { publisher, kind: PublisherKind::Ssp, .. })) => {
                Self { exchange: Some(publisher), ..none }
            }
            (ExcludedPlace::Slot(_), slot) => {
                let (slot, publisher) = slot.map(|named| (named.key, named.publisher)).unzip();
                Self { slot, publisher, ..none }
            }
        }
    }
}

/// Shows a plan, or without one all plans of the user, in a place no longer, or again. Returns all places where the plan
/// is not shown; without one, those for all plans.
///
/// # Errors
/// `not_found` for somebody else's plan, or a slot or an exchange that is not there, `exclusions_full` if as many places are excluded as
/// may be.
pub async fn set(
    app: &App,
    user: UserId,
    plan: Option<PlanId>,
    place: NamedPlace,
    shown: Shown,
) -> Result<Vec<ExclusionView>, Error> {
    app.db
        .write(move |tx| {
            if let Some(id) = plan {
                plan::find(tx, user, id)?.ok_or(Refusal::NotFound)?;
            }
            let exclusion = Exclusion { user, plan, place: find_place(tx, &place)? };
            match shown {
                Shown::Not => exclude(tx, &exclusion)?,
                Shown::Again => rows::include(tx, &exclusion)?,
            }
            of_plan(tx, user, plan.unwrap_or(PlanId(0)))
        })
        .await
}

fn find_place(conn: &mut Conn, place: &NamedPlace) -> Result<ExcludedPlace, Error> {
    Ok(match place {
        NamedPlace::Site(site) => ExcludedPlace::Source(site.to_lowercase()),
        NamedPlace::Slot(key) => ExcludedPlace::Slot(slot::of_page(conn, key)?.ok_or(Refusal::NotFound)?),
        NamedPlace::Exchange(name) => ExcludedPlace::Slot(ssp::find_slot(conn, name)?.ok_or(Refusal::NotFound)?),
    })
}

fn exclude(tx: &mut Tx<'_>, new: &Exclusion) -> Result<(), Error> {
    // The lock makes the second of two simultaneous calls count the place of the first.
    users::lock_status(tx, new.user)?.ok_or(Refusal::NotFound)?;
    rows::exclude(tx, new)?;
    // Counted afterwards, so that a place that is excluded already is no refusal.
    refuse_if(rows::count(tx, new.user, new.plan)? > MOST, Refusal::ExclusionsFull { most: MOST })?;
    Ok(())
}

/// The places where a plan is not shown, the latest first.
pub(crate) fn of_plan(conn: &mut Conn, user: UserId, plan: PlanId) -> Result<Vec<ExclusionView>, Error> {
    let rows = rows::of_plan(conn, user, plan, 2 * MOST)?;
    Ok(rows.into_iter().map(ExclusionView::of).collect())
}
