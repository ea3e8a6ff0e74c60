//! The demonstration.

use clap::Subcommand;
use demo::seed;
use serde_json::Value;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::{Output, record_text};
use crate::progress::Progress;

const EXAMPLES: &str = "\
Examples:
  placard demo seed
  placard demo seed --history
  placard demo seed --json > demo.json";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// Fill a simulated installation with a user, staff, advertisers, products and slots.
    /// Running it again adds nothing; keys are printed once. If there are operators
    /// already, an admin must sign in
    Seed {
        /// First make up ninety days of plans, visits and payments. Only in an
        /// installation in which nothing has happened yet, before its server runs
        #[arg(long)]
        history: bool,
    },
}

pub async fn run(out: Output, command: Command) -> Result<(), Failure> {
    let Command::Seed { history } = command;
    let (context, _no_server) = if history { Context::open_movable(out)? } else { (Context::open(out)?, None) };
    let by = if context.has_credentials() { Some(context.sign_in().await?) } else { None };
    let past = history.then(|| Progress::new(out, "making up days", u64::try_from(seed::PAST_DAYS).ok()));
    let planted = seed::plant(&context.app, by, past.as_ref().map(|past| past as &dyn demo::Progress)).await;
    if let Some(past) = past {
        past.finish();
    }
    context.out.show(&planted?, text)
}

/// As text for people.
fn text(shown: &Value) -> String {
    let list = |name: &str| shown.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    let texts =
        |name: &str| list(name).iter().filter_map(Value::as_str).map(|t| format!("  {t}\n")).collect::<String>();
    let user = shown.get("user").unwrap_or(&Value::Null);
    let operators = list("operators");
    let operators = operators.iter().map(|operator| format!("{}\n", record_text(operator).trim_end()));
    let field = |of: &Value, name: &str| of.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let publishers = list("publishers");
    let publishers = publishers.iter().map(|of| format!("  {} {}\n", field(of, "id"), field(of, "name")));
    let advertisers = list("advertisers");
    let advertisers = advertisers.iter().map(|of| format!("{}\n", record_text(of).trim_end()));
    let acceptors = list("acceptors");
    let acceptors =
        acceptors.iter().map(|of| format!("  {} ({}): {}\n", field(of, "name"), field(of, "type"), field(of, "code")));
    format!(
        "User\n{}\nOperators; keys are shown when they are made\n{}\nUnused authorization codes\n{}\nAcceptors, with the code of each\n{}\nOperated ids\n{}\nAdvertisers; their keys are shown when they are made\n{}\nPublishers\n{}\nSlots\n{}\nAd exchange; its key is shown when it is made\n{}",
        record_text(user),
        operators.collect::<String>(),
        texts("codes"),
        acceptors.collect::<String>(),
        texts("operated_ids"),
        advertisers.collect::<String>(),
        publishers.collect::<String>(),
        texts("slots"),
        record_text(shown.get("exchange").unwrap_or(&Value::Null)),
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_text_has_what_an_exchange_needs() {
        let acceptor = json!({ "name": "Mia", "type": "personal", "code": "ACC-1" });
        let shown = text(&json!({ "acceptors": [acceptor], "codes": ["AAAA"] }));
        assert!(shown.contains("Acceptors, with the code of each\n  Mia (personal): ACC-1\n"), "{shown}");
    }
}
