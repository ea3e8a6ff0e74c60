//! Conversions that advertisers report, many at once: whose clicks they are on
//! is looked up, the wallets and advertisers are locked, each is decided in
//! order in memory, and all are written with one statement per table.

use std::collections::{BTreeMap, HashMap};

use base::{AdvertiserId, Money, PlanId, Timestamp, UserId};
use delivery::{Conversion, Nonce, Reason, Verdict};
use plans::Status;
use store::delivery::claims::{self, Claimed};
use store::delivery::conversion::{self, NewConversion};
use store::delivery::event::{self, Clicked};
use store::plans::plan::Window;
use store::wallet::books::{Books, Entered, Note};
use store::{Answers, Batch, Realm, Tx};
use wallet::Document;

use crate::Error;

/// A conversion as an advertiser reports it.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    pub advertiser: AdvertiserId,
    pub event_id: String,
    pub click_id: String,
    /// `None` for the moment it is decided at.
    pub occurred_at: Option<Timestamp>,
    pub realm: Realm,
}

/// The verdict, and whether it was given before.
pub(crate) type Reported = (Verdict, bool);

impl Batch for Report {
    type Answer = Reported;
    type Error = Error;

    fn run(tx: &mut Tx<'_>, reports: &[Self]) -> Result<Answers<Self>, Error> {
        let mut desk = Desk::open(tx, reports)?;
        let mut answers = Vec::with_capacity(reports.len());
        for report in reports {
            answers.push(Ok(desk.decide(report, tx.now())?));
        }
        desk.close(tx)?;
        Ok(answers)
    }
}

/// Everything a batch of reports is decided on, as those decided have left it.
struct Desk<'a> {
    clicks: HashMap<Nonce, Clicked>,
    books: Books,
    windows: HashMap<i64, Window>,
    /// By advertiser and event id.
    verdicts: HashMap<(i64, String), Verdict>,
    /// How many conversions each click has brought, by its id.
    of_clicks: HashMap<String, i64>,
    /// By advertiser.
    days: HashMap<i64, Claimed>,
    /// What this batch claims of each advertiser.
    claims: BTreeMap<i64, i64>,
    new: Vec<NewConversion<'a>>,
    entered: Vec<(usize, Entered)>,
    marks: BTreeMap<i64, i64>,
}

impl<'a> Desk<'a> {
    fn open(tx: &mut Tx<'_>, reports: &'a [Report]) -> Result<Self, Error> {
        let mut nonces: Vec<Nonce> = reports.iter().filter_map(|report| Nonce::parse(&report.click_id)).collect();
        nonces.sort_unstable_by_key(|nonce| nonce.0);
        nonces.dedup();
        let clicked = event::clicked(tx, &nonces)?;
        // Who reports is locked too, so that one event id cannot come twice at once.
        let advertisers = clicked.iter().map(|click| AdvertiserId(click.advertiser_id));
        let advertisers = advertisers.chain(reports.iter().map(|report| report.advertiser));
        let books = Books::lock(tx, clicked.iter().map(|click| UserId(click.user_id)), advertisers)?;
        let windows = store::plans::plan::windows(tx, clicked.iter().map(|click| PlanId(click.plan_id)))?;
        let mut keys: Vec<_> = reports.iter().map(|report| (report.advertiser, report.event_id.as_str())).collect();
        keys.sort_unstable();
        keys.dedup();
        let click_ids = clicked.iter().map(|click| click.nonce().text()).collect();
        Ok(Self {
            verdicts: conversion::verdicts(tx, &keys)?,
            of_clicks: conversion::of_clicks(tx, click_ids)?,
            days: claims::of_today(tx, clicked.iter().map(|click| AdvertiserId(click.advertiser_id)))?,
            claims: BTreeMap::new(),
            clicks: clicked.into_iter().map(|click| (click.nonce(), click)).collect(),
            books,
            windows: windows.into_iter().map(|window| (window.plan_id, window)).collect(),
            new: Vec::with_capacity(reports.len()),
            entered: Vec::with_capacity(reports.len()),
            marks: BTreeMap::new(),
        })
    }

