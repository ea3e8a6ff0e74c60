//! Operators: their keys, who has seen those, and what each role may request and approve.

use auth::Role;
use clap::{Args, Subcommand};
use foundation::staff::Staff;
use foundation::staff::founders::declare_founders;
use foundation::staff::limits::{limits, set_limit};
use foundation::staff::operator_keys::{confirm_operator, revoke_operator, rotate_operator};
use foundation::staff::operators::{add_operator, list_operators};
use serde_json::{Value, json};

use crate::cli::{ReasonArg, name_of, pasted_value};
use crate::context::Context;
use crate::failure::Failure;
use crate::output::{cell, indented, record_text, table_text};

pub const AFTER: &str = "\
Who issues a key has held it: a new operator counts as the same person as who
added them, and cannot approve what that one asked for, until an operator who
is another person confirms them, once they have rotated the key themselves. The
first two people are declared on the installation's own machine; nothing that
needs two people is approved before both have rotated their keys.

Examples:
  placard operator founders anna ben
  placard operator add carl --role finance --reason \"joins in May\"
  placard operator confirm carl --reason \"met him, he has his own key\"
  placard operator rotate carl --reason \"lost his laptop\"
  placard operator revoke carl --reason \"left the company\"
  placard operator limit finance --each 20000 --daily 80000 --reason \"audit\"";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Add an operator; the key is printed only once. The first needs no sign-in and no
    /// reason
    Add {
        /// Up to 64 characters; never given again
        name: String,
        /// One of support, finance, admin
        #[arg(long, value_parser = name_of!(Role))]
        role: Role,
        /// Why; kept in the audit log
        #[arg(long)]
        reason: Option<String>,
    },
    /// Declare the first two people, on the installation's own machine; whoever is not an operator yet is added as an
    /// admin, with a key that is printed once. Both must rotate their keys first: until then, nothing can be approved
    Founders {
        /// The name of one of the two
        first: String,
        /// The name of the other
        second: String,
        /// Why; kept in the audit log
        #[arg(long)]
        reason: Option<String>,
    },
    /// List all operators
    List,
    /// Issue a new key, printed only once; the old one is invalid at once. Everybody may
    /// rotate their own; an admin may rotate another's, who then counts as that admin
    Rotate(OperatorChangeArgs),
    /// Revoke an operator permanently
    Revoke(OperatorChangeArgs),
    /// Declare an operator a person of their own. Only finance or an admin can, but not whoever added the operator, and
    /// only once the operator has rotated the key
    Confirm(OperatorChangeArgs),
    /// Show what each role may request and approve
    Limits,
    /// Lower what a role may request and approve, or request more for it
    Limit {
        /// One of support, finance, admin
        #[arg(value_parser = name_of!(Role))]
        role: Role,
        /// The most per action, such as 50000.00
        #[arg(long, value_name = "AMOUNT", value_parser = pasted_value)]
        each: String,
        /// The most in any 24 hours, such as 200000.00
        #[arg(long, value_name = "AMOUNT", value_parser = pasted_value)]
        daily: String,
        #[command(flatten)]
        because: ReasonArg,
    },
}

#[derive(Debug, Args)]
pub struct OperatorChangeArgs {
    /// The operator's name
    name: String,
    #[command(flatten)]
    because: ReasonArg,
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    let app = &context.app;
    match command {
        Command::Add { name, role, reason } => add(context, &name, role, reason).await,
        Command::Founders { first, second, reason } => founders(context, [&first, &second], reason).await,
        Command::List => list(context).await,
        Command::Rotate(OperatorChangeArgs { name, because }) => {
            let by = context.staff(&because).await?;
            let (operator, key) = rotate_operator(app, &by, &name).await?;
            let mut shown =
                json!({ "operator": operator.name, "key": key.text(), "id": operator.id, "person": operator.person });
            // Somebody else with the old key may have confirmed these operators. For one's own key, there is no such
            // suspicion.
            let taken = operator.name != by.name() && !operator.has_confirmed.is_empty();
            if let Some(fields) = shown.as_object_mut().filter(|_| taken) {
                fields.insert("has_confirmed".to_owned(), json!(operator.has_confirmed));
            }
            context.out.record(&shown)
        }
        Command::Revoke(OperatorChangeArgs { name, because }) => {
            let by = context.staff(&because).await?;
            context.out.record(&revoke_operator(app, &by, &name).await?)
        }
        Command::Confirm(OperatorChangeArgs { name, because }) => {
            let by = context.staff(&because).await?;
            context.out.record(&confirm_operator(app, &by, &name).await?)
        }
        Command::Limits => {
            context.sign_in().await?;
            context.out.list(&limits(app).await?, "role, each time: each, a day: daily")
        }
        Command::Limit { role, each, daily, because } => {
            let by = context.staff(&because).await?;
            context.out.record(&set_limit(app, &by, role, &each, &daily).await?)
        }
    }
}

async fn add(context: &Context, name: &str, role: Role, reason: Option<String>) -> Result<(), Failure> {
    // Without a sign-in it is refused, unless it is the first.
    let by = context.staff_if_any(&reason.unwrap_or_default()).await?;
    let (operator, key) = add_operator(&context.app, by, name, role).await?;
    let shown = json!({
        "operator": operator.name,
        "key": key.text(),
        "id": operator.id,
        "role": operator.role,
        "person": operator.person,
    });
    context.out.record(&shown)
}

async fn founders(context: &Context, names: [&str; 2], reason: Option<String>) -> Result<(), Failure> {
    let reason = reason.unwrap_or_else(|| "the first two people".to_owned());
    // Whoever has the machine needs no key; with one, the audit names them.
    let by: Option<Staff> = context.staff_if_any(&reason).await?;
    let declared = declare_founders(&context.app, by, names).await?;
    // A key is printed this once, and the cell of a table would cut it off.
    context.out.show(&declared, |shown| {
        let people = shown.as_array().into_iter().flatten().map(record_text);
        people.collect::<Vec<_>>().join("\n")
    })
}

async fn list(context: &Context) -> Result<(), Failure> {
    context.sign_in().await?;
    let operators = list_operators(&context.app).await?;
    context.out.show(&operators, |shown| format!("{}{}", table_text(shown, OPERATORS), doubts(shown)))
}

const OPERATORS: &str =
    "id, name, role, since: created_at, last used: last_used_at, key from: key_from, counts as: person, revoked";

/// Warns about operators whose confirmation may have been made by somebody else with the confirmer's key.
fn doubts(operators: &Value) -> String {
    let told = operators.as_array().into_iter().flatten().filter_map(|one| {
        let taken_at = one.get("confirming_key_taken_at")?;
        let (name, by) = (cell(one.get("name")?), cell(one.get("confirmed_by")?));
        let (since, taken_at) = (cell(one.get("confirmed_at")?), cell(taken_at));
        let text = format!(
            "{name} counts as a person since {since} because {by} says so, whose key was taken away at {taken_at}. \
             If it was in other hands: `placard operator rotate {name}`, and another person confirms {name} anew."
        );
        Some(format!("\n{}", indented(&text, 0)))
    });
    told.collect()
}
