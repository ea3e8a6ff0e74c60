//! One account on one screen, in the order in which callers are answered.

use desk::account_detail::account_detail;
use serde_json::Value;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::{cell, facts, heading, lines_text, table_text};

const WAITING: &str = "what: kind, id, amount, status, age, next";
const FLOW: &str = "line: id, time, kind, amount, balance, remark";
const PLANS: &str = "plan: plan_no, product: product/name, put: put_amount, profit, status, reason";
const SESSIONS: &str = "begun: created_at, last seen: last_seen, device, of staff: operator";
const NOTICES: &str = "time: created_at, read, title";
const COUPONS: &str = "coupon: name, effect, value, expires: expires_at";
const FEEDBACK: &str = "id, time: created_at, topic, content";
const NOTES: &str = "id, written: written_at, by: written_by, text";
/// The number of items shown of lists where only the latest matter.
const LATEST: usize = 5;

pub async fn run(context: &Context, name: &str) -> Result<(), Failure> {
    context.sign_in().await?;
    let detail = account_detail(&context.app, name).await?;
    context.out.show(&detail, text)
}

fn text(detail: &Value) -> String {
    let part = |name: &str| detail.pointer(name).unwrap_or(&Value::Null);
    let sections = [
        ("Account", who(detail)),
        ("Money", money(part("/property"))),
        ("Withdrawal", withdrawal(part("/withdrawal"))),
        ("Notes of staff", table(part("/notes"), NOTES)),
        ("Waiting for staff", table(&waiting(detail), WAITING)),
        ("Feedback that is open", table(part("/feedback"), FEEDBACK)),
        ("Plans under way", under_way(part("/under_way"))),
        ("Latest plans", table(&latest(part("/plans")), PLANS)),
        ("Latest movements (more: placard flow)", table(&latest(part("/flow")), FLOW)),
        ("Refused lately", refused(&latest(part("/refused")))),
        ("Coupons", table(part("/coupons"), COUPONS)),
        ("Sessions", table(part("/sessions"), SESSIONS)),
        ("Notices", notices(part("/notifications"))),
    ];
    let (empty, full): (Vec<_>, Vec<_>) = sections.into_iter().partition(|(_, text)| text.is_empty());
    let mut shown: String =
        full.iter().map(|(name, text)| format!("{}\n{}\n\n", heading(name), text.trim_end())).collect();
    if !empty.is_empty() {
        let names: Vec<&str> = empty.iter().map(|(name, _)| *name).collect();
        shown.push_str(&lines_text(&[("Nothing under", names.join("; "))]));
    }
    shown
}

fn table(records: &Value, columns: &str) -> String {
    if records.as_array().is_none_or(Vec::is_empty) { String::new() } else { table_text(records, columns) }
}

fn latest(records: &Value) -> Value {
    Value::Array(records.as_array().into_iter().flatten().take(LATEST).cloned().collect())
}

fn who(detail: &Value) -> String {
    // Whoever came through the native shell has no e-mail address and no telephone.
    let text = |name: &str| detail.pointer(name).map(cell).filter(|text| text != "-" && !text.is_empty());
    let joined = |parts: &[Option<String>]| parts.iter().flatten().cloned().collect::<Vec<_>>().join(", ");
    let labelled = |label: &str, name: &str| text(name).map(|value| format!("{label} {value}"));
    let follows = labelled("", "/follows/operated_id")
        .map(|id| joined(&[Some(id.trim().to_owned()), text("/follows/name"), labelled("since", "/follows/since")]));
    let fields = [
        (
            "user",
            joined(&[text("/user/username"), labelled("account", "/user/id"), labelled("called", "/user/nickname")]),
        ),
        ("status", joined(&[text("/status/status"), labelled("since", "/status/since"), labelled("by", "/status/by")])),
        ("reason", text("/status/reason").unwrap_or_default()),
        ("reached", joined(&[text("/user/email"), text("/user/phone"), labelled("language", "/user/lang")])),
        ("registered", joined(&[text("/status/registered_at"), labelled("entry", "/user/entry")])),
        ("ranks", ranks(detail)),
        ("follows", follows.unwrap_or_default()),
        ("flags", joined(&[text("/flags")])),
    ];
    let fields = fields.into_iter().map(|(label, value)| (label.to_owned(), value));
    lines_text(&fields.chain(reached_before(detail)).filter(|(_, value)| !value.is_empty()).collect::<Vec<_>>())
}

