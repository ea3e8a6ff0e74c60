//! One event of a plan, with all that is known about it.

use base::{PlanId, UserId};
use delivery::Nonce;
use foundation::{Error, Refusal};
use store::delivery::archive::{self, ArchivedPart};
use store::delivery::plan_events::{self as rows, OfDelivery, PlanConversion, PlanEvent};
use store::plans::plan::PlanRow;
use store::wallet::bill;
use store::{Conn, Realm};

use super::{BillingState, Forms, PlanEventDetail, PlanEventKind, PlanEventView, RelatedEvent};
use crate::AdServer;
use crate::plans::archived_events;
use crate::plans::event_bill::{bill_of, is_waiting_for_bill};

/// An event or a conversion, and the events on the same creative that are in files.
#[derive(Default)]
pub(super) struct Found {
    event: Option<PlanEvent>,
    conversion: Option<PlanConversion>,
    archived: Vec<OfDelivery>,
}

impl Found {
    pub fn read(
        conn: &mut Conn,
        user: UserId,
        plan: PlanId,
        kind: PlanEventKind,
        id: i64,
    ) -> Result<(Self, Vec<ArchivedPart>), Error> {
        store::plans::plan::find(conn, user, plan)?.ok_or(Refusal::NotFound)?;
        let found = match kind.of_event() {
            Some(of_event) => Self { event: rows::event(conn, plan, of_event, id)?, ..Self::default() },
            None => Self { conversion: rows::conversion(conn, plan, id)?, ..Self::default() },
        };
        Ok((found, archive::parts(conn, &[plan])?))
    }

    pub async fn add_archived(
        &mut self,
        app: &AdServer,
        parts: &[ArchivedPart],
        kind: PlanEventKind,
        id: i64,
    ) -> Result<(), Error> {
        if let (None, Some(of_event)) = (&self.event, kind.of_event()) {
            self.event = archived_events::event(app, parts.to_vec(), of_event, id).await?;
        }
        if let Some(conversion) = &mut self.conversion {
            archived_events::add_clicks(app, parts.to_vec(), std::slice::from_mut(conversion)).await?;
        }
        self.archived = archived_events::deliveries(app, parts.to_vec(), self.nonce().into_iter().collect()).await?;
        Ok(())
    }

    /// The nonce that all events on the same creative share.
    fn nonce(&self) -> Option<Nonce> {
        match &self.conversion {
            Some(found) => Nonce::parse(&found.click_id).filter(|_| found.accepted),
            None => self.event.as_ref().filter(|event| event.counted)?.nonce,
        }
    }

    pub fn read_view(self, conn: &mut Conn, about: &About, kind: PlanEventKind) -> Result<PlanEventDetail, Error> {
        let nonce = self.nonce();
        let related = find_related(conn, about.plan.id, nonce, self.archived)?;
        match (self.event, self.conversion) {
            (Some(event), _) => about.event(conn, kind, event, related),
            (None, Some(found)) => Ok(about.conversion(found, related)),
            (None, None) => Err(Refusal::NotFound.into()),
        }
    }
}

/// The plan that an event is of.
pub(super) struct About {
    pub plan: PlanRow,
    pub product_name: String,
    pub realm: Realm,
    pub forms: Forms,
}

impl About {
    fn event(
        &self,
        conn: &mut Conn,
        kind: PlanEventKind,
        event: PlanEvent,
        related: Vec<RelatedEvent>,
    ) -> Result<PlanEventDetail, Error> {
        let on_bill = bill::of_event(conn, self.plan.id, event.id)?;
        let billing = billing(&self.plan, &event, on_bill.as_ref())?;
        let bill = on_bill.filter(|_| billing == BillingState::Billed);
        let bill = bill.map(|found| bill_of(conn, &self.plan, &found)).transpose()?;
        let is_left = billing == BillingState::Waiting && event.id <= self.plan.figures.rolled_event_id;
        let waits_until = self.plan.bill_at().filter(|_| is_left);
        let nonce = event.nonce.filter(|_| event.counted);
        Ok(PlanEventDetail {
            filter_version: Some(event.filter_version),
            click_id: nonce.filter(|_| kind == PlanEventKind::Click).map(Nonce::text),
            billing: Some(billing),
            bill_at: waits_until,
            bill,
            ..self.detail(self.forms.event(kind, event), related)
        })
    }

    fn conversion(&self, found: PlanConversion, related: Vec<RelatedEvent>) -> PlanEventDetail {
        PlanEventDetail {
            click_id: Some(found.click_id.clone()),
            event_id: Some(found.event_key.clone()),
            occurred_at: Some(found.occurred_at),
            ..self.detail(self.forms.conversion(found), related)
        }
    }

    fn detail(&self, event: PlanEventView, related: Vec<RelatedEvent>) -> PlanEventDetail {
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
            settles_at: self.plan.settles_at,
            settled_at: self.plan.settled_at,
            billing: None,
            bill_at: None,
            bill: None,
        }
    }
}

/// The view, the click and the conversions of one delivery that count.
fn find_related(
    conn: &mut Conn,
    plan: PlanId,
    nonce: Option<Nonce>,
    archived: Vec<OfDelivery>,
) -> Result<Vec<RelatedEvent>, Error> {
    let Some(nonce) = nonce else { return Ok(Vec::new()) };
    let mut events = rows::of_deliveries(conn, &[nonce])?;
    events.extend(archived);
    events.sort_unstable_by_key(|of| of.kind.code());
    let events = events.into_iter().filter_map(|of| {
        let kind = PlanEventKind::of(of.kind)?;
        Some(RelatedEvent { id: of.event.id.to_string(), kind, time: of.event.at })
    });
    let conversions = rows::of_click(conn, plan, nonce)?.into_iter().map(|found| RelatedEvent {
        id: found.id.to_string(),
        kind: PlanEventKind::Conversion,
        time: found.received_at,
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
