//! Handles conversions reported by advertisers, many at once: finds their clicks, locks the wallets and advertisers,
//! decides each in order in memory, and saves all with one statement per table.

use std::collections::{BTreeMap, HashMap};

use base::{AdvertiserId, Money, PlanId, Timestamp};
use delivery::{Conversion, Nonce, Reason, Verdict};
use foundation::Error;
use store::delivery::conversion::{self, NewConversion, Precedent, ReportKey, Window};
use store::delivery::event::{self, ValidClick};
use store::delivery::unrolled;
use store::wallet::books::{Applied, Books, Note};
use store::{Batch, Context, Realm, Tx};
use wallet::Document;

/// A conversion as reported by an advertiser.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    pub advertiser: AdvertiserId,
    pub event_id: String,
    pub click_id: String,
    /// When it happened; `None` for the time of the decision.
    pub occurred_at: Option<Timestamp>,
    pub realm: Realm,
}

/// An accepted conversion that is not saved yet.
struct Accepted {
    /// Its index among the new conversions.
    place: usize,
    applied: Applied,
    event_at: Timestamp,
    plan_no: String,
}

/// The verdict, and whether it was given before.
pub(crate) type ReportVerdict = (Verdict, bool);

/// Everything that decisions depend on, including the effects of earlier ones in the batch.
#[derive(Default)]
pub(crate) struct State {
    clicks: HashMap<Nonce, ValidClick>,
    books: Books,
    /// By plan.
    windows: HashMap<PlanId, Window>,
    /// By advertiser and event id.
    verdicts: HashMap<(i64, String), Verdict>,
    /// The number of conversions of each click, by its id.
    of_clicks: HashMap<String, i64>,
    new: Vec<NewConversion>,
    /// Reports that are judged again, because their click was unknown when they were first stored.
    judged_anew: Vec<(AdvertiserId, String)>,
    accepted: Vec<Accepted>,
    marks: BTreeMap<PlanId, Timestamp>,
    now: Timestamp,
}

/// The conversions of one call, which are answered in order.
pub(crate) struct Reports(pub Vec<Report>);

impl Batch<Context> for Reports {
    type Answer = Vec<ReportVerdict>;
    type Error = Error;
    type State = State;
    type Decision = Vec<ReportVerdict>;
    type Saved = ();

    fn load(tx: &mut Tx<'_>, calls: &[Self]) -> Result<State, Error> {
        let reports: Vec<&Report> = calls.iter().flat_map(|Self(reports)| reports).collect();
        let mut nonces: Vec<Nonce> = reports.iter().filter_map(|report| Nonce::parse(&report.click_id)).collect();
        nonces.sort_unstable_by_key(|nonce| nonce.0);
        nonces.dedup();
        let clicked = event::clicked(tx, &nonces)?;
        // The reporting advertisers are locked as well, so that the same event id cannot arrive twice at once.
        let advertisers = clicked.iter().map(|click| click.advertiser_id);
        let advertisers = advertisers.chain(reports.iter().map(|report| report.advertiser));
        let books = Books::lock(tx, clicked.iter().map(|click| click.user_id), advertisers)?;
        let clicks: HashMap<_, _> = clicked.into_iter().map(|click| (click.nonce(), click)).collect();
        let keys: Vec<ReportKey<'_>> = reports.iter().map(|report| report.key(&clicks)).collect();
        let precedents = conversion::precedents(tx, &keys)?;
        let mut state = State {
            clicks,
            books,
            new: Vec::with_capacity(reports.len()),
            accepted: Vec::with_capacity(reports.len()),
            now: tx.now(),
            ..State::default()
        };
        keys.iter().zip(precedents).for_each(|(key, precedent)| state.remember(key, precedent));
        Ok(state)
    }

    fn decide(&self, state: &mut State) -> Result<Vec<ReportVerdict>, Error> {
        self.0.iter().map(|report| state.decide(report)).collect()
    }

    fn save(state: State, tx: &mut Tx<'_>) -> Result<(), Error> {
        let State { mut books, new, judged_anew, accepted, marks, .. } = state;
        conversion::forget_refused(tx, &judged_anew)?;
        let ids = conversion::insert(tx, &new)?;
        for Accepted { place, applied, event_at, plan_no } in accepted {
            let key = new.get(place).map(|new| (new.advertiser.0, new.event_key.clone()));
            let written = key.and_then(|key| Some((*ids.get(&key)?, key.0)));
            let (id, advertiser) = written.ok_or_else(|| Error::Internal("a conversion was not written".into()))?;
            let note = Note {
                document: Document::Conversion(id),
                event_at,
                actor: format!("advertiser:{advertiser}"),
                reason: plan_no,
                idempotency_key: None,
            };
            books.explain(applied, note);
        }
        books.flush(tx)?;
        Ok(unrolled::mark(tx, &marks)?)
    }

    fn answer(decisions: Vec<ReportVerdict>, (): &()) -> Vec<ReportVerdict> {
        decisions
    }
}

