//! What readers do once an ad is on their page: they see it, look at it, sometimes click
//! on it, and sometimes buy.

use std::sync::atomic::{AtomicU64, Ordering};

use auth::signature::{SignedRequest, sign};
use campaigns::AdServer;
use desk::installation::simulated::{SimulatedAdvertiser, signer_of_click};
use foundation::random;
use serde_json::{Value, json};

use super::client::{Answer, Client};
use super::people::Visitor;

const POSTBACK: &str = "/t/postback";

pub struct Readers {
    pub app: AdServer,
    pub client: Client,
    pub counts: ReaderCounts,
}

#[derive(Debug, Default)]
pub struct ReaderCounts {
    pub impressions: Count,
    pub clicks: Count,
    pub conversions: Count,
    pub errors: Count,
    /// Answers in a row that were empty, or none.
    pub in_vain: Count,
}

#[derive(Debug, Default)]
pub struct Count(AtomicU64);

impl Count {
    pub fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub fn reset(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The visit is over: nothing to see, or the server did not answer.
pub struct VisitEnded;

impl Readers {
    pub fn new(app: AdServer, client: Client) -> Self {
        Self { app, client, counts: ReaderCounts::default() }
    }

    pub async fn see(&self, path: &str, visitor: &Visitor) -> Result<(), VisitEnded> {
        self.answered(self.client.get(path, visitor).await, &[200])?;
        self.counts.impressions.add();
        Ok(())
    }

    /// Half of the creative was in view for a second, which the page would have waited for.
    pub async fn look(&self, path: &str, visitor: &Visitor) -> Result<(), VisitEnded> {
        self.answered(self.client.get(path, visitor).await, &[200]).map(drop)
    }

    /// The destination of the click is not visited; it only contains the click's id.
    pub async fn click(&self, path: &str, visitor: &Visitor) -> Result<String, VisitEnded> {
        let answer = self.answered(self.client.get(path, visitor).await, &[302])?;
        self.counts.clicks.add();
        click_id(&answer.location).map(str::to_owned).ok_or_else(|| self.failed())
    }

    /// The product's advertiser reports a conversion. A click that did not count has no
    /// advertiser.
    pub async fn buy(&self, click_id: &str) -> Result<(), VisitEnded> {
        let signer = signer_of_click(&self.app, click_id).await.map_err(|_| self.failed())?.ok_or(VisitEnded)?;
        let event: [u8; 8] = random().map_err(|_| self.failed())?;
        let event_id = format!("sim-{:016x}", u64::from_le_bytes(event));
        let body = json!({ "event_id": event_id, "click_id": click_id }).to_string();
        let headers = signed_headers(&signer, self.app.now().seconds(), &body);
        let answer = self.answered(self.client.post(POSTBACK, headers, body.into_bytes()).await, &[200])?;
        if serde_json::from_str::<Value>(&answer.body)
            .is_ok_and(|told| told.get("accepted") == Some(&Value::Bool(true)))
        {
            self.counts.conversions.add();
        }
        Ok(())
    }

    pub fn answered(&self, answer: Result<Answer, ()>, expected: &[u16]) -> Result<Answer, VisitEnded> {
        match answer {
            Ok(answer) if expected.contains(&answer.status) => Ok(answer),
            _ => Err(self.failed()),
        }
    }

    /// A server that does not answer is asked as rarely as empty slots.
    pub fn failed(&self) -> VisitEnded {
        self.counts.errors.add();
        self.counts.in_vain.add();
        VisitEnded
    }
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
