//! Receives impressions and clicks. Each is stored before it is answered, with the reason if it does not count.

use std::net::IpAddr;

use base::{Timestamp, refuse_if};
use delivery::{
    Device, Event, EventKind, Judgement, Nonce, Origin, Promise, Purpose, Token, Verdict, is_automatic, visitor,
    with_click_id,
};
use foundation::{App, Error, Refusal, random};
use i18n::Lang;
use openrtb::Cleared;

use crate::AdServer;
use crate::catalogue::products::{Creative, content_of};
use crate::delivery::judge::{Answer, JudgeEvent};
use crate::delivery::market::{CountedEvent, Identity, KeptOffer};
use crate::delivery::serve::creative_of;

/// What a request reveals about its visitor.
#[derive(Clone, Debug)]
pub struct EventRequest {
    pub address: IpAddr,
    pub user_agent: String,
    /// A HEAD request, or a declared prefetch.
    pub prefetched: bool,
    /// `DNT: 1` or `Sec-GPC: 1`.
    pub opted_out: bool,
}

impl EventRequest {
    /// The event that the request reports. `counted` is set if the visitor can be told apart from others.
    fn event(&self, app: &App, kind: EventKind, token: Token, counted: Option<&CountedEvent>) -> Result<Event, Error> {
        let unnamed = self.is_unnamed(&token);
        let named = self.network(app).filter(|_| !unnamed);
        let automatic = is_automatic(&self.user_agent);
        Ok(Event {
            kind,
            // A slot's token stands for one delivery, but each visit through a share link is a separate one.
            nonce: match token.origin {
                Origin::Slot(_) => token.nonce,
                Origin::Share => Nonce::mint(app.now(), random()?),
            },
            token,
            promised: None,
            is_lost: false,
            by_notice: false,
            cleared_milli: None,
            automatic,
            prefetched: self.prefetched,
            visitor: named.and_then(|address| visitor(app.secrets.signing(), address, app.now(), false)),
            device: if automatic || unnamed { None } else { Device::of(&self.user_agent) },
            of_passing: counted.map_or(0, |counted| counted.before),
        })
    }

    /// Whether the visitor must not be recognised, because they opted out, or the page or exchange that showed the
    /// creative did.
    const fn is_unnamed(&self, token: &Token) -> bool {
        self.opted_out || token.limited
    }

    /// The visitor's address, if it identifies one. Simulated visitors come from this
    /// machine; without an address of their own, they cannot be told apart.
    pub fn network(&self, app: &App) -> Option<IpAddr> {
        let local = app.realm() == store::Realm::Simulated && self.address.to_canonical().is_loopback();
        (!local).then_some(self.address)
    }
}

/// Reads a token of this server and realm.
///
/// # Errors
/// `not_found` for anything else.
pub(crate) fn token(app: &App, text: &str) -> Result<Token, Error> {
    Token::verify(text, app.secrets.signing())
        .ok()
        .filter(|token| token.realm == app.realm().code())
        .ok_or_else(|| Refusal::NotFound.into())
}

/// Reports that a creative was seen.
///
/// # Errors
/// `not_found` for a token that this server did not sign.
pub async fn impression(app: &AdServer, text: &str, request: &EventRequest) -> Result<Verdict, Error> {
    impression_at(app, text, "", request).await
}

/// Reports that a creative was seen, with what an exchange inserted for the auction's price. Anybody who sees the
/// creative can insert anything there, so the price is not used: the exchange names it in its notice. An ad that an
/// exchange shows only to check it is not a view.
///
/// # Errors
/// `not_found` for a token that this server did not sign.
pub async fn impression_at(app: &AdServer, text: &str, price: &str, request: &EventRequest) -> Result<Verdict, Error> {
    let token = token(app, text)?;
    if token.bid.is_some() && matches!(Cleared::read(price), Ok(Cleared::Audit)) {
        return Ok(Ok(()));
    }
    Ok(app.track(EventKind::Impression, token, request).await?.0)
}

/// Reports on behalf of an exchange that an impression must be paid. Nothing is known of the reader.
///
/// # Errors
/// `not_found` for a token that was not offered to an exchange.
pub(crate) async fn bill_view(
    app: &AdServer,
    token: Token,
    cleared_milli: Option<i64>,
    from: IpAddr,
) -> Result<Verdict, Error> {
    refuse_if(token.bid.is_none(), Refusal::NotFound)?;
    let is_lost = app.market.is_lost(&token);
    let event = Event {
        kind: EventKind::Impression,
        nonce: token.nonce,
        promised: app.promised(EventKind::Impression, &token, is_lost),
        is_lost,
        token,
        by_notice: true,
        cleared_milli,
        automatic: false,
        prefetched: false,
        visitor: None,
        device: None,
        of_passing: 0,
    };
    let (judged, _) = app.judge(event, from).await?;
    Ok(judged.verdict)
}

/// Reports that a creative was in view for long enough.
///
/// # Errors
/// `not_found` for a token that this server did not sign.
pub async fn viewable(app: &AdServer, text: &str, request: &EventRequest) -> Result<Verdict, Error> {
    let token = token(app, text)?;
    Ok(app.track(EventKind::Viewable, token, request).await?.0)
}

/// Where a click leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// The product's own address with the click's id appended; `None` for the hosted
    /// page.
    pub url: Option<String>,
    pub click_id: String,
    pub verdict: Verdict,
}

