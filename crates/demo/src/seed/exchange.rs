//! The demonstration's ad exchange, which `placard traffic run --ssp` plays.

use base::PublisherId;
use campaigns::catalogue::counterparty_keys::LOCAL;
use campaigns::delivery::ssp::staff::{SspFile, add, list, replace_key};
use desk::installation::simulated::take_key;
use foundation::App;
use serde::Serialize;

use super::people::Pair;
use crate::Failure;

const NAME: &str = "Example Exchange";

#[derive(Debug, Serialize)]
pub struct DemoExchange {
    id: PublisherId,
    name: &'static str,
    /// Only if it is new, because keys are not stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

/// One operator requests the exchange's key, the exchange claims it, and the other operator approves it, now or after
/// an interrupted run.
pub async fn plant(app: &App, staff: &Pair) -> Result<DemoExchange, Failure> {
    let known = list(app).await?.into_iter().find(|ssp| ssp.publisher.publisher.name == NAME);
    let asked = match known {
        Some(known) if known.has_key => {
            return Ok(DemoExchange { id: known.publisher.publisher.id, name: NAME, key: None });
        }
        Some(known) => {
            let id = known.publisher.publisher.id;
            replace_key(app, &staff.first, id, (None, None), LOCAL).await?
        }
        None => add(app, &staff.first, file(), LOCAL).await?,
    };
    let key = take_key(app, &staff.second, asked.request.id, asked.request.claim_url.as_deref()).await?;
    Ok(DemoExchange { id: asked.ssp.publisher.publisher.id, name: NAME, key: Some(key) })
}

fn file() -> SspFile {
    SspFile {
        name: NAME.to_owned(),
        domain: "exchange.example".to_owned(),
        contact: "demand@exchange.example".to_owned(),
        seat: None,
        unconfirmed_share: None,
        unconfirmed_views: None,
        notifies: true,
    }
}
