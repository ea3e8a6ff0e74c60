//! Corrections of delivery: if events turn out not to have come from real readers, the buyers get back what these
//! events cost.
//!
//! One operator requests a correction with a file that selects events, and with a reason that the users and the
//! publisher read. The events are chosen at once and stored with the request, so that exactly these are approved. The
//! events themselves stay. `supply::give_back` decides who pays, and `wallet::Paid` whose money comes back.

mod approval;
mod chosen;
mod scope;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use auth::Permission;
use base::{Field, Money, PlanId, PublisherId, SlotId};
use foundation::staff::Staff;
use foundation::staff::requests::{CheckedRequest, Proposal, RequestView, file_with};
use foundation::{Error, Refusal};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use store::delivery::archive::{self, ArchivedPart};
use store::plans::plan::{self, PlanRow};
use store::staff::requests::Subject;
use store::wallet::books::Books;
use store::wallet::corrections::{self as rows, CorrectableEvent, Mark, OfClick, Stretch};
use store::wallet::payouts;
use store::{Conn, Tx};
use supply::{Corrected, GivenBack, give_back};
use wallet::RequestKind;

pub use approval::{carry_out, lock};
use chosen::Choice;
pub use scope::CorrectionFile;
use scope::Scope;

use crate::AdServer;
use crate::delivery::archive::matching;
use crate::delivery::roll_up::bill_fresh;

/// The most events of one correction, and the most plans whose slots it searches.
pub const MOST_EVENTS: usize = 20_000;
const MOST_PLANS: i64 = 500;
/// The most archived events that are read: each may have a notice.
const MOST_ARCHIVED: usize = 2 * MOST_EVENTS;

/// Requests a correction. Nothing moves yet.
///
/// # Errors
/// The fields of the file; `until`: `too_many_events`, `too_many_plans`; `from`: `nothing_found`; `sum`:
/// `more_than_delivered`; `not_permitted`, `not_found`, `limit_exceeded`.
pub async fn request_correction(app: &AdServer, by: &Staff, file: CorrectionFile) -> Result<RequestView, Error> {
    by.may(Permission::Money)?;
    let scope = Arc::new(file.checked(app.now())?);
    loop {
        let asked = Arc::clone(&scope);
        let found = Arc::new(app.db.snapshot(move |conn| Found::read(conn, &asked)).await?);
        let (wanted, places) = (Arc::clone(&scope), found.shown.iter().copied().collect::<BTreeSet<_>>());
        let wanted =
            move |event: &event_files::Event| wanted.archived(event).filter(|of| places.contains(&(of.plan, of.slot)));
        let archived = Arc::new(matching(app, found.parts.clone(), MOST_ARCHIVED, wanted).await?);
        Error::field_if(archived.len() > MOST_ARCHIVED, Field::Until, "too_many_events")?;
        let (by, scope) = (by.clone(), Arc::clone(&scope));
        let requested = app.db.write(move |tx| file_it(tx, &by, &scope, &found, &archived)).await?;
        // `None` means that a month was archived meanwhile; then the files are read again.
        if let Some(requested) = requested {
            return Ok(requested);
        }
    }
}

/// The places where a correction's events can be.
struct Found {
    stretch: Stretch,
    in_exchange: bool,
    shown: Vec<(PlanId, SlotId)>,
    parts: Vec<ArchivedPart>,
}

impl Found {
    fn read(conn: &mut Conn, scope: &Scope) -> Result<Self, Error> {
        let (stretch, in_exchange) = scope.stretch(conn)?;
        let not_found = || Error::field(Field::Plan, "not_found");
        let find = |number: &String| Ok::<_, Error>(plan::find_by_number(conn, number)?.ok_or_else(not_found)?.0.id);
        let only = scope.plan.as_ref().map(find).transpose()?;
        let shown = rows::find_delivered(conn, &stretch, only, MOST_PLANS)?;
        Error::field_if(shown.len() > usize::try_from(MOST_PLANS).unwrap_or_default(), Field::Until, "too_many_plans")?;
        let parts = archive::parts(conn, &ids(&shown))?;
        Ok(Self { stretch, in_exchange, shown, parts })
    }

    fn plans(&self) -> Vec<PlanId> {
        ids(&self.shown)
    }
}

fn ids(shown: &[(PlanId, SlotId)]) -> Vec<PlanId> {
    let plans: BTreeSet<PlanId> = shown.iter().map(|(plan, _)| *plan).collect();
    plans.into_iter().collect()
}

/// Stores the request; `None` if a month was archived since the files were read.
fn file_it(
    tx: &mut Tx<'_>,
    by: &Staff,
    scope: &Scope,
    found: &Found,
    archived: &[CorrectableEvent],
) -> Result<Option<RequestView>, Error> {
    let plans = lock_billed(tx, &found.plans())?;
    if archive::parts(tx, &ids(&found.shown))? != found.parts {
        return Ok(None);
    }
    let publisher = found.stretch.publisher;
    store::delivery::publisher::lock(tx, publisher)?.ok_or(Refusal::NotFound)?;
    let choice = Choice {
        scope,
        in_exchange: found.in_exchange,
        earlier: rows::sum_taken_back(tx, &found.plans(), scope.time())?,
        shares: rows::shares(tx, &found.shown)?,
    };
    let mut candidates = rows::candidates(tx, &found.shown, scope.time_with_notices())?;
    candidates.extend_from_slice(archived);
    let marks = choice.marks(candidates)?;
    Error::field_if(marks.len() > MOST_EVENTS, Field::Until, "too_many_events")?;
    let (given, total) = reckon_refunds(tx, publisher, &plans, &marks, None)?;
    Error::field_if(!total.is_positive(), Field::From, "nothing_found")?;
    let reversed = reversible(tx, &given, &marks)?;
    let proposal = Proposal::whole(&Value::Null, &shown_to_approver(scope, &given, &marks, &reversed)?);
    let subject = Subject::Publisher(publisher);
    let filed = CheckedRequest {
        kind: RequestKind::DeliveryCorrection,
        subject,
        // Reversed conversions are somebody's money as well.
        amount: total.plus(reversed.amount)?,
        reference: None,
        proposal: Some(proposal),
    };
    file_with(tx, by, filed, |tx, id| Ok(rows::insert(tx, id.0, &marks)?)).map(Some)
}

