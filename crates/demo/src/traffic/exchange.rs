//! A made-up ad exchange. It asks the server for bids by OpenRTB, over HTTP like any
//! other, holds first-price auctions against made-up competitors, and reports wins,
//! losses and what is to be paid. What it decides depends on its seed alone.

mod asked;
mod auction;
mod shown;

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use base::{Money, PublisherId};
use campaigns::delivery::ssp::staff::{self as ssps, SspReport};
use flate2::Compression;
use flate2::write::GzEncoder;
use openrtb::{Bid, BidResponse, Cpm, NoBid, Substitutes};
use serde_json::{Value, json};
use supply::PublisherStatus;
use tokio::time::{Instant, sleep};

use super::client::path_of;
use super::people::{CONVERSIONS, VIEWABLE, Visitor, clicks_on};
use super::readers::{Count, Readers, VisitEnded};
use crate::Failure;
use crate::dice::Dice;
use asked::{Asked, TMAX};
use auction::{Decision, Fate, competitors, decide, fate};
use shown::ShownAd;

/// The address from which its notices come.
const ADDRESS: &str = "198.19.255.254";
const AGENT: &str = "ExampleExchange/1.0";
const UNKNOWN: &str = "--ssp: no SSP has this key; a new one is valid when a second operator has approved it";
/// The server counts every second.
const COUNTED_AFTER: Duration = Duration::from_millis(500);
const LOOKS: u32 = 8;

/// The settings of the exchange.
#[derive(Clone, Copy, Debug)]
pub struct ExchangeSetup<'a> {
    pub key: &'a str,
    pub seed: u64,
    /// The usual bid of competitors.
    pub cpm: Cpm,
}

pub struct Exchange {
    readers: Readers,
    ssp: PublisherId,
    path: String,
    seed: u64,
    usual: i64,
    currency: String,
    /// How its requests had ended before.
    before: Outcomes,
    counts: ExchangeCounts,
}

type Outcomes = BTreeMap<&'static str, i64>;

#[derive(Debug, Default)]
struct ExchangeCounts {
    requests: Count,
    no_bid: Count,
    bids: Count,
    too_late: Count,
    won: Count,
    lost: Count,
    unseen: Count,
    billed: Count,
    /// Sums of clearing prices, in thousandths of a minor unit.
    won_milli: AtomicI64,
    billed_milli: AtomicI64,
}

/// What the exchange and the reader do with one impression, decided before it is sold.
struct Plan {
    asked: Asked,
    competitors: Vec<i64>,
    fate: Fate,
    /// The exchange bills before the reader's browser has loaded the picture.
    bills_first: bool,
    until_shown: Duration,
    looks: bool,
    clicks: u64,
    buys: bool,
    reads: [Duration; 2],
}

impl Plan {
    fn draw(exchange: &Exchange, number: u64) -> Self {
        let mut dice = Dice::of(exchange.seed, number);
        let asked = Asked::draw(&mut dice, number, exchange.usual, &exchange.currency);
        let mut within = |least, end| Duration::from_millis(least + dice.below(end));
        let (until_shown, reads) = (within(100, 1_500), [within(1_000, 4_000), within(1_000, 4_000)]);
        Self {
            competitors: competitors(&mut dice, asked.usual),
            fate: fate(&mut dice),
            bills_first: dice.chance(500),
            until_shown,
            looks: dice.chance(VIEWABLE),
            clicks: dice.below(1_000),
            buys: dice.chance(CONVERSIONS),
            reads,
            asked,
        }
    }
}

impl Exchange {
    /// # Errors
    /// For a key that no SSP has, or one whose requests are not answered.
    pub async fn open(readers: Readers, setup: ExchangeSetup<'_>) -> Result<Self, Failure> {
        let found = ssps::with_key(&readers.app, setup.key).await?;
        let report = found.ok_or_else(|| Failure::Usage(UNKNOWN.to_owned()))?;
        let publisher = &report.ssp.publisher.publisher;
        if publisher.status != PublisherStatus::Active {
            return Err(Failure::Unanswered(format!("the SSP {} is {}", publisher.name, publisher.status)));
        }
        let ssp = publisher.id;
        let usual = setup.cpm.milli().ok_or_else(|| Failure::Usage(format!("--cpm: {} is too much", setup.cpm)))?;
        Ok(Self {
            ssp,
            path: format!("/openrtb2/bid/{}", setup.key),
            seed: setup.seed,
            usual,
            currency: readers.app.settings.currency.code.clone(),
            before: outcomes(&report),
            counts: ExchangeCounts::default(),
            readers,
        })
    }

