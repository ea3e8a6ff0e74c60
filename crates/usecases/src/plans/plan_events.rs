//! A plan's events for its owner: every impression, click and conversion, whether it
//! counts, and the bill that it is on. Nothing shows who made them.

use std::collections::HashMap;

use base::{PlanId, Timestamp, UserId, named};
use delivery::{Choice, Device, Nonce, Reason};
use plans::ContentType;
use serde::Serialize;
use store::delivery::arm;
use store::delivery::plan_events::{self as rows, EventFilter, PlanConversion, PlanEvent, SlotName};
use store::plans::plan::PlanRow;
use store::wallet::bill;
use store::{Conn, Page, PageRequest, Realm};
use utoipa::ToSchema;

use super::event_bill::{EventBill, bill_of, is_waiting_for_bill};
use super::plan_evidence::milli;
use crate::{App, Error, Refusal};

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
    const fn of_event(self) -> Option<delivery::EventKind> {
        match self {
            Self::Impression => Some(delivery::EventKind::Impression),
            Self::Click => Some(delivery::EventKind::Click),
            Self::Viewable => Some(delivery::EventKind::Viewable),
            Self::Conversion => None,
        }
    }
}

impl From<delivery::EventKind> for PlanEventKind {
    fn from(kind: delivery::EventKind) -> Self {
        match kind {
            delivery::EventKind::Impression => Self::Impression,
            delivery::EventKind::Click => Self::Click,
            delivery::EventKind::Viewable => Self::Viewable,
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
    /// When it came to the server.
    pub time: String,
    /// Where the ad was shown; null for a visit by a link that the user shared.
    pub slot: Option<EventSlot>,
    /// Null if it is not known, for programs, and for visitors who asked not to be tracked.
    pub device: Option<Device>,
    /// The form in which the ad was shown.
    pub content_type: Option<ContentType>,
    /// What it cost, exactly: up to three decimals more than the currency has.
    pub price: String,
    /// What a conversion pays.
    pub payout: Option<String>,
    pub counted: bool,
    /// Why it does not count.
    pub reason: Option<Reason>,
    /// When the advertiser took a conversion back.
    pub reversed_at: Option<String>,
}

/// Another event on the same ad, shown once to one visitor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RelatedEvent {
    pub id: String,
    pub kind: PlanEventKind,
    pub time: String,
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
    /// What the advertiser reports conversions of a click with.
    pub click_id: Option<String>,
    /// The advertiser's own id of a conversion, and when it says that it happened.
    pub event_id: Option<String>,
    pub occurred_at: Option<String>,
    /// When what conversions pay is expected to be settled, and when it was.
    pub settles_at: Option<String>,
    pub settled_at: Option<String>,
    /// The view, the click and the conversions that count on the same ad, without this one.
    pub related: Vec<RelatedEvent>,
    /// What became of its price; null for a conversion, which costs nothing.
    pub billing: Option<BillingState>,
    /// When it is billed at the latest; null if it is billed, is not counted yet, or if what waits is less
    /// than the smallest unit of the currency.
    pub bill_at: Option<String>,
    pub bill: Option<EventBill>,
}

/// Which of a plan's events.
#[derive(Clone, Copy, Debug)]
pub struct PlanEventQuery {
    pub plan: PlanId,
    pub kind: PlanEventKind,
    /// Only those that count, or only those that do not.
    pub counted: Option<bool>,
    /// Only impressions and clicks on the bill that this line of the statement is of.
    pub line: Option<i64>,
    pub page: PageRequest,
}

/// The content type of each arm of a plan with AI delivery, by its number.
struct Forms {
    of_plan: Option<ContentType>,
    of_arms: HashMap<i16, ContentType>,
}

impl Forms {
    fn read(conn: &mut Conn, plan: &PlanRow) -> Result<Self, Error> {
        let arms = if plan.ai_delivery { arm::of_plan(conn, plan.id())? } else { Vec::new() };
        let of_arms = arms.iter().filter_map(|row| Some((row.arm, ContentType::try_from(row.content_type).ok()?)));
        Ok(Self { of_plan: plan.content_type()?, of_arms: of_arms.collect() })
    }