/// Locks the plans, with everything that is counted billed. Their users' wallets are locked as well.
fn lock_billed(tx: &mut Tx<'_>, plans: &[PlanId]) -> Result<Vec<PlanRow>, Error> {
    let users = plan::owners(tx, plans.iter().copied())?;
    let mut books = Books::lock(tx, users.into_values(), [])?;
    let locked = plan::lock_all(tx, plans.iter().copied())?;
    bill_fresh(tx, &mut books, &locked)?;
    Ok(plan::lock_all(tx, plans.iter().copied())?)
}

/// What each plan's user gets back.
type RefundsOf<'a> = Vec<(&'a PlanRow, GivenBack)>;

/// What each plan with marked events gives back, and the total. `asked` has the amount that was requested for each
/// plan, by its number; a bill since then does not increase it.
fn reckon_refunds<'a>(
    tx: &mut Tx<'_>,
    publisher: PublisherId,
    plans: &'a [PlanRow],
    marks: &[Mark],
    asked: Option<&BTreeMap<String, Money>>,
) -> Result<(RefundsOf<'a>, Money), Error> {
    let mut marked = BTreeMap::<PlanId, (i64, i64)>::new();
    for mark in marks {
        let (milli, owed) = marked.entry(mark.plan).or_default();
        *milli = milli.saturating_add(mark.milli);
        *owed = owed.saturating_add(mark.owed_milli);
    }
    let earned = rows::sum_earned(tx, publisher, &marked.keys().copied().collect::<Vec<_>>())?;
    let now = tx.now();
    let recoverable = payouts::account(tx, publisher, now, now)?.recoverable()?;
    let plans: Vec<&PlanRow> = plans.iter().filter(|plan| marked.contains_key(&plan.id)).collect();
    let corrected = |plan: &&PlanRow| {
        let (milli, owed_milli) = marked.get(&plan.id).copied().unwrap_or_default();
        let left = plan.figures.billed.minus(plan.figures.refunded)?;
        let billed = asked.map_or(left, |asked| asked.get(&plan.plan_no).copied().unwrap_or_default().min(left));
        let earned = earned.get(&plan.id).copied().unwrap_or_default();
        Ok(Corrected { milli, owed_milli, billed, earned })
    };
    let corrected = plans.iter().map(corrected).collect::<Result<Vec<_>, Error>>()?;
    let given = give_back(&corrected, recoverable)?;
    let total = Money::sum(given.iter().map(|of| of.amount))?;
    Ok((plans.into_iter().zip(given).collect(), total))
}

/// What the second person decides on: which events, who gets back how much, and what is taken back from conversions.
fn shown_to_approver(
    scope: &Scope,
    given: &[(&PlanRow, GivenBack)],
    marks: &[Mark],
    reversed: &Reversible,
) -> Result<Value, Error> {
    let taken = Money::sum(given.iter().map(|(_, of)| of.taken))?;
    let of_plans = given.iter().map(|(plan, of)| (plan.plan_no.clone(), json!(of.amount.to_string())));
    let mut seen = scope.seen();
    seen.extend([
        ("events".to_owned(), json!(marks.len())),
        ("plans".to_owned(), Value::Object(of_plans.collect::<Map<_, _>>())),
        ("publisher_gives".to_owned(), json!(taken.to_string())),
        ("conversions_reversed".to_owned(), json!(reversed.number)),
        ("conversions_amount".to_owned(), json!(reversed.amount.to_string())),
        ("conversions_settled".to_owned(), json!(reversed.settled)),
        ("events_sha256".to_owned(), json!(digest(marks))),
    ]);
    Ok(Value::Object(seen))
}

/// The conversions of the corrected clicks: those that will be reversed, and the number of those that are settled and
/// stay.
struct Reversible {
    number: usize,
    amount: Money,
    settled: usize,
}

fn reversible(conn: &mut Conn, given: &[(&PlanRow, GivenBack)], marks: &[Mark]) -> Result<Reversible, Error> {
    let settled: BTreeSet<PlanId> =
        given.iter().filter(|(plan, _)| plan.settled_at.is_some()).map(|(plan, _)| plan.id).collect();
    let is_settled = |of: &&OfClick| of.conversion.plan.is_some_and(|plan| settled.contains(&plan));
    let found = rows::conversions(conn, &chosen::clicks(marks))?;
    let (kept, open): (Vec<&OfClick>, Vec<&OfClick>) = found.iter().partition(is_settled);
    let amount = Money::sum(open.iter().map(|of| of.conversion.payout))?;
    Ok(Reversible { number: open.len(), amount, settled: kept.len() })
}

/// The digest of the chosen events, which are sorted by plan and event.
fn digest(marks: &[Mark]) -> String {
    let mut hasher = Sha256::new();
    for mark in marks {
        let Mark { plan, event, kind, at, slot, nonce, price_milli, milli, owed_milli } = mark;
        let at = at.millis();
        let line = format!("{plan} {event} {kind} {at} {slot} {} {price_milli} {milli} {owed_milli}\n", nonce.text());
        hasher.update(line.as_bytes());
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