    /// How often in a row the server did not answer.
    pub fn in_vain(&self) -> u64 {
        self.readers.counts.in_vain.get()
    }

    /// The auction of this number in the run.
    pub async fn auction(&self, number: u64) {
        // Whatever ended it has been counted.
        let _ = self.hold(&Plan::draw(self, number)).await;
    }

    async fn hold(&self, plan: &Plan) -> Result<(), VisitEnded> {
        let (asked, counts) = (&plan.asked, &self.counts);
        let begun = Instant::now();
        let bid = self.ask(asked).await?;
        let price = bid.price.milli().ok_or_else(|| self.readers.failed())?;
        counts.bids.add();
        if plan.fate == Fate::TooLate || begun.elapsed() > Duration::from_millis(TMAX) {
            counts.too_late.add();
            return Ok(());
        }
        match decide(price, asked.floor, &plan.competitors) {
            Decision::Lost(reason) => {
                counts.lost.add();
                let known = Substitutes { loss: Some(reason), ..self.known(asked, &bid) };
                self.notify(bid.lurl.as_deref(), &known).await
            }
            Decision::Won => {
                counts.won.add();
                counts.won_milli.fetch_add(price, Ordering::Relaxed);
                let known = Substitutes { price: Some(bid.price), loss: Some(0), ..self.known(asked, &bid) };
                self.notify(bid.nurl.as_deref(), &known).await?;
                self.deliver(plan, &bid, price, &known).await
            }
        }
    }

    async fn ask(&self, asked: &Asked) -> Result<Bid, VisitEnded> {
        self.counts.requests.add();
        let body = asked.request.to_string().into_bytes();
        let mut headers = vec![("X-OpenRTB-Version", "2.6".to_owned())];
        let body = if asked.zipped {
            headers.push(("Content-Encoding", "gzip".to_owned()));
            zipped(&body).map_err(|_| self.readers.failed())?
        } else {
            body
        };
        let answer = self.readers.client.post(&self.path, headers, body).await;
        let answer = self.readers.answered(answer, &[200, 204])?;
        self.readers.counts.in_vain.reset();
        if answer.status == 204 {
            self.counts.no_bid.add();
            return Err(VisitEnded);
        }
        let response: BidResponse = serde_json::from_str(&answer.body).map_err(|_| self.readers.failed())?;
        let in_currency = response.cur.as_deref() == Some(&self.currency);
        let bid = response.seatbid.into_iter().flat_map(|seat| seat.bid).next();
        bid.filter(|_| in_currency).ok_or_else(|| self.readers.failed())
    }

