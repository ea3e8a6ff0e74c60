//! Impressions and clicks as they come back. Each is kept, with the reason
//! where it does not count, and is durable before it is answered.

use std::net::IpAddr;

use base::{PlanId, Timestamp};
use delivery::{
    CLICK_HOLD_SECONDS, Click, EventKind, Impression, Nonce, Origin, Token, Verdict, Visitor, is_automatic, visitor,
};
use plans::{Pricing, Status};
use store::event::NewEvent;
use store::plan::PlanRow;
use store::{Conn, Tx};

use crate::catalog::Creative;
use crate::{App, Error, Refusal, random};

/// What the request itself tells of who made it.
#[derive(Clone, Debug)]
pub struct Request {
    pub address: IpAddr,
    pub user_agent: String,
    /// A HEAD request, or one that says it is a prefetch.
    pub prefetched: bool,
    /// `DNT: 1` or `Sec-GPC: 1`.
    pub opted_out: bool,
}

struct Known {
    automatic: bool,
    prefetched: bool,
    visitor: Option<Visitor>,
}

impl Request {
    fn known(&self, app: &App) -> Known {
        Known { automatic: is_automatic(&self.user_agent), prefetched: self.prefetched, visitor: self.identity(app) }
    }

    /// Simulated visitors live on this machine: one that comes from it without
    /// an address of its own has no identity to count by.
    fn identity(&self, app: &App) -> Option<Visitor> {
        let local = app.realm() == store::Realm::Simulated && self.address.to_canonical().is_loopback();
        visitor(app.secrets.signing(), self.address, app.now(), self.opted_out || local)
    }
}

/// Reads a token of this server and realm.
///
/// # Errors
/// `not_found` for anything else.
fn token(app: &App, text: &str) -> Result<Token, Error> {
    Token::verify(text, app.secrets.signing())
        .ok()
        .filter(|token| token.realm == app.realm().code())
        .ok_or_else(|| Refusal::NotFound.into())
}

/// A creative reports that it was seen.
///
/// # Errors
/// `not_found` for a token that is not this server's.
pub async fn impression(app: &App, text: &str, request: &Request) -> Result<Verdict, Error> {
    let token = token(app, text)?;
    let known = request.known(app);
    let realm = app.realm();
    let fresh = Nonce(random()?);
    app.db
        .write(move |tx| {
            let plan = store::event::lock_plan(tx, token.plan)?.ok_or(Refusal::NotFound)?;
            let (nonce, slot) = delivery_of(&token, fresh);
            let reserved = store::event::reserved(tx, nonce)?;
            let verdict = match token.origin {
                Origin::Slot(_) => delivery::impression(&Impression {
                    automatic: known.automatic,
                    prefetched: known.prefetched,
                    seen_before: store::event::valid_at(tx, &nonce.text(), EventKind::Impression)?.is_some(),
                    reserved: reserved.is_some(),
                    issued_at: token.issued_at,
                    at: tx.now(),
                    of_visitor: today(tx, plan.id(), known.visitor, EventKind::Impression)?,
                }),
                Origin::Share => shared_impression(&plan, &known)?,
            };
            let billable = verdict.is_ok() && slot.is_some() && pricing(&plan)? == Pricing::Cpm;
            let price_milli = settle_price(tx, &plan, nonce, reserved, verdict, billable)?;
            let event = NewEvent {
                plan: plan.id(),
                kind: EventKind::Impression,
                nonce,
                slot,
                realm,
                verdict,
                price_milli,
                visitor: known.visitor,
            };
            store::event::insert(tx, &event)?;
            Ok::<_, Error>(verdict)
        })
        .await
}

/// A link passed on is shown outside any slot: it counts while the plan runs.
fn shared_impression(plan: &PlanRow, known: &Known) -> Result<Verdict, Error> {
    let verdict = if known.automatic {
        Err(delivery::Reason::Automatic)
    } else if known.prefetched {
        Err(delivery::Reason::NotViewed)
    } else if !matches!(plan.status()?, Status::Matching | Status::Putting) {
        Err(delivery::Reason::PlanEnded)
    } else {
        Ok(())
    };
    Ok(verdict)
}

/// Books the reserved price of a valid, billable event; keeps it for a click
/// that may follow; otherwise leaves it to lapse.
fn settle_price(
    tx: &mut Tx<'_>,
    plan: &PlanRow,
    nonce: Nonce,
    reserved: Option<i64>,
    verdict: Verdict,
    billable: bool,
) -> Result<i64, Error> {
    match reserved {
        Some(milli) if billable => {
            store::event::book(tx, plan.id(), nonce, milli)?;
            Ok(milli)
        }
        Some(_) if verdict.is_ok() => {
            store::event::extend(tx, nonce, tx.now().plus_seconds(CLICK_HOLD_SECONDS))?;
            Ok(0)
        }
        _ => Ok(0),
    }
}

/// Where a click leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// The product's own address, with the click's id appended; `None` where
    /// the landing page is hosted here.
    pub url: Option<String>,
    pub click_id: String,
    pub verdict: Verdict,
}