/// How the user was reached before what changed lately, oldest first.
fn reached_before(detail: &Value) -> Vec<(String, String)> {
    let changes = detail.pointer("/contact/changes").and_then(Value::as_array);
    let line = |change: &Value| {
        let text = |name: &str| change.get(name).map(cell).unwrap_or_default();
        (format!("{} before", text("what")), format!("{}, until {}", text("from"), text("at")))
    };
    changes.into_iter().flatten().map(line).collect()
}

fn ranks(detail: &Value) -> String {
    let text = |name: &str| detail.pointer(name).map(cell).unwrap_or_default();
    let level = format!(
        "level {} ({}), credit score {}",
        text("/level/level"),
        text("/level/name"),
        text("/level/credit_score")
    );
    match detail.pointer("/level/vip") {
        Some(Value::Bool(true)) => format!("{level}, VIP until {}", text("/level/vip_until")),
        _ => level,
    }
}

fn money(property: &Value) -> String {
    let amount = |name: &str| property.get(name).map(cell).unwrap_or_default();
    facts(&[
        ("total assets", amount("total_assets")),
        ("available", amount("available")),
        ("to be consumed", amount("to_be_consumed")),
        ("not billed yet", amount("unbilled")),
        ("to be settled", amount("to_be_settled")),
        ("withdrawing", amount("withdrawing")),
        ("exchanging", amount("exchanging")),
        ("deposit", amount("deposit")),
        ("promotional", amount("promotional")),
        ("start-up owed", amount("startup_outstanding")),
    ])
}

fn withdrawal(check: &Value) -> String {
    let text = |value: &Value, name: &str| value.get(name).map(cell).unwrap_or_default();
    let blocks = check.get("blocks").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if blocks.is_empty() {
        return format!("possible, up to {}\n", text(check, "most"));
    }
    let line = |block: &Value| {
        let until = block.get("until").filter(|until| !until.is_null()).map(|until| format!("until {}; ", cell(until)));
        let command = block.get("command").and_then(Value::as_str).map(|command| format!(": {command}"));
        let lifted =
            format!("{}{}{}", until.unwrap_or_default(), text(block, "lifted_by"), command.unwrap_or_default());
        (text(block, "key"), lifted)
    };
    format!("barred by\n{}", lines_text(&blocks.iter().map(line).collect::<Vec<_>>()))
}

/// What waits for a decision of staff, of all kinds, oldest first.
fn waiting(detail: &Value) -> Value {
    let mut all: Vec<Value> = Vec::new();
    for name in ["/withdrawals", "/exchanges", "/requests"] {
        let items = detail.pointer(name).and_then(Value::as_array).into_iter().flatten();
        all.extend(items.cloned().map(|mut item| {
            let age = item.get("age_seconds").and_then(Value::as_i64).unwrap_or(0);
            if let Some(fields) = item.as_object_mut() {
                fields.insert("age".to_owned(), aged(age).into());
            }
            item
        }));
    }
    // Sorted by the moment and not by the age in seconds: otherwise, of items within one second, the newest would come
    // first.
    all.sort_by_cached_key(|item| item.get("since").and_then(Value::as_str).unwrap_or_default().to_owned());
    Value::Array(all)
}

/// A duration in its two largest units.
fn aged(seconds: i64) -> String {
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60);
    match (days, hours) {
        (0, 0) => format!("{minutes} min"),
        (0, _) => format!("{hours} h {minutes} min"),
        _ => format!("{days} d {hours} h"),
    }
}

/// When, what and why, and the words in which the user was told.
fn refused(records: &Value) -> String {
    let line = |record: &Value| {
        let text = |name: &str| record.get(name).map(cell).unwrap_or_default();
        (text("at"), format!("{}: {}; told in {}: {}", text("endpoint"), text("reason"), text("lang"), text("message")))
    };
    lines_text(&records.as_array().into_iter().flatten().map(line).collect::<Vec<_>>())
}

