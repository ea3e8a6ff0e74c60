//! Authorization codes: issuing and listing them.

use base::Timestamp;
use clap::Subcommand;
use foundation::people::codes::{Activation, issue_codes, list_codes};
use serde_json::json;

use crate::cli::{LimitArg, ReasonArg, name_of, pasted};
use crate::context::{Context, collect};
use crate::failure::Failure;
use crate::output::table_text;

const EXAMPLES: &str = "\
Examples:
  placard code issue --count 5 --expires 2026-12-31 --reason \"spring fair\"
  placard code issue --count 1 --activation manual --reason \"to be looked at first\"
  placard code list --unused --limit 20";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// Issue codes, each for one ad account
    Issue {
        /// How many
        #[arg(long)]
        count: usize,
        /// The last day (UTC) on which they work, such as 2026-12-31, or a time
        #[arg(long, value_parser = expiry)]
        expires: Option<Timestamp>,
        /// automatic: the accounts they open are active at once; manual: each waits for
        /// `account activate`
        #[arg(long, default_value = "automatic", value_parser = name_of!(Activation))]
        activation: Activation,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// List codes and who used them. Only their last letters are shown: a code is shown
    /// once, when it is issued
    List {
        /// Only unused ones
        #[arg(long)]
        unused: bool,
        #[command(flatten)]
        at_most: LimitArg,
    },
}

/// A day includes its end.
pub fn expiry(text: &str) -> Result<Timestamp, String> {
    let text = pasted(text);
    let day = Timestamp::parse(&format!("{text}T00:00:00Z")).map(|midnight| midnight.plus_days(1));
    day.or_else(|| Timestamp::parse(&text)).ok_or_else(|| "a day such as 2026-12-31".to_owned())
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::Issue { count, expires, activation, because } => {
            let by = context.staff(&because).await?;
            let codes = issue_codes(&context.app, by, count, expires, activation).await?;
            context.out.show(&json!({ "codes": &codes }), |_| codes.join("\n"))
        }
        Command::List { unused, at_most } => {
            context.sign_in().await?;
            let codes = collect(at_most, |page| list_codes(&context.app, unused, page)).await?;
            let columns =
                "id, code, issued: issued_at, by: issued_by, expires: expires_at, activation, used by: used_by";
            context
                .out
                .show(&json!({ "codes": codes }), |shown| table_text(shown.get("codes").unwrap_or(shown), columns))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_lasts_until_it_is_over() {
        assert_eq!(expiry("2026-12-31"), Ok(Timestamp::parse("2027-01-01T00:00:00Z").expect("a moment")));
        assert_eq!(expiry("2026-12-31T12:00:00Z"), Ok(Timestamp::parse("2026-12-31T12:00:00Z").expect("a moment")));
        assert_eq!(expiry(" ２０２６-12-31\n"), expiry("2026-12-31"));
        assert!(expiry("tomorrow").is_err());
    }
}
