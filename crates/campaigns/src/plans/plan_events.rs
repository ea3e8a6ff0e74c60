//! A plan's events for its owner: every impression, click and conversion, whether it
//! counts, and the bill that it is on. Nothing shows who made them.

mod detail;

use std::collections::{BTreeSet, HashMap};

use base::{Money, PlanId, Timestamp, UserId, named};
use delivery::{Choice, Device, EventKind, Reason};
use foundation::{Error, Refusal};
use plans::ContentType;
use serde::Serialize;
use store::delivery::archive::{self, ArchivedPart};
use store::delivery::arm;
use store::delivery::plan_events::{self as rows, EventFilter, PlanConversion, PlanEvent, SlotName};
use store::plans::plan::PlanRow;
use store::wallet::{bill, corrections};
use store::{Conn, Page, PageRequest, Realm};
use utoipa::ToSchema;

use super::archived_events;
use super::event_bill::EventBill;
use super::plan_evidence::milli;
use crate::AdServer;
use crate::delivery::archive::ArchivedEvents;
use detail::{About, Found};

named!(
    /// What a list of a plan's events has.
    PlanEventKind {
        Impression "impression",
        Click "click",
        /// Half of the creative was in view for a second.
        Viewable "viewable",
        Conversion "conversion",
    }
);

impl PlanEventKind {
    pub(super) const fn of_event(self) -> Option<delivery::EventKind> {
        match self {
            Self::Impression => Some(delivery::EventKind::Impression),
            Self::Click => Some(delivery::EventKind::Click),
            Self::Viewable => Some(delivery::EventKind::Viewable),
            Self::Conversion => None,
        }
    }
}

impl PlanEventKind {
    /// `None` for further reports of an exchange on a view, which are not shown to the user.
    pub(super) const fn of(kind: delivery::EventKind) -> Option<Self> {
        match kind {
            delivery::EventKind::Impression => Some(Self::Impression),
            delivery::EventKind::Click => Some(Self::Click),
            delivery::EventKind::Viewable => Some(Self::Viewable),
            delivery::EventKind::Notice | delivery::EventKind::Confirmation | delivery::EventKind::Claim => None,
        }
    }
}

named!(
    /// What became of an event's price.
    BillingState as "EventBillingState" {
        /// It is on the bill shown.
        Billed "billed",
        /// It will be on a later bill.
        Waiting "waiting",
        /// It was billed before bills were noted with their events.
        Earlier "earlier",
        /// Less than the smallest unit of the currency was left at the end: nobody pays it.
        BelowUnit "below_unit",
        /// Events that do not count cost nothing.
        NotCounted "not_counted",
        /// Visits by the user's own link cost nothing.
        Shared "shared",
        /// The plan pays for the other kind of event.
        NotPriced "not_priced",
    }
);

/// A slot on a publisher's page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct EventSlot {
    pub key: String,
    pub publisher: String,
}

impl From<SlotName> for EventSlot {
    fn from(slot: SlotName) -> Self {
        Self { key: slot.key, publisher: slot.publisher }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PlanEvent)]
pub struct PlanEventView {
    pub id: String,
    pub kind: PlanEventKind,
    /// When the server received it.
    pub time: Timestamp,
    /// Where the ad was shown; null for a visit by a link that the user shared.
    pub slot: Option<EventSlot>,
    /// Null if it is not known, for programs, and for visitors who asked not to be tracked.
    pub device: Option<Device>,
    /// The form in which the ad was shown.
    pub content_type: Option<ContentType>,
    /// What it cost, exactly: up to three decimals more than the currency has.
    pub price: String,
    /// What a conversion pays.
    pub payout: Option<Money>,
    pub counted: bool,
    /// Why it does not count.
    pub reason: Option<Reason>,
    /// When the advertiser took a conversion back.
    pub reversed_at: Option<Timestamp>,
}

/// Another event on the same ad, shown once to one visitor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RelatedEvent {
    pub id: String,
    pub kind: PlanEventKind,
    pub time: Timestamp,
}

