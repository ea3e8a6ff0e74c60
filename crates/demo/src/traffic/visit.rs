//! One visit: a page with a slot is opened; its creative is seen, sometimes clicked, and
//! sometimes something is bought.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;

use super::client::path_of;
use super::people::{CONVERSIONS, DUPLICATES, VIEWABLE, Visitor, below, chance, clicks_on, pick};
use super::readers::{Count, Readers, VisitEnded};

pub struct Visits {
    readers: Readers,
    keys: Vec<String>,
    requests: Count,
    empty: Count,
}

impl Visits {
    pub fn new(readers: Readers, keys: Vec<String>) -> Self {
        Self { readers, keys, requests: Count::default(), empty: Count::default() }
    }

    /// How often all slots in a row had nothing.
    pub fn rounds_in_vain(&self) -> u64 {
        self.readers.counts.in_vain.get() / u64::try_from(self.keys.len().max(1)).unwrap_or(1)
    }

    pub fn summary(&self, elapsed: Duration) -> Value {
        let of = &self.readers.counts;
        json!({
            "requests": self.requests.get(),
            "empty": self.empty.get(),
            "impressions": of.impressions.get(),
            "clicks": of.clicks.get(),
            "conversions": of.conversions.get(),
            "errors": of.errors.get(),
            "seconds": elapsed.as_secs(),
        })
    }

    pub async fn one(&self) {
        // Whatever ended it has been counted.
        let _ = self.go().await;
    }

    async fn go(&self) -> Result<(), VisitEnded> {
        let visitor = Visitor::any();
        let (slot, creative) = self.open_page(&visitor).await?;
        let path = |name: &str| self.path(&creative, name);
        self.readers.see(path("impression_url")?, &visitor).await?;
        if chance(DUPLICATES) {
            self.readers.see(path("impression_url")?, &visitor).await?;
        }
        if chance(VIEWABLE) {
            self.readers.look(path("viewable_url")?, &visitor).await?;
        }
        if !chance(clicks_on(slot, &creative)) {
            return Ok(());
        }
        read_a_while().await;
        let click_id = self.readers.click(path("click_url")?, &visitor).await?;
        if chance(CONVERSIONS) {
            read_a_while().await;
            self.readers.buy(&click_id).await?;
        }
        Ok(())
    }

    async fn open_page(&self, visitor: &Visitor) -> Result<(&str, Value), VisitEnded> {
        let key = pick(&self.keys).ok_or(VisitEnded)?;
        self.requests.add();
        let answer = self.readers.client.get(&format!("/ads/slot/{key}?format=json"), visitor).await;
        let answer = self.readers.answered(answer, &[200, 204])?;
        if answer.status == 204 {
            self.empty.add();
            self.readers.counts.in_vain.add();
            return Err(VisitEnded);
        }
        self.readers.counts.in_vain.reset();
        let creative = serde_json::from_str(&answer.body).map_err(|_| self.readers.failed())?;
        Ok((key, creative))
    }

    fn path<'a>(&self, creative: &'a Value, name: &str) -> Result<&'a str, VisitEnded> {
        creative.get(name).and_then(Value::as_str).and_then(path_of).ok_or_else(|| self.readers.failed())
    }
}

async fn read_a_while() {
    sleep(Duration::from_millis(1_000 + below(4_000))).await;
}
