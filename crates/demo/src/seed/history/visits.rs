//! Visitors of the past: the same slots, events and postbacks as those of today, without
//! the way over HTTP.

use std::net::IpAddr;

use campaigns::delivery::postback::{Postback, postback};
use campaigns::delivery::serve::{SlotAnswer, serve};
use campaigns::delivery::track::{EventRequest, click, impression, viewable};
use campaigns::work;
use desk::installation::simulated;
use foundation::{App, Error};
use futures_util::future::try_join_all;
use i18n::Lang;
use serde_json::json;

use crate::Failure;
use crate::dice::Dice;
use crate::traffic::people::{CONVERSIONS, DUPLICATES, Visitor, clicks_on};
use campaigns::AdServer;

/// Nobody requests a picture, so addresses of creatives need no host.
const BASE: &str = "";
/// Sales that the advertiser takes back.
const REVERSALS: u64 = 60;

/// A creative that was sent.
struct View {
    answer: SlotAnswer,
    reader: EventRequest,
    /// Per thousand.
    clicks: u64,
}

pub struct Visits {
    dice: Dice,
    sold: u64,
}

impl Visits {
    pub const fn new(seed: u64) -> Self {
        Self { dice: Dice::new(seed), sold: 0 }
    }

    /// About half a minute in which this many readers open pages with slots.
    pub async fn happen(&mut self, app: &AdServer, readers: u64, slots: &[&str]) -> Result<(), Failure> {
        work::round(app).await?;
        let views = self.open_pages(app, readers, slots).await?;
        app.clock().advance_seconds(1);
        let seen = views.iter().flat_map(|view| {
            let times = if self.dice.chance(DUPLICATES) { 2 } else { 1 };
            (0..times).map(move |_| impression(app, token(&view.answer.impression_url), &view.reader))
        });
        try_join_all(seen.collect::<Vec<_>>()).await?;
        app.clock().advance_seconds(1);
        // Drawn by position, so that no other draw depends on it.
        let looked = views.iter().enumerate().filter(|(at, _)| (at * 640) % 1_000 < 640);
        let looked = looked.map(|(_, view)| viewable(app, token(&view.answer.viewable_url), &view.reader));
        try_join_all(looked).await?;
        app.clock().advance_seconds(3);
        let clicked: Vec<&View> = views.iter().filter(|view| self.dice.chance(view.clicks)).collect();
        let clicked = clicked.into_iter().map(|view| click(app, token(&view.answer.click_url), &view.reader));
        let clicked = try_join_all(clicked).await?;
        app.clock().advance_seconds(8);
        for click in clicked {
            if self.dice.chance(CONVERSIONS) {
                self.buy(app, &click.click_id).await?;
            }
        }
        app.clock().advance_seconds(work::COUNT_EVERY_SECONDS);
        Ok(work::round(app).await?)
    }

    /// Creatives are sent that nobody looks at.
    pub async fn turn_away(&mut self, app: &AdServer, readers: u64, slots: &[&str]) -> Result<(), Failure> {
        self.open_pages(app, readers, slots).await.map(|_| ())
    }

    async fn open_pages(&mut self, app: &AdServer, readers: u64, slots: &[&str]) -> Result<Vec<View>, Failure> {
        let mut views = Vec::new();
        for _ in 0..readers {
            let Some(slot) = self.dice.pick(slots) else { break };
            let reader = self.reader()?;
            let answer = serve(app, slot, Some(reader.address), BASE, Lang::En).await?;
            // Which plan comes next does not depend on how long a lease takes.
            simulated::wait_for_leases(app).await?;
            if let Some(answer) = answer {
                let clicks = clicks_on(slot, &json!({ "creative": answer.creative }));
                views.push(View { answer, reader, clicks });
            }
        }
        Ok(views)
    }

    fn reader(&mut self) -> Result<EventRequest, Error> {
        let visitor = Visitor::drawn(|end| self.dice.below(end));
        let address: IpAddr = visitor.address.parse().map_err(|_| Error::Internal("a visitor's address".to_owned()))?;
        Ok(EventRequest { address, user_agent: visitor.agent.to_owned(), prefetched: false, opted_out: false })
    }

    /// The product's advertiser reports a conversion. A click that did not count has no
    /// advertiser.
    async fn buy(&mut self, app: &App, click_id: &str) -> Result<(), Failure> {
        let Some(signer) = simulated::signer_of_click(app, click_id).await? else { return Ok(()) };
        self.sold += 1;
        let event_id = format!("past-{}", self.sold);
        let report = |reverse| Postback {
            event_id: event_id.clone(),
            click_id: click_id.to_owned(),
            occurred_at: None,
            reverse,
        };
        let answer = postback(app, signer.advertiser, report(false)).await?;
        if answer.accepted && self.dice.chance(REVERSALS) {
            postback(app, signer.advertiser, report(true)).await?;
        }
        Ok(())
    }
}

fn token(url: &str) -> &str {
    url.rsplit('/').next().unwrap_or_default().trim_end_matches(".gif")
}
