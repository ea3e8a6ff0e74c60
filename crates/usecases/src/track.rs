//! Impressions and clicks as they come back. Each is kept, with the reason
//! where it does not count, and is durable before it is answered.

use std::net::IpAddr;

use delivery::{CLICK_HOLD_SECONDS, EventKind, Nonce, Origin, Token, Verdict, Visitor, is_automatic, visitor};

use crate::catalog::Creative;
use crate::judge::{Event, Judged, Known, Promise};
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
    Ok(app.track(EventKind::Impression, token, request).await?.verdict)
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
    let judged = app.track(EventKind::Click, token, request).await?;
    let click_id = judged.nonce.text();
    let url = judged.landing_url.map(|url| with_click_id(&url, &click_id));
    Ok(Destination { url, click_id, verdict: judged.verdict })
}

impl App {
    /// Judges an event and keeps it, together with those that come beside it.
    async fn track(&self, kind: EventKind, token: Token, request: &Request) -> Result<Judged, Error> {
        // A slot's token is one delivery; every visit by a passed-on link is its own.
        let nonce = match token.origin {
            Origin::Slot(_) => token.nonce,
            Origin::Share => Nonce::mint(self.now(), random()?),
        };
        let now = self.now();
        let late = kind == EventKind::Click && now.since(token.issued_at) > CLICK_HOLD_SECONDS * 1000;
        let promised = if late { self.market.promise_again(token.plan, token.lease, now) } else { None };
        let place = self.refused_events.place(token.plan, request.address, now);
        let (known, kept_if_refused) = (request.known(self), place.is_some());
        let event = Event { kind, token, nonce, promised, known, kept_if_refused, realm: self.realm() };
        let judged = self.db.batch(event).await?;
        match place {
            Some(place) if judged.verdict.is_ok() => self.refused_events.give_back(place),
            None if judged.verdict.is_err() => self.refused_events.count_unkept(),
            _ => {}
        }
        match judged.promise {
            Promise::Settled => self.market.seen(token.plan, token.issued_at, None),
            Promise::Kept(until) => self.market.seen(token.plan, token.issued_at, Some(until)),
            Promise::Clicked(until) => self.market.clicked(token.plan, until),
            Promise::Untouched => {}
        }
        Ok(judged)
    }
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
            let Some((plan, product)) = store::plan::find(conn, owner, token.plan)? else { return Ok(None) };
            let arm = match token.choice {
                Some(choice) => store::arm::find(conn, token.plan, choice.arm)?,
                None => None,
            };
            Ok::<_, store::Error>(Some((plan, product, arm)))
        })
        .await?;
    let (plan, product, arm) = found.ok_or(Refusal::NotFound)?;
    let creative = crate::serve::creative_of(&plan, &product, arm.as_ref())?;
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
