//! Where the demonstration's users pay in to.

use ::content::{Kind, Source};
use desk::installation::content;
use foundation::App;
use foundation::staff::requests::RequestKind;

use super::people::{Pair, approve_named};
use crate::Failure;

const PAY_IN: &str = include_str!("../../content/pay-in.toml");
const ID: &str = "demo-bank";

/// One account, if there is none.
pub async fn plant(app: &App, staff: &Pair) -> Result<(), Failure> {
    let known = content::export(app, &[Kind::PayIn]).await?;
    if known.values().all(Vec::is_empty) {
        let source = Source { name: "pay-in.toml".to_owned(), text: PAY_IN.to_owned(), json: false };
        content::apply(app, &staff.first, &[source]).await?;
        approve_named(app, staff, RequestKind::PayIn, ID).await?;
    }
    Ok(())
}