/// One event, with all that is known about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PlanEventDetail)]
pub struct PlanEventDetail {
    #[serde(flatten)]
    pub event: PlanEventView,
    pub plan_no: String,
    pub product_name: String,
    pub data_source: Realm,
    /// The version of the rules that decided whether an impression or a click counts.
    pub filter_version: Option<i16>,
    /// The id with which the advertiser reports conversions of a click.
    pub click_id: Option<String>,
    /// The advertiser's own id of a conversion. `occurred_at` is when the advertiser says that it happened.
    pub event_id: Option<String>,
    pub occurred_at: Option<Timestamp>,
    /// When what a conversion pays is expected to be settled. `settled_at` is when it was.
    pub settles_at: Option<Timestamp>,
    pub settled_at: Option<Timestamp>,
    /// The view, the click and the conversions that count on the same ad, without this one.
    pub related: Vec<RelatedEvent>,
    /// What became of its price; null for a conversion, which costs nothing.
    pub billing: Option<BillingState>,
    /// When it is billed at the latest; null if it is billed, is not counted yet, or if what waits is less
    /// than the smallest unit of the currency.
    pub bill_at: Option<Timestamp>,
    pub bill: Option<EventBill>,
}

/// Which of a plan's events.
#[derive(Clone, Copy, Debug)]
pub struct PlanEventQuery {
    pub plan: PlanId,
    pub kind: PlanEventKind,
    /// Only those that count, or only those that do not.
    pub counted: Option<bool>,
    /// Only impressions and clicks that this line of the statement is for: those of its bill, or those that it
    /// gives something back for.
    pub line: Option<i64>,
    pub page: PageRequest,
}

/// The content type of each arm of a plan with AI delivery, by its number.
pub(super) struct Forms {
    of_plan: Option<ContentType>,
    of_arms: HashMap<i16, ContentType>,
}

impl Forms {
    pub fn read(conn: &mut Conn, plan: &PlanRow) -> Result<Self, Error> {
        let arms = if plan.ai_delivery { arm::of_plan(conn, plan.id)? } else { Vec::new() };
        let of_arms = arms.iter().filter_map(|row| Some((row.arm, ContentType::try_from(row.content_type).ok()?)));
        Ok(Self { of_plan: plan.content_type, of_arms: of_arms.collect() })
    }

    fn of(&self, code: Option<i16>) -> Option<ContentType> {
        let chosen = code.and_then(|code| self.of_arms.get(&Choice::read(code).0).copied());
        chosen.or(self.of_plan)
    }

    pub fn event(&self, kind: PlanEventKind, event: PlanEvent) -> PlanEventView {
        PlanEventView {
            id: event.id.to_string(),
            kind,
            time: event.at,
            slot: event.slot.map(EventSlot::from),
            device: event.device,
            content_type: self.of(event.arm),
            price: milli(event.price_milli),
            payout: None,
            counted: event.counted,
            reason: event.reason,
            reversed_at: None,
        }
    }

    pub fn conversion(&self, found: PlanConversion) -> PlanEventView {
        let (slot, device) = found.click.map(|click| (click.slot, click.device)).unwrap_or_default();
        PlanEventView {
            id: found.id.to_string(),
            kind: PlanEventKind::Conversion,
            time: found.received_at,
            slot: slot.map(EventSlot::from),
            device,
            content_type: self.of(found.arm),
            price: milli(0),
            payout: Some(found.payout),
            counted: found.accepted && found.reversed_at.is_none(),
            reason: found.reason,
            reversed_at: found.reversed_at,
        }
    }
}

/// A page of a plan's events, newest first.
///
/// # Errors
/// `not_found` for an unknown plan or line, and for somebody else's.
pub async fn list(app: &AdServer, user: UserId, query: PlanEventQuery) -> Result<Page<PlanEventView>, Error> {
    let Listed { forms, rows, parts, on_line } = app.db.snapshot(move |conn| Listed::read(conn, user, query)).await?;
    match rows {
        Rows::Events(kind, rows) => {
            let (above, up_to) = on_line.between();
            let below = query.page.below().min(up_to.saturating_add(1));
            let wanted = ArchivedEvents { kind: Some(kind), counted: query.counted, above, below };
            let page = match on_line {
                OnLine::Refund(_, marked) => {
                    archived_events::page_of(app, parts, (wanted, marked), rows, query.page).await?
                }
                _ => archived_events::page(app, parts, wanted, rows, query.page).await?,
            };
            Ok(page.map(|event| forms.event(query.kind, event)))
        }
        Rows::Conversions(mut page) => {
            archived_events::add_clicks(app, parts, &mut page.items).await?;
            Ok(page.map(|conversion| forms.conversion(conversion)))
        }
    }
}