/// Somebody clicked.
///
/// # Errors
/// `not_found` for a token that is not this server's.
pub async fn click(app: &App, text: &str, request: &Request) -> Result<Destination, Error> {
    let token = token(app, text)?;
    let known = request.known(app);
    let realm = app.realm();
    let fresh = Nonce(random()?);
    app.db
        .write(move |tx| {
            let plan = store::event::lock_plan(tx, token.plan)?.ok_or(Refusal::NotFound)?;
            let (nonce, slot) = delivery_of(&token, fresh);
            let reserved = store::event::reserved(tx, nonce)?;
            let costs = slot.is_some() && pricing(&plan)? == Pricing::Cpc;
            let verdict = delivery::click(&Click {
                automatic: known.automatic,
                prefetched: known.prefetched,
                clicked_before: store::event::valid_at(tx, &nonce.text(), EventKind::Click)?.is_some(),
                seen_at: store::event::valid_at(tx, &nonce.text(), EventKind::Impression)?.map(|(_, at)| at),
                shared: slot.is_none(),
                affordable: !costs || reserved.is_some() || (is_running(&plan)? && plan.life()?.can_reserve()),
                plan_open: takes_clicks(&plan, slot.is_some(), costs)?,
                at: tx.now(),
                of_visitor: today(tx, plan.id(), known.visitor, EventKind::Click)?,
            });
            let price_milli = match reserved {
                _ if !costs || verdict.is_err() => 0,
                Some(milli) => {
                    store::event::book(tx, plan.id(), nonce, milli)?;
                    milli
                }
                None => store::event::book_late(tx, &plan)?,
            };
            let event = NewEvent {
                plan: plan.id(),
                kind: EventKind::Click,
                nonce,
                slot,
                realm,
                verdict,
                price_milli,
                visitor: known.visitor,
            };
            store::event::insert(tx, &event)?;
            let product = store::product::find(tx, plan.product())?.ok_or(Refusal::NotFound)?;
            let click_id = nonce.text();
            let url = product.landing_url.map(|url| with_click_id(&url, &click_id));
            Ok::<_, Error>(Destination { url, click_id, verdict })
        })
        .await
}

/// A slot's token is one delivery; every visit by a passed-on link is its own.
fn delivery_of(token: &Token, fresh: Nonce) -> (Nonce, Option<base::SlotId>) {
    match token.origin {
        Origin::Slot(slot) => (token.nonce, Some(slot)),
        Origin::Share => (fresh, None),
    }
}

/// A creative that is out may be clicked until its token ends: at no cost as
/// long as conversions count, at a cost while the plan's money is still held.
/// A link passed on ends with the plan.
fn takes_clicks(plan: &PlanRow, from_slot: bool, costs: bool) -> Result<bool, Error> {
    Ok(match plan.status()? {
        Status::Matching | Status::Putting => true,
        Status::PutFinished => from_slot,
        Status::WaitingSettlement => from_slot && !costs,
        _ => false,
    })
}

fn is_running(plan: &PlanRow) -> Result<bool, Error> {
    Ok(matches!(plan.status()?, Status::Matching | Status::Putting))
}

fn pricing(plan: &PlanRow) -> Result<Pricing, Error> {
    Ok(plan.terms()?.pricing)
}

/// Valid events of the visitor on the plan in the last day.
fn today(conn: &mut Conn, plan: PlanId, visitor: Option<Visitor>, kind: EventKind) -> Result<i64, Error> {
    // A visitor's stand-in changes daily, so all of them are of today.
    Ok(store::event::of_visitor(conn, plan, visitor, kind, Timestamp::from_millis(0))?)
}

fn with_click_id(url: &str, click_id: &str) -> String {
    let (address, fragment) = match url.split_once('#') {
        Some((address, fragment)) => (address, format!("#{fragment}")),
        None => (url, String::new()),
    };
    let joint = if address.contains('?') { '&' } else { '?' };
    format!("{address}{joint}click_id={click_id}{fragment}")
}

/// What the hosted landing page shows.
#[derive(Clone, Debug)]
pub struct LandingPage {
    pub creative: Creative,
    pub product: String,
    pub summary: String,
}

/// The page hosted here for a plan's product.
///
/// # Errors
/// `not_found` for a token that is not this server's.
pub async fn landing_page(app: &App, text: &str) -> Result<LandingPage, Error> {
    let token = token(app, text)?;
    let found = app
        .db
        .read(move |conn| {
            let Some((owner, _)) = store::plan::owner(conn, token.plan)? else { return Ok(None) };
            store::plan::find(conn, owner, token.plan)
        })
        .await?;
    let (plan, product) = found.ok_or(Refusal::NotFound)?;
    let creative = crate::serve::creative_of(&plan, &product)?;
    Ok(LandingPage { creative, product: product.name, summary: product.summary })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_click_id_is_appended_before_a_fragment() {
        assert_eq!(with_click_id("https://a.example/p", "x"), "https://a.example/p?click_id=x");
        assert_eq!(with_click_id("https://a.example/p?b=1#c", "x"), "https://a.example/p?b=1&click_id=x#c");
    }
}