/// A sentence for each plan.
fn under_way(plans: &Value) -> String {
    let sentence = |plan: &Value| {
        let text = |name: &str| plan.get(name).map(cell).unwrap_or_default();
        let percent = |name: &str| plan.get(name).and_then(Value::as_i64);
        let used = match (percent("used_percent"), percent("time_percent")) {
            (Some(used), Some(time)) => format!(", {used}% used in {time}% of its time"),
            _ => String::new(),
        };
        let until = plan.get("until").filter(|until| !until.is_null());
        let until = until.map(|until| format!(", until {}", cell(until))).unwrap_or_default();
        let (status, held, budget) = (text("status"), text("held"), text("put_amount"));
        let free = match text("left") {
            left if left == held => String::new(),
            left => format!(", {left} of it for further ads"),
        };
        let waits_for = text("waits_for");
        (text("plan_no"), format!("{status}: {held} of {budget} held{free}{used}; waits for {waits_for}{until}"))
    };
    lines_text(&plans.as_array().into_iter().flatten().map(sentence).collect::<Vec<_>>())
}

fn notices(notices: &Value) -> String {
    let latest = table(notices.get("latest").unwrap_or(&Value::Null), NOTICES);
    let unread = notices.get("unread").and_then(Value::as_i64).unwrap_or(0);
    if latest.is_empty() { latest } else { format!("{unread} unread\n{latest}") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_age_is_told_by_its_two_largest_units() {
        assert_eq!([0, 59, 60, 3_599].map(aged), ["0 min", "0 min", "1 min", "59 min"]);
        assert_eq!(
            [3_600, 86_399, 86_400, 10 * 86_400 + 7_300].map(aged),
            ["1 h 0 min", "23 h 59 min", "1 d 0 h", "10 d 2 h"]
        );
    }

    #[test]
    fn a_plan_holds_what_the_app_says_it_holds() {
        let plan = |left: &str| {
            under_way(&json!([{
                "plan_no": "P1", "status": "putting", "held": "10.20", "left": left, "put_amount": "15.00",
                "waits_for": "its last day", "until": null,
            }]))
        };
        assert_eq!(
            plan("0.20"),
            "P1  putting: 10.20 of 15.00 held, 0.20 of it for further ads; waits for its last\n    day\n"
        );
        assert_eq!(plan("10.20"), "P1  putting: 10.20 of 15.00 held; waits for its last day\n");
    }

    #[test]
    fn the_words_of_a_refusal_are_shown_whole() {
        let message = "Bitte hinterlegen Sie zuerst ein Bankkonto oder eine Wallet-Adresse";
        let endpoint = "POST /api/user/withdraw";
        let record = json!({ "at": "-", "endpoint": endpoint, "reason": "bank_card_not_bound", "lang": "de", "message": message });
        let told = refused(&json!([record])).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(told, format!("- {endpoint}: bank_card_not_bound; told in de: {message}"));
        assert_eq!(refused(&json!([])), "");
    }

    #[test]
    fn what_a_user_does_not_have_is_left_out() {
        let told = who(&json!({ "user": { "username": "mia", "email": "", "phone": "", "lang": "en" } }));
        let reached = told.lines().find(|line| line.starts_with("reached")).expect("told");
        assert_eq!(reached.split_whitespace().collect::<Vec<_>>(), ["reached", "language", "en"]);
    }

    #[test]
    fn how_a_user_was_reached_before_is_told() {
        let change = json!({ "what": "phone", "from": "+1 0", "to": "+1 2", "at": "2026-01-05T12:00:00Z" });
        let told = reached_before(&json!({ "contact": { "changes": [change] } }));
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].0, "phone before");
        assert!(told[0].1.starts_with("+1 0, until 2026-01-05"), "{told:?}");
        assert_eq!(reached_before(&json!({ "contact": { "changes": [] } })), []);
    }

    #[test]
    fn what_is_oldest_waits_first_whatever_it_is() {
        let detail = json!({
            "withdrawals": [
                { "id": "3", "since": "2026-01-05T12:00:00.300Z", "age_seconds": 60 },
                { "id": "2", "since": "2026-01-05T12:00:00.200Z", "age_seconds": 60 },
            ],
            "exchanges": [{ "id": "1", "since": "2026-01-04T11:01:00.000Z", "age_seconds": 90_000 }],
        });
        let waiting = waiting(&detail);
        for (at, id, age) in [(0, "1", "1 d 1 h"), (1, "2", "1 min"), (2, "3", "1 min")] {
            assert_eq!((&waiting[at]["id"], &waiting[at]["age"]), (&json!(id), &json!(age)));
        }
    }
}
