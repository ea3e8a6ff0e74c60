//! Staff's work for publishers: agreeing on where one is paid, and paying it.

use base::PublisherId;
use desk::requests::approve;
use foundation::App;
use foundation::staff::requests::RequestView;
use money::wallet::publishers::payouts::{pay as paid, request_payout};
use money::wallet::publishers::terms::{PayoutDestination, request_terms};

use crate::Failure;
use crate::seed::people::Pair;

/// Example Travel, whose slot has most readers.
const TRAVEL: PublisherId = PublisherId(3);

/// The first operator requests the terms, and the second approves them.
pub async fn agree(app: &App, staff: &Pair) -> Result<(), Failure> {
    let to = PayoutDestination {
        holder: "Example Travel Ltd".to_owned(),
        account: "DE89370400440532013000".to_owned(),
        bank: "Example Bank".to_owned(),
    };
    approve_asked(app, staff, &request_terms(app, &staff.first, TRAVEL, None, Some(to)).await?).await
}

pub async fn pay(app: &App, staff: &Pair, amount: &str, reference: &str) -> Result<(), Failure> {
    let asked = request_payout(app, &staff.first, TRAVEL, amount).await?;
    approve_asked(app, staff, &asked).await?;
    paid(app, &staff.first, asked.id, reference).await?;
    Ok(())
}

async fn approve_asked(app: &App, staff: &Pair, asked: &RequestView) -> Result<(), Failure> {
    approve(app, &staff.second, asked.id.into()).await?;
    Ok(())
}