/// The part of a page that is in the database, and the files that have the rest.
struct Listed {
    forms: Forms,
    rows: Rows,
    parts: Vec<ArchivedPart>,
    on_line: OnLine,
}

/// The events of a line of the user's statement.
enum OnLine {
    All,
    /// The events of a bill: those above the first id, up to the second.
    Bill(i64, i64),
    /// The events that were refunded by a request: the next ones on the page, by id.
    Refund(i64, BTreeSet<i64>),
}

impl OnLine {
    const fn between(&self) -> (i64, i64) {
        match self {
            Self::Bill(above, up_to) => (*above, *up_to),
            Self::All | Self::Refund(..) => (0, i64::MAX),
        }
    }

    fn filter(&self, counted: Option<bool>) -> EventFilter {
        match self {
            Self::All => EventFilter { counted, ..EventFilter::default() },
            Self::Bill(above, up_to) => {
                EventFilter { counted, between: Some((*above, *up_to)), ..EventFilter::default() }
            }
            Self::Refund(request, _) => EventFilter { counted, corrected_by: Some(*request), ..EventFilter::default() },
        }
    }
}

enum Rows {
    Events(EventKind, Vec<PlanEvent>),
    Conversions(Page<PlanConversion>),
}

impl Listed {
    fn read(conn: &mut Conn, user: UserId, query: PlanEventQuery) -> Result<Self, Error> {
        let PlanEventQuery { plan: id, kind, counted, line, page } = query;
        let (plan, _) = store::plans::plan::find(conn, user, id)?.ok_or(Refusal::NotFound)?;
        let on_line = line.map_or(Ok(OnLine::All), |line| events_of(conn, user, (id, kind), line, page))?;
        let rows = match kind.of_event() {
            Some(kind) => Rows::Events(kind, rows::events(conn, id, kind, on_line.filter(counted), page)?),
            None => Rows::Conversions(rows::conversions(conn, id, counted, page)?),
        };
        let parts = archive::parts(conn, &[id])?;
        Ok(Self { forms: Forms::read(conn, &plan)?, rows, parts, on_line })
    }
}

/// The events that a line of the user's statement is for: a bill, or a refund.
fn events_of(
    conn: &mut Conn,
    user: UserId,
    (plan, kind): (PlanId, PlanEventKind),
    line: i64,
    page: PageRequest,
) -> Result<OnLine, Error> {
    let transaction = store::wallet::records::of_line(conn, user, line)?.ok_or(Refusal::NotFound)?;
    if let Some(request) = corrections::refund_of(conn, plan, transaction)? {
        let marked = match kind.of_event() {
            Some(kind) => corrections::of_plan(conn, (request, plan), kind, page.below(), page.fetch())?,
            None => Vec::new(),
        };
        return Ok(OnLine::Refund(request, marked.into_iter().map(|mark| mark.event).collect()));
    }
    let bill = bill::of_transaction(conn, plan, transaction)?.ok_or(Refusal::NotFound)?;
    Ok(OnLine::Bill(bill.above_event, bill.up_to_event))
}

/// One event of a plan.
///
/// # Errors
/// `not_found` for an unknown plan or event, and for somebody else's.
pub async fn show(
    app: &AdServer,
    user: UserId,
    plan: PlanId,
    kind: PlanEventKind,
    id: i64,
) -> Result<PlanEventDetail, Error> {
    let realm = app.realm();
    loop {
        let (mut found, parts) = app.db.snapshot(move |conn| Found::read(conn, user, plan, kind, id)).await?;
        found.add_archived(app, &parts, kind, id).await?;
        let shown = app.db.snapshot(move |conn| {
            // A month that was archived meanwhile is looked for again.
            if archive::parts(conn, &[plan])? != parts {
                return Ok(None);
            }
            let (plan, product) = store::plans::plan::find(conn, user, plan)?.ok_or(Refusal::NotFound)?;
            let about = About { forms: Forms::read(conn, &plan)?, plan, product_name: product.name, realm };
            found.read_view(conn, &about, kind).map(Some)
        });
        if let Some(shown) = shown.await? {
            return Ok(shown);
        }
    }
}
