//! Staff notes about users.

use foundation::staff::notes::{add_note, notes, withdraw_note};

use crate::cli::{LimitArg, OwnReasonArg, ReasonArg};
use crate::context::{Context, collect, id};
use crate::failure::Failure;

const COLUMNS: &str = "id, written: written_at, by: written_by, withdrawn: withdrawn_at, text";

/// A note is its own reason, unless another one is told.
pub async fn add(context: &Context, name: &str, text: &str, because: OwnReasonArg) -> Result<(), Failure> {
    let by = context.sign_in().await?;
    context.out.record(&add_note(&context.app, by, name, text, because.reason.as_deref()).await?)
}

pub async fn list(context: &Context, name: &str, all: bool, at_most: LimitArg) -> Result<(), Failure> {
    context.sign_in().await?;
    let found = collect(at_most, |page| notes(&context.app, name, all, page)).await?;
    context.out.list(&found, COLUMNS)
}

pub async fn withdraw(context: &Context, note: &str, because: &ReasonArg) -> Result<(), Failure> {
    let by = context.staff(because).await?;
    context.out.record(&withdraw_note(&context.app, by, id(note)?).await?)
}