    fn decide(&mut self, report: &'a Report, now: Timestamp) -> Result<Reported, Error> {
        let key = (report.advertiser.0, report.event_id.clone());
        if let Some(verdict) = self.verdicts.get(&key) {
            return Ok((*verdict, true));
        }
        let occurred_at = report.occurred_at.unwrap_or(now);
        let click = Nonce::parse(&report.click_id).and_then(|nonce| self.clicks.get(&nonce)).cloned();
        let verdict = self.judge(report, click.as_ref(), occurred_at, now)?;
        let mut payout = Money::ZERO;
        if let (Some(click), Ok(())) = (&click, verdict) {
            payout = Money::from_minor(click.payout);
            self.accept(click, payout, occurred_at.min(now))?;
            self.count(click, payout)?;
        }
        self.new.push(NewConversion {
            advertiser: report.advertiser,
            event_key: &report.event_id,
            click_id: &report.click_id,
            plan: click.as_ref().map(|click| PlanId(click.plan_id)),
            occurred_at,
            realm: report.realm,
            verdict,
            payout,
            arm: click.as_ref().and_then(|click| click.arm),
        });
        self.verdicts.insert(key, verdict);
        Ok((verdict, false))
    }

    fn judge(
        &self,
        report: &Report,
        click: Option<&Clicked>,
        occurred_at: Timestamp,
        now: Timestamp,
    ) -> Result<Verdict, Error> {
        let found = click.and_then(|click| Some((click, self.windows.get(&click.plan_id)?)));
        let Some((click, window)) = found else { return Ok(Err(Reason::UnknownClick)) };
        let verdict = delivery::conversion(&Conversion {
            clicked_at: Some(click.at()),
            own_product: click.advertiser_id == report.advertiser.0,
            occurred_at,
            received_at: now,
            attribution_days: click.attribution_days.into(),
            plan_open: takes_conversions(window, now)?,
            of_click: self.of_clicks.get(&report.click_id).copied().unwrap_or_default(),
            per_click: click.conversions_per_click.into(),
        });
        if verdict.is_err() {
            return Ok(verdict);
        }
        let (payout, claims) = (Money::from_minor(click.payout), self.books.advertiser(report.advertiser)?.claims);
        if payout > claims {
            return Ok(Err(Reason::AdvertiserFundsExhausted));
        }
        let capped = match self.days.get(&report.advertiser.0) {
            Some(Claimed { so_far, cap: Some(cap) }) => so_far.plus(payout)? > *cap,
            _ => false,
        };
        Ok(if capped { Err(Reason::DailyCapReached) } else { Ok(()) })
    }

    /// So that the next one is decided on what this one left.
    fn count(&mut self, click: &Clicked, payout: Money) -> Result<(), Error> {
        *self.of_clicks.entry(click.nonce().text()).or_default() += 1;
        let claimed = self.claims.entry(click.advertiser_id).or_default();
        *claimed = Money::from_minor(*claimed).plus(payout)?.minor();
        if let Some(day) = self.days.get_mut(&click.advertiser_id) {
            day.so_far = day.so_far.plus(payout)?;
        }
        Ok(())
    }

    fn accept(&mut self, click: &Clicked, payout: Money, event_at: Timestamp) -> Result<(), Error> {
        let advertiser = self.books.advertiser(AdvertiserId(click.advertiser_id))?;
        let wallet = self.books.wallet_of(UserId(click.user_id))?;
        let postings = wallet::accept_conversion(wallet, &advertiser, payout)?;
        let note = Note {
            // Its number is known once it is written.
            document: Document::Conversion(0),
            event_at,
            actor: format!("advertiser:{}", click.advertiser_id),
            reason: click.plan_no.clone(),
            idempotency_key: None,
        };
        let entered = self.books.enter(&postings, note)?;
        self.entered.push((self.new.len(), entered));
        if let Some(window) = self.windows.get(&click.plan_id) {
            self.marks.insert(window.plan_id, window.rolled_at);
        }
        Ok(())
    }

    fn close(mut self, tx: &mut Tx<'_>) -> Result<(), Error> {
        let ids = conversion::insert(tx, &self.new)?;
        for (place, entered) in self.entered {
            let new = self.new.get(place).map(|new| (new.advertiser.0, new.event_key.to_owned()));
            let id = new.and_then(|key| ids.get(&key)).copied();
            let id = id.ok_or_else(|| Error::Internal("a conversion was not written".into()))?;
            self.books.refer(entered, Document::Conversion(id));
        }
        self.books.flush(tx)?;
        claims::add(tx, &self.claims)?;
        Ok(store::delivery::rollup::mark(tx, &self.marks)?)
    }
}

fn takes_conversions(window: &Window, now: Timestamp) -> Result<bool, Error> {
    Ok(match window.status()? {
        Status::Matching | Status::Putting => true,
        Status::PutFinished | Status::WaitingSettlement => window.settles_at.is_some_and(|at| now.millis() < at),
        _ => false,
    })
}
