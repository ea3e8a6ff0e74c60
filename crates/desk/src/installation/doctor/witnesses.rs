//! Whether enough witnesses cosign the public log.

use base::Timestamp;
use money::wallet::public_log::{LogState, read_stored_state};
use objects::Objects;
use tokio::runtime::Handle;

use super::Finding;
use crate::installation::settings::Installation;

const CHECK: &str = "witnesses";
const ADVICE: &str = "see that these witnesses run and know this log's key: docs/OPERATIONS.md, Witnesses";

/// `None` if no witness is asked.
pub(super) fn finding(installation: &Installation, now: Timestamp) -> Option<Finding> {
    let policy = installation.settings.witnesses.policy()?;
    let objects = match Objects::open(&installation.files) {
        Ok(objects) => objects,
        Err(error) => return Some(Finding::problem(CHECK, error, ADVICE)),
    };
    Some(match Handle::current().block_on(read_stored_state(&objects)) {
        Err(error) => Finding::problem(CHECK, error, "see that the storage of files answers"),
        Ok(None) => Finding::warning(CHECK, "no checkpoint was published yet", "see that a server runs, and its log"),
        Ok(Some(state)) => of(&state, policy.witnesses.len(), now),
    })
}

fn of(state: &LogState, asked: usize, now: Timestamp) -> Finding {
    let needed = state.needed;
    // The server that published it may have been told of other witnesses.
    if state.witnesses.len() != asked {
        let found = format!("the last checkpoint was shown to {} of {asked}", state.witnesses.len());
        return Finding::warning(CHECK, found, "restart the servers, so that all read PLACARD_WITNESSES anew");
    }
    let problems = state.witnesses.iter().filter_map(|witness| {
        let problem = witness.problem.as_ref()?;
        Some(format!("{}: {problem}", witness.name))
    });
    let problems = problems.collect::<Vec<_>>().join("; ");
    let told = if problems.is_empty() { String::new() } else { format!("; {problems}") };
    match (state.missing_since, state.cosigned_at) {
        (Some(since), last) => {
            let last = last.map_or_else(|| "never before".to_owned(), |at| format!("last at {at}"));
            let minutes = now.since(since).max(0) / 60_000;
            let found = format!("not cosigned enough since {since} ({minutes} min; {needed} needed, {last}){told}");
            Finding::problem(CHECK, found, ADVICE)
        }
        (None, _) if !problems.is_empty() => Finding::warning(CHECK, format!("enough cosign it{told}"), ADVICE),
        (None, _) => Finding::ok(CHECK, format!("all {asked} cosign the log, {needed} needed")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::Health;
    use super::*;

    fn found(change: impl Fn(&mut Value)) -> Finding {
        let witness = |name| json!({ "name": name, "key": "", "cosigned_at": null, "problem": null });
        let mut state = json!({
            "size": 7, "root": "", "checkpoint_at": "2026-11-28T12:00:00Z", "cosigned_at": "2026-11-28T12:00:00Z",
            "missing_since": null, "witnesses": [witness("north"), witness("south")], "needed": 1,
        });
        change(&mut state);
        let now = "2026-11-28T13:30:00Z".parse().expect("a time");
        of(&serde_json::from_value(state).expect("a state"), 2, now)
    }

    #[test]
    fn who_does_not_cosign_is_named_and_since_when_too_few_do() {
        let good = found(|_| {});
        assert_eq!((good.status, good.found.as_str()), (Health::Ok, "all 2 cosign the log, 1 needed"));
        let away = |state: &mut Value| state["witnesses"][1]["problem"] = json!("it did not answer in time");
        let one = found(away);
        assert_eq!(one.status, Health::Warning);
        assert_eq!(one.found, "enough cosign it; south: it did not answer in time");
        let few = found(|state| {
            away(state);
            state["missing_since"] = json!("2026-11-28T12:30:00Z");
        });
        assert_eq!(few.status, Health::Problem);
        assert!(
            few.found.contains("60 min; 1 needed") && few.found.ends_with("; south: it did not answer in time"),
            "{}",
            few.found
        );
        assert_eq!(found(|state| state["witnesses"] = json!([])).status, Health::Warning);
    }
}