/// Reports a click.
///
/// # Errors
/// `not_found` for a token that this server did not sign.
pub async fn click(app: &AdServer, text: &str, request: &EventRequest) -> Result<Destination, Error> {
    let token = token(app, text)?;
    let (verdict, nonce, landing_url) = app.track(EventKind::Click, token, request).await?;
    let click_id = nonce.text();
    let url = landing_url.and_then(|url| with_click_id(&url, &click_id));
    Ok(Destination { url, click_id, verdict })
}

type Tracked = (Verdict, Nonce, Option<String>);

impl AdServer {
    /// Judges and stores an event of a visitor, batched with others. Returns the verdict, the
    /// event's nonce, and where a click leads.
    async fn track(&self, kind: EventKind, token: Token, request: &EventRequest) -> Result<Tracked, Error> {
        let now = self.now();
        let (plan, origin) = (token.plan, token.origin);
        let purpose = if token.offered_seconds.is_some() { Purpose::Offer } else { Purpose::Show };
        let is_lost = kind == EventKind::Impression && self.market.is_lost(&token);
        let promised = self.promised(kind, &token, is_lost);
        let network = request.network(self);
        let identity = if request.is_unnamed(&token) { Identity::Withheld } else { Identity::Stored };
        let counted = network.map(|address| self.market.count_passing((plan, kind), address, identity, now));
        let event = Event { promised, is_lost, ..request.event(self, kind, token, counted.as_ref())? };
        let nonce = event.nonce;
        let answer = self.judge(event, request.address).await;
        let confirms = |judged: &Judgement| judged.report.is_some_and(|of| of.kind == EventKind::Confirmation);
        let counts = answer.as_ref().is_ok_and(|(judged, _)| judged.verdict.is_ok() || confirms(judged));
        if let Some(counted) = counted.filter(|_| !counts) {
            self.market.take_back(&counted, now);
        }
        if let (Some(address), Origin::Slot(slot), true) = (network, origin, counts)
            && kind == EventKind::Impression
        {
            self.market.note_look(self.market.passing(address, now), slot, purpose, now);
        }
        let (judged, landing_url): Answer = answer?;
        Ok((judged.verdict, nonce, landing_url))
    }

    /// Renews the promise of the price of a late event, or of a view of a bid that has lost, if that is possible.
    fn promised(&self, kind: EventKind, token: &Token, is_lost: bool) -> Option<Timestamp> {
        let now = self.now();
        let promised = token.promise_lapsed(kind, now).or(is_lost.then_some(now))?;
        self.market.promise_again(token, promised, now)
    }

    /// Judges and stores an event, and updates the promise in its lease.
    async fn judge(&self, event: Event, from: IpAddr) -> Result<Answer, Error> {
        let place = self.refused_events.place(event.token.plan, from, self.market.servers(), self.now());
        let kept_if_refused = place.is_some();
        let answer = self.db.batch(JudgeEvent { event: event.clone(), kept_if_refused, realm: self.realm() }).await;
        let is_refused = |judged: &Judgement| judged.verdict.is_err() && !event.is_second_report(judged.verdict);
        let refused = answer.as_ref().map_or(true, |(judged, _)| is_refused(judged));
        match &answer {
            Ok((judged, _)) => self.figures.event(event.kind, judged.verdict),
            Err(_) => self.figures.count_lost_event(event.kind),
        }
        match place {
            Some(place) if !refused => self.refused_events.give_back(place),
            None if refused => self.refused_events.count_unkept(),
            _ => {}
        }
        let promise = answer.as_ref().map_or(Promise::Untouched, |(judged, _)| judged.promise);
        self.keep_promise(&event.token, event.promised, promise);
        answer
    }

    /// Updates the promise in the lease with what became of the price.
    fn keep_promise(&self, token: &Token, again: Option<Timestamp>, promise: Promise) {
        let booked = |lease, until| self.market.book(token, KeptOffer { lease, until }, self.now());
        match promise {
            Promise::Booked(until) => booked(token.lease, until),
            Promise::Won(lease, until) => booked(lease, until),
            Promise::Kept(until, kept) => self.market.keep(token, until, kept),
            Promise::Untouched => {}
        }
        if let Some(until) = again.filter(|until| promise != Promise::Booked(*until)) {
            self.market.forgo(token, until);
        }
    }
}

/// The content of the hosted landing page.
#[derive(Clone, Debug)]
pub struct LandingPage {
    pub creative: Creative,
    pub product: String,
    pub summary: String,
    /// The language of the content: the reader's, or else English.
    pub lang: Lang,
}

/// The hosted page of a plan's product, in the reader's language.
///
/// # Errors
/// `not_found` for a token that this server did not sign.
pub async fn landing_page(app: &App, text: &str, lang: Lang) -> Result<LandingPage, Error> {
    let token = token(app, text)?;
    let found = app
        .db
        .read(move |conn| {
            let Some((owner, _)) = store::plans::plan::owner(conn, token.plan)? else { return Ok(None) };
            let Some((plan, product)) = store::plans::plan::find(conn, owner, token.plan)? else { return Ok(None) };
            let arm = match token.choice {
                Some(choice) => store::delivery::arm::find(conn, token.plan, choice.arm)?,
                None => None,
            };
            Ok::<_, store::Error>(Some((plan, product, arm)))
        })
        .await?;
    let (plan, product, arm) = found.ok_or(Refusal::NotFound)?;
    let mut content = content_of(&product)?;
    let told = if content.translations.contains_key(lang.code()) { lang } else { Lang::En };
    let summary = content.tell_in(lang.code()).unwrap_or(product.summary);
    let creative = creative_of(&plan, product.id, &content, arm.as_ref())?;
    Ok(LandingPage { creative, product: product.name, summary, lang: told })
}