    fn known<'a>(&'a self, asked: &'a Asked, bid: &'a Bid) -> Substitutes<'a> {
        let id = asked.request.get("id").and_then(Value::as_str).unwrap_or_default();
        Substitutes { id, imp_id: &bid.impid, currency: &self.currency, ..Substitutes::default() }
    }

    async fn notify(&self, url: Option<&str>, known: &Substitutes<'_>) -> Result<(), VisitEnded> {
        let url = known.fill(url.ok_or_else(|| self.readers.failed())?);
        let path = path_of(&url).ok_or_else(|| self.readers.failed())?;
        let from = Visitor { address: ADDRESS.to_owned(), agent: AGENT };
        self.readers.answered(self.readers.client.get(path, &from).await, &[204]).map(drop)
    }

    /// The ad that won is shown and billed, unless the reader has left.
    async fn deliver(&self, plan: &Plan, bid: &Bid, price: i64, known: &Substitutes<'_>) -> Result<(), VisitEnded> {
        let Fate::Shown { blocked } = plan.fate else {
            self.counts.unseen.add();
            return Ok(());
        };
        sleep(plan.until_shown).await;
        if plan.bills_first {
            self.bill(bid, price, known).await?;
        }
        let markup = known.fill(bid.adm.as_deref().unwrap_or_default());
        let ad = ShownAd::read(&markup).ok_or_else(|| self.readers.failed())?;
        if !blocked {
            self.readers.see(&ad.impression, &plan.asked.visitor).await?;
        }
        if !plan.bills_first {
            self.bill(bid, price, known).await?;
        }
        if blocked { Ok(()) } else { self.read(plan, bid, &ad).await }
    }

    async fn bill(&self, bid: &Bid, price: i64, known: &Substitutes<'_>) -> Result<(), VisitEnded> {
        self.notify(bid.burl.as_deref(), known).await?;
        self.counts.billed.add();
        self.counts.billed_milli.fetch_add(price, Ordering::Relaxed);
        Ok(())
    }

    async fn read(&self, plan: &Plan, bid: &Bid, ad: &ShownAd) -> Result<(), VisitEnded> {
        let (readers, visitor) = (&self.readers, &plan.asked.visitor);
        if let Some(path) = ad.viewable.as_deref().filter(|_| plan.looks) {
            readers.look(path, visitor).await?;
        }
        let liked = clicks_on(plan.asked.place, &json!({ "creative": [&bid.cid, &bid.crid] }));
        let Some(path) = ad.click.as_deref().filter(|_| plan.clicks < liked) else { return Ok(()) };
        let [before_click, before_buying] = plan.reads;
        sleep(before_click).await;
        let click_id = readers.click(path, visitor).await?;
        if plan.buys {
            sleep(before_buying).await;
            readers.buy(&click_id).await?;
        }
        Ok(())
    }

    /// Exchanges are not told why there is no bid: the reasons are those that the server
    /// has counted for this SSP meanwhile.
    pub async fn summary(&self, elapsed: Duration) -> Result<Value, Failure> {
        let (of, readers) = (&self.counts, &self.readers.counts);
        let won = i64::try_from(of.won.get()).unwrap_or(i64::MAX);
        let average = of.won_milli.load(Ordering::Relaxed).checked_div(won).map(Cpm::from_milli);
        let spent = Money::from_minor(of.billed_milli.load(Ordering::Relaxed) / 1_000);
        Ok(json!({
            "requests": of.requests.get(),
            "no_bid": of.no_bid.get(),
            "reasons": self.reasons().await?,
            "bids": of.bids.get(),
            "too_late": of.too_late.get(),
            "lost": of.lost.get(),
            "won": of.won.get(),
            "average_cpm": average.map(|cpm| cpm.to_string()),
            "unseen": of.unseen.get(),
            "billed": of.billed.get(),
            "spent": spent.to_string(),
            "shown": readers.impressions.get(),
            "clicks": readers.clicks.get(),
            "conversions": readers.conversions.get(),
            "errors": readers.errors.get(),
            "seconds": elapsed.as_secs(),
        }))
    }

    async fn reasons(&self) -> Result<Outcomes, Failure> {
        let answered = i64::try_from(self.counts.no_bid.get() + self.counts.bids.get()).unwrap_or(i64::MAX);
        let mut since = Outcomes::new();
        for _ in 0..LOOKS {
            since = outcomes(&ssps::show(&self.readers.app, self.ssp).await?);
            since.iter_mut().for_each(|(name, number)| *number -= self.before.get(name).unwrap_or(&0));
            if since.get("requests").is_some_and(|counted| *counted >= answered) {
                break;
            }
            sleep(COUNTED_AFTER).await;
        }
        since.retain(|name, number| *number > 0 && NoBid::from_name(name).is_some());
        Ok(since)
    }
}

/// The outcomes of all days.
fn outcomes(report: &SspReport) -> Outcomes {
    let mut all = Outcomes::new();
    for (name, number) in report.days.iter().flat_map(|day| &day.outcomes) {
        *all.entry(name).or_default() += number;
    }
    all
}

fn zipped(body: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut zip = GzEncoder::new(Vec::new(), Compression::fast());
    zip.write_all(body)?;
    zip.finish()
}