    fn of(&self, code: Option<i16>) -> Option<ContentType> {
        let chosen = code.and_then(|code| self.of_arms.get(&Choice::read(code).0).copied());
        chosen.or(self.of_plan)
    }

    fn event(&self, kind: PlanEventKind, event: PlanEvent) -> PlanEventView {
        PlanEventView {
            id: event.id.to_string(),
            kind,
            time: event.at.to_string(),
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

    fn conversion(&self, found: PlanConversion) -> PlanEventView {
        let (slot, device) = found.click.map(|click| (click.slot, click.device)).unwrap_or_default();
        PlanEventView {
            id: found.id.to_string(),
            kind: PlanEventKind::Conversion,
            time: found.received_at.to_string(),
            slot: slot.map(EventSlot::from),
            device,
            content_type: self.of(found.arm),
            price: milli(0),
            payout: Some(found.payout.to_string()),
            counted: found.accepted && found.reversed_at.is_none(),
            reason: found.reason,
            reversed_at: found.reversed_at.as_ref().map(ToString::to_string),
        }
    }
}

/// A page of a plan's events, newest first.
///
/// # Errors
/// `not_found` for an unknown plan or line, and for somebody else's.
pub async fn list(app: &App, user: UserId, query: PlanEventQuery) -> Result<Page<PlanEventView>, Error> {
    app.db.snapshot(move |conn| page(conn, user, query)).await
}

fn page(conn: &mut Conn, user: UserId, query: PlanEventQuery) -> Result<Page<PlanEventView>, Error> {
    let PlanEventQuery { plan: id, kind, counted, line, page } = query;
    let (plan, _) = store::plans::plan::find(conn, user, id)?.ok_or(Refusal::NotFound)?;
    let between = line.map(|line| range(conn, user, id, line)).transpose()?;
    let forms = Forms::read(conn, &plan)?;
    let Some(of_event) = kind.of_event() else {
        let found = rows::conversions(conn, id, counted, page)?;
        return Ok(found.map(|conversion| forms.conversion(conversion)));
    };
    let found = rows::events(conn, id, of_event, EventFilter { counted, between }, page)?;
    Ok(found.map(|event| forms.event(kind, event)))
}

/// The events of the bill that a line of the user's statement is of.
fn range(conn: &mut Conn, user: UserId, plan: PlanId, line: i64) -> Result<(i64, i64), Error> {
    let transaction = store::wallet::records::of_line(conn, user, line)?.ok_or(Refusal::NotFound)?;
    let bill = bill::of_transaction(conn, plan, transaction)?.ok_or(Refusal::NotFound)?;
    Ok((bill.above_event, bill.up_to_event))
}

/// One event of a plan.
///
/// # Errors
/// `not_found` for an unknown plan or event, and for somebody else's.
pub async fn show(
    app: &App,
    user: UserId,
    plan: PlanId,
    kind: PlanEventKind,
    id: i64,
) -> Result<PlanEventDetail, Error> {
    let realm = app.realm();
    app.db
        .snapshot(move |conn| {
            let (plan, product) = store::plans::plan::find(conn, user, plan)?.ok_or(Refusal::NotFound)?;
            let about = About { forms: Forms::read(conn, &plan)?, plan, product_name: product.name, realm };
            match kind.of_event() {
                Some(of_event) => {
                    let event = rows::event(conn, about.plan.id(), of_event, id)?.ok_or(Refusal::NotFound)?;
                    about.event(conn, kind, event)
                }
                None => {
                    let found = rows::conversion(conn, about.plan.id(), id)?.ok_or(Refusal::NotFound)?;
                    about.conversion(conn, found)
                }
            }
        })
        .await
}

/// The plan that an event is of.
struct About {
    plan: PlanRow,
    product_name: String,
    realm: Realm,
    forms: Forms,
}

impl About {
    fn event(&self, conn: &mut Conn, kind: PlanEventKind, event: PlanEvent) -> Result<PlanEventDetail, Error> {
        let on_bill = bill::of_event(conn, self.plan.id(), event.id)?;
        let billing = billing(&self.plan, &event, on_bill.as_ref())?;
        let bill = match on_bill.filter(|_| billing == BillingState::Billed) {
            Some(found) => Some(bill_of(conn, &self.plan, &found)?),
            None => None,
        };
        let is_left = billing == BillingState::Waiting && event.id <= self.plan.rolled_event_id;
        let waits_until = self.plan.bill_at().filter(|_| is_left);
        let nonce = event.nonce.filter(|_| event.counted);
        let related = related(conn, self.plan.id(), nonce)?;
        Ok(PlanEventDetail {
            filter_version: Some(event.filter_version),
            click_id: nonce.filter(|_| kind == PlanEventKind::Click).map(Nonce::text),
            billing: Some(billing),
            bill_at: waits_until.map(|at| at.to_string()),
            bill,
            ..self.detail(self.forms.event(kind, event), related)
        })
    }

    fn conversion(&self, conn: &mut Conn, found: PlanConversion) -> Result<PlanEventDetail, Error> {
        let nonce = Nonce::parse(&found.click_id).filter(|_| found.accepted);
        let related = related(conn, self.plan.id(), nonce)?;
        Ok(PlanEventDetail {
            click_id: Some(found.click_id.clone()),
            event_id: Some(found.event_key.clone()),
            occurred_at: Some(found.occurred_at.to_string()),
            ..self.detail(self.forms.conversion(found), related)
        })
    }

    fn detail(&self, event: PlanEventView, related: Vec<RelatedEvent>) -> PlanEventDetail {
        let at = |millis: i64| Timestamp::from_millis(millis).to_string();
        let other = |of: &RelatedEvent| of.kind != event.kind || of.id != event.id;
        PlanEventDetail {
            related: related.into_iter().filter(other).collect(),
            event,
            plan_no: self.plan.plan_no.clone(),
            product_name: self.product_name.clone(),
            data_source: self.realm,
            filter_version: None,
            click_id: None,
            event_id: None,
            occurred_at: None,
            settles_at: self.plan.settles_at.map(at),
            settled_at: self.plan.settled_at.map(at),
            billing: None,
            bill_at: None,
            bill: None,
        }
    }
}

/// The view, the click and the conversions of one delivery that count.
fn related(conn: &mut Conn, plan: PlanId, nonce: Option<Nonce>) -> Result<Vec<RelatedEvent>, Error> {
    let Some(nonce) = nonce else { return Ok(Vec::new()) };
    let mut events = rows::of_deliveries(conn, &[nonce])?;
    events.sort_unstable_by_key(|of| of.kind.code());
    let events = events.into_iter().map(|of| RelatedEvent {
        id: of.event.id.to_string(),
        kind: of.kind.into(),
        time: of.event.at.to_string(),
    });
    let conversions = rows::of_click(conn, plan, nonce)?.into_iter().map(|found| RelatedEvent {
        id: found.id.to_string(),
        kind: PlanEventKind::Conversion,
        time: found.received_at.to_string(),
    });
    Ok(events.chain(conversions).collect())
}

fn billing(plan: &PlanRow, event: &PlanEvent, on_bill: Option<&bill::Bill>) -> Result<BillingState, Error> {
    Ok(match on_bill {
        _ if !event.counted => BillingState::NotCounted,
        _ if event.price_milli == 0 && event.slot.is_none() => BillingState::Shared,
        _ if event.price_milli == 0 => BillingState::NotPriced,
        Some(bill) if bill.transaction.is_some() => BillingState::Billed,
        Some(_) => BillingState::Earlier,
        None if is_waiting_for_bill(plan, event.id)? => BillingState::Waiting,
        None => BillingState::BelowUnit,
    })
}
