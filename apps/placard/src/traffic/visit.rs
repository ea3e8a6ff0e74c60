//! One visit: a page with a slot is opened; its creative is seen, sometimes clicked, and
//! sometimes something is bought.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use auth::signature::{SignedRequest, sign};
use serde_json::{Value, json};
use tokio::time::sleep;
use usecases::installation::simulated::{SimulatedAdvertiser, signer_of_click};
use usecases::{App, random};

use super::client::{Answer, Client, path_of};
use super::people::{CONVERSIONS, DUPLICATES, VIEWABLE, Visitor, below, chance, clicks_on, pick};

const POSTBACK: &str = "/t/postback";

pub struct Visits {
    pub app: App,
    pub client: Client,
    pub keys: Vec<String>,
    pub counts: Counts,
}

#[derive(Debug, Default)]
pub struct Counts {
    requests: AtomicU64,
    empty: AtomicU64,
    empty_in_a_row: AtomicU64,
    impressions: AtomicU64,
    clicks: AtomicU64,
    conversions: AtomicU64,
    errors: AtomicU64,
}

impl Counts {
    pub fn empty_in_a_row(&self) -> u64 {
        self.empty_in_a_row.load(Ordering::Relaxed)
    }

    pub fn summary(&self, elapsed: Duration) -> Value {
        let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
        json!({
            "requests": of(&self.requests),
            "empty": of(&self.empty),
            "impressions": of(&self.impressions),
            "clicks": of(&self.clicks),
            "conversions": of(&self.conversions),
            "errors": of(&self.errors),
            "seconds": elapsed.as_secs(),
        })
    }
}

/// The visit is over: nothing to see, or the server did not answer.
struct VisitEnded;

impl Visits {
    pub async fn one(&self) {
        // Whatever ended it has been counted.
        let _ = self.go().await;
    }

    async fn go(&self) -> Result<(), VisitEnded> {
        let visitor = Visitor::any();
        let (slot, creative) = self.open_page(&visitor).await?;
        self.see(&creative, &visitor).await?;
        if chance(DUPLICATES) {
            self.see(&creative, &visitor).await?;
        }
        if chance(VIEWABLE) {
            self.look(&creative, &visitor).await?;
        }
        if !chance(clicks_on(slot, &creative)) {
            return Ok(());
        }
        read_a_while().await;
        let click_id = self.click(&creative, &visitor).await?;
        if chance(CONVERSIONS) {
            read_a_while().await;
            self.buy(&click_id).await?;
        }
        Ok(())
    }

    async fn open_page(&self, visitor: &Visitor) -> Result<(&str, Value), VisitEnded> {
        let key = pick(&self.keys).ok_or(VisitEnded)?;
        add(&self.counts.requests);
        let answer =
            self.answered(self.client.get(&format!("/ads/slot/{key}?format=json"), visitor).await, &[200, 204])?;
        if answer.status == 204 {
            add(&self.counts.empty);
            add(&self.counts.empty_in_a_row);
            return Err(VisitEnded);
        }
        self.counts.empty_in_a_row.store(0, Ordering::Relaxed);
        let creative = serde_json::from_str(&answer.body).map_err(|_| self.failed())?;
        Ok((key, creative))
    }

    async fn see(&self, creative: &Value, visitor: &Visitor) -> Result<(), VisitEnded> {
        let path = self.path(creative, "impression_url")?;
        self.answered(self.client.get(path, visitor).await, &[200])?;
        add(&self.counts.impressions);
        Ok(())
    }

    /// Half of the creative was in view for a second, which the page would have waited for.
    async fn look(&self, creative: &Value, visitor: &Visitor) -> Result<(), VisitEnded> {
        let path = self.path(creative, "viewable_url")?;
        self.answered(self.client.get(path, visitor).await, &[200]).map(drop)
    }

    /// The destination of the click is not visited; it only contains the click's id.
    async fn click(&self, creative: &Value, visitor: &Visitor) -> Result<String, VisitEnded> {
        let path = self.path(creative, "click_url")?;
        let answer = self.answered(self.client.get(path, visitor).await, &[302])?;
        add(&self.counts.clicks);
        click_id(&answer.location).map(str::to_owned).ok_or_else(|| self.failed())
    }

    /// The product's advertiser reports a conversion. A click that did not count has no
    /// advertiser.
    async fn buy(&self, click_id: &str) -> Result<(), VisitEnded> {
        let signer = signer_of_click(&self.app, click_id).await.map_err(|_| self.failed())?.ok_or(VisitEnded)?;
        let event: [u8; 8] = random().map_err(|_| self.failed())?;
        let event_id = format!("sim-{:016x}", u64::from_le_bytes(event));
        let body = json!({ "event_id": event_id, "click_id": click_id }).to_string();
        let headers = signed_headers(&signer, self.app.now().seconds(), &body);
        let answer = self.answered(self.client.post(POSTBACK, headers, body).await, &[200])?;
        if serde_json::from_str::<Value>(&answer.body)
            .is_ok_and(|told| told.get("accepted") == Some(&Value::Bool(true)))
        {
            add(&self.counts.conversions);
        }
        Ok(())
    }

    fn path<'a>(&self, creative: &'a Value, name: &str) -> Result<&'a str, VisitEnded> {
        creative.get(name).and_then(Value::as_str).and_then(path_of).ok_or_else(|| self.failed())
    }

    fn answered(&self, answer: Result<Answer, ()>, expected: &[u16]) -> Result<Answer, VisitEnded> {
        match answer {
            Ok(answer) if expected.contains(&answer.status) => Ok(answer),
            _ => Err(self.failed()),
        }
    }

    /// A server that does not answer is asked as rarely as empty slots.
    fn failed(&self) -> VisitEnded {
        add(&self.counts.errors);
        add(&self.counts.empty_in_a_row);
        VisitEnded
    }
}

fn add(count: &AtomicU64) {
    count.fetch_add(1, Ordering::Relaxed);
}

async fn read_a_while() {
    sleep(Duration::from_millis(1_000 + below(4_000))).await;
}

fn click_id(location: &str) -> Option<&str> {
    let (_, rest) = location.split_once("click_id=")?;
    rest.split(['&', '#']).next().filter(|id| !id.is_empty())
}

fn signed_headers(signer: &SimulatedAdvertiser, seconds: i64, body: &str) -> Vec<(&'static str, String)> {
    let timestamp = seconds.to_string();
    let signed = SignedRequest { timestamp: &timestamp, method: "POST", path: POSTBACK, body: body.as_bytes() };
    let signature = sign(&signer.key, &signed);
    vec![("X-Advertiser", signer.advertiser.to_string()), ("X-Timestamp", timestamp), ("X-Signature", signature)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_click_id_is_read_wherever_the_click_leads() {
        assert_eq!(click_id("/l/abc?click_id=12ab"), Some("12ab"));
        assert_eq!(click_id("https://shop.example/p?a=b&click_id=12ab#top"), Some("12ab"));
        assert_eq!(click_id("https://shop.example/p"), None);
        assert_eq!(click_id("/l/abc?click_id="), None);
    }
}
