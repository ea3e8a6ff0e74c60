//! Members of staff: adding and listing them.

use auth::Role;
use clap::Subcommand;
use serde_json::json;
use usecases::operators::{add_operator, list_operators};
use usecases::staff::Staff;

use crate::context::Context;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Add an operator; the key is printed this once. The first needs no
    /// sign-in and no reason
    Add {
        name: String,
        #[arg(long, value_parser = role)]
        role: Role,
        /// Why; kept in the audit log
        #[arg(long)]
        reason: Option<String>,
    },
    /// List all operators
    List,
}

fn role(name: &str) -> Result<Role, String> {
    Role::parse(name).ok_or_else(|| "one of support, finance, admin".to_owned())
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::Add { name, role, reason } => add(context, &name, role, reason).await,
        Command::List => list(context).await,
    }
}

async fn add(context: &Context, name: &str, role: Role, reason: Option<String>) -> Result<(), Failure> {
    let by = match context.has_credentials() {
        true => Some(Staff::new(context.signed_in().await?, &reason.unwrap_or_default())?),
        // Refused unless it is the first.
        false => None,
    };
    let (operator, key) = add_operator(&context.app, by, name, role).await?;
    let shown = json!({ "operator": operator.name, "key": key.text(), "id": operator.id, "role": operator.role });
    context.out.record(&shown)
}

async fn list(context: &Context) -> Result<(), Failure> {
    context.signed_in().await?;
    let operators = list_operators(&context.app).await?;
    let columns =
        [("id", "/id"), ("name", "/name"), ("role", "/role"), ("since", "/created_at"), ("revoked", "/revoked")];
    context.out.list(&operators, &columns)
}
