//! Sends notices to push services. What is to be sent is in the database, so that nothing is lost when this server dies;
//! several servers may send at once.

use std::time::Duration;

use ::push::{Outcome, judge};
use base::Timestamp;
use desk::installation::settings::InvalidSetting;
use foundation::App;
use foundation::notifications::push::{self, Delivery};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use reqwest::header::RETRY_AFTER;
use reqwest::{Client, Response};
use tokio::sync::watch;

use crate::public_names;

const EVERY: Duration = Duration::from_secs(1);
/// Messages under way at once: services that do not answer hold up no more than these, each for [`WITHIN`].
const AT_ONCE: usize = 48;
/// How long one try may take, until the answer's head. Shorter than the lease of a message.
const WITHIN: Duration = Duration::from_secs(5);
const CLEAN_EVERY_MILLIS: i64 = 3_600_000;

/// A client that connects to public addresses only and follows nothing.
#[derive(Clone)]
pub struct Sender(Client);

impl Sender {
    pub fn open() -> Result<Self, InvalidSetting> {
        public_names::client(WITHIN).map(Self).map_err(|e| InvalidSetting::new("PLACARD_PUSH_SUBJECT", e))
    }

    /// Sends a message. Returns the answer's status and its `Retry-After`; the rest of the answer is not read.
    async fn send(&self, delivery: &Delivery) -> Option<(u16, Option<i64>)> {
        let request = self.0.post(delivery.endpoint.as_str()).body(delivery.body.clone());
        let request = delivery.headers.iter().fold(request, |request, (name, value)| request.header(*name, value));
        match request.send().await {
            Ok(answer) => Some((answer.status().as_u16(), retry_after(&answer))),
            Err(error) => {
                // The address of a subscription is a secret of its browser's.
                let (service, error) = (delivery.endpoint.origin(), error.without_url());
                tracing::info!(service, %error, "a push service did not answer");
                None
            }
        }
    }
}

fn retry_after(answer: &Response) -> Option<i64> {
    answer.headers().get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()
}

/// Sends until `stop` becomes true or its sender is dropped, and then waits for the answers under way.
pub async fn run(app: App, sender: Option<Sender>, mut stop: watch::Receiver<bool>) {
    let mut under_way = FuturesUnordered::new();
    let mut cleaned_at = None;
    while !*stop.borrow() {
        cleaned_at = clean(&app, cleaned_at).await;
        if let Some(sender) = &sender {
            match push::claim(&app, AT_ONCE.saturating_sub(under_way.len())).await {
                Ok(claimed) => under_way.extend(claimed.into_iter().map(|delivery| deliver(&app, sender, delivery))),
                Err(error) => tracing::error!(%error, "notices wait to be sent; it is tried again"),
            }
        }
        let pause = tokio::time::sleep(EVERY);
        tokio::pin!(pause);
        loop {
            tokio::select! {
                () = &mut pause => break,
                Some(()) = under_way.next() => {}
                // The sender is gone, so the server has ended.
                asked = stop.changed() => if asked.is_err() { return } else { break },
            }
        }
    }
    while under_way.next().await.is_some() {}
}

/// Removes what is too old, now and then; returns when it was done last.
async fn clean(app: &App, last: Option<Timestamp>) -> Option<Timestamp> {
    let now = app.now();
    if last.is_some_and(|last| now.is_soon_after(last, CLEAN_EVERY_MILLIS)) {
        return last;
    }
    if let Err(error) = push::remove_old(app).await {
        tracing::error!(%error, "old notices to devices are not removed; it is tried again");
        return last;
    }
    Some(now)
}

async fn deliver(app: &App, sender: &Sender, delivery: Delivery) {
    let answer = sender.send(&delivery).await;
    let (status, retry_after) = answer.unzip();
    let outcome = judge(status, delivery.tries, retry_after.flatten(), app.now());
    if outcome == Outcome::Refused {
        tracing::warn!(service = delivery.endpoint.origin(), status, "a push service refused a notice");
    }
    if let Err(error) = push::settle(app, &delivery, outcome).await {
        tracing::error!(%error, "the outcome of a notice was not stored; it is sent again");
    }
}