impl Report {
    fn key<'a>(&'a self, clicks: &HashMap<Nonce, ValidClick>) -> ReportKey<'a> {
        let click = Nonce::parse(&self.click_id).and_then(|nonce| clicks.get(&nonce));
        ReportKey {
            advertiser: self.advertiser,
            event_key: &self.event_id,
            click_id: &self.click_id,
            plan: click.map(|click| click.plan_id),
        }
    }
}

impl State {
    fn remember(&mut self, of: &ReportKey<'_>, precedent: Precedent) {
        self.windows.extend(of.plan.zip(precedent.window));
        self.of_clicks.insert(of.click_id.to_owned(), precedent.of_click);
        let key = (of.advertiser.0, of.event_key.to_owned());
        self.verdicts.extend(precedent.verdict.map(|verdict| (key, verdict)));
    }

    fn decide(&mut self, report: &Report) -> Result<ReportVerdict, Error> {
        let key = (report.advertiser.0, report.event_id.clone());
        let click = Nonce::parse(&report.click_id).and_then(|nonce| self.clicks.get(&nonce)).cloned();
        let earlier = self.verdicts.get(&key).copied();
        // A report on an unknown click was not decided on its merits: once the click is known, it is judged again.
        let anew = earlier == Some(Err(Reason::UnknownClick)) && self.known(click.as_ref()).is_some();
        if let Some(verdict) = earlier.filter(|_| !anew) {
            return Ok((verdict, true));
        }
        let place = if anew { self.make_room(report) } else { self.new.len() };
        let occurred_at = report.occurred_at.unwrap_or(self.now);
        let verdict = self.judge(report, click.as_ref(), occurred_at)?;
        let accepted = click.as_ref().filter(|_| verdict.is_ok());
        if let Some(click) = accepted {
            self.accept(click, occurred_at.min(self.now), place)?;
        }
        let new = NewConversion {
            advertiser: report.advertiser,
            event_key: report.event_id.clone(),
            click_id: report.click_id.clone(),
            plan: click.as_ref().map(|click| click.plan_id),
            occurred_at,
            realm: report.realm,
            verdict,
            payout: accepted.map_or(Money::ZERO, |click| click.payout),
            arm: click.as_ref().and_then(|click| click.arm),
            origin: click.as_ref().map(ValidClick::origin).unwrap_or_default(),
        };
        match self.new.get_mut(place) {
            Some(unknown) => *unknown = new,
            None => self.new.push(new),
        }
        self.verdicts.insert(key, verdict);
        Ok((verdict, false))
    }

    /// The place for a report that is judged again: that of its first verdict in this batch, or a new one in place of
    /// the stored verdict.
    fn make_room(&mut self, report: &Report) -> usize {
        let is_same = |new: &NewConversion| new.advertiser == report.advertiser && new.event_key == report.event_id;
        self.new.iter().position(is_same).unwrap_or_else(|| {
            self.judged_anew.push((report.advertiser, report.event_id.clone()));
            self.new.len()
        })
    }

    fn known<'a>(&'a self, click: Option<&'a ValidClick>) -> Option<(&'a ValidClick, &'a Window)> {
        click.and_then(|click| Some((click, self.windows.get(&click.plan_id)?)))
    }

    fn judge(&self, report: &Report, click: Option<&ValidClick>, occurred_at: Timestamp) -> Result<Verdict, Error> {
        let Some((click, window)) = self.known(click) else { return Ok(Err(Reason::UnknownClick)) };
        let (claimed_today, daily_cap) = self.books.claimed_today(report.advertiser, self.now)?;
        Ok(delivery::conversion(&Conversion {
            clicked_at: Some(click.at()),
            own_product: click.advertiser_id == report.advertiser,
            occurred_at,
            received_at: self.now,
            attribution_days: click.attribution_days.into(),
            plan_open: window.takes_conversions(self.now),
            of_click: self.of_clicks.get(&report.click_id).copied().unwrap_or_default(),
            per_click: click.conversions_per_click.into(),
            payout: click.payout,
            funds: self.books.advertiser(report.advertiser)?.claims,
            claimed_today,
            daily_cap,
        }))
    }

    /// Posts an accepted conversion, so that the next one is decided on the result.
    fn accept(&mut self, click: &ValidClick, event_at: Timestamp, place: usize) -> Result<(), Error> {
        let payout = click.payout;
        let advertiser = self.books.advertiser(click.advertiser_id)?;
        let wallet = self.books.wallet_of(click.user_id)?;
        let postings = wallet::accept_conversion(wallet, &advertiser, payout)?;
        let applied = self.books.apply(&postings)?;
        self.accepted.push(Accepted { place, applied, event_at, plan_no: click.plan_no.clone() });
        if let Some(window) = self.windows.get(&click.plan_id) {
            self.marks.insert(click.plan_id, window.rolled_at);
        }
        *self.of_clicks.entry(click.nonce().text()).or_default() += 1;
        self.books.claimed_day(click.advertiser_id)?.claim(self.now, payout)?;
        Ok(())
    }
}
