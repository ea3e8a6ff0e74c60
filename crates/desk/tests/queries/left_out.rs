//! That no use case is left out.

use std::path::{Path, PathBuf};

/// What is not called here, and why.
const ELSEWHERE: [(&str, &str); 74] = [
    ("accept::accept_edits", "once, over everything, by one person at the database"),
    ("accept::accept_loss", "once, over everything, by one person at the database"),
    ("accept::accept_secrets", "once, over everything, by one person at the database"),
    ("archive::archive_month", "reads and removes a whole month"),
    ("archive::archives", "one row for each month"),
    ("archive::check_archives", "reads every file by its nature"),
    ("archive::file_problem", "reads a file"),
    ("archive::has_its_size", "reads a file"),
    ("attempts::note_failure", "by `login::log_in`"),
    ("audit_log::seal_what_was_there", "once at the start, over everything"),
    ("audit_log::verify_audit", "reads everything by its nature"),
    ("audit_log::verify_audit_of_copy", "reads everything by its nature"),
    ("backup::back_up", "reads everything by its nature"),
    ("backup::check", "reads everything by its nature"),
    ("backup::restore", "writes everything by its nature"),
    ("conversation::messages", "by `export::export`"),
    ("copying::restore_copy", "writes everything by its nature"),
    ("decisions::decide", "by every decision"),
    ("doctor::examine", "reads everything by its nature"),
    ("examine::examine", "once at the start, over everything"),
    ("entry::issue_for_provider", "a signature before `issue_ticket`"),
    ("entry::language_of", "the holder of a ticket, as `username_of`"),
    ("files::store_bytes", "by `files::store`"),
    ("founders::declare_founders", "once, on the installation's machine"),
    ("founders::note_upgrade", "once at the start, over everything"),
    ("finding::find_account", "under its other name, `accounts::find_account`"),
    ("login::language_of", "one row by its name, as signing in finds it"),
    ("login::show_half", "by `requests::show_to`"),
    ("market::close", "once at the end"),
    ("market::wait_for_leases", "the demonstration's alone"),
    ("plan_results::keep_missing", "once at the start, over everything, and later over what has changed"),
    ("public_log::checkpoint", "reads a file"),
    ("public_log::checkpoint_in", "reads a file"),
    ("public_log::make", "once a day, over all users by its nature"),
    ("public_log::note_restored", "once, by `backup::restore` and `copying::restore_copy`"),
    ("public_log::previous", "reads a file"),
    ("public_log::read_published_head", "reads a file"),
    ("public_log::read_stored_state", "reads a file"),
    ("public_log::request_key", "one row"),
    ("public_log::request_log", "a few tiles, and files"),
    ("public_log::state", "reads a file"),
    ("public_log::tile", "reads a file"),
    ("recharges::of_user", "by `export::export`"),
    ("recompute::recompute", "reads everything by its nature"),
    ("references::compare_old", "once at the start, over everything"),
    ("refused_movements::save", "by `work::round`"),
    ("sessions::goes_on", "by `pay_password::verify_in_session`"),
    ("set_pay_password::set", "by `set_pay_password::set_pay_password`"),
    ("simulated::has_founders", "the demonstration's alone"),
    ("simulated::is_untouched", "the demonstration's alone"),
    ("simulated::move_clock", "the demonstration's alone"),
    ("simulated::operator", "the demonstration's alone"),
    ("simulated::own_person", "the demonstration's alone"),
    ("simulated::pay_password", "the demonstration's alone"),
    ("simulated::shared_key", "the demonstration's alone"),
    ("simulated::signer_of_click", "the demonstration's alone"),
    ("simulated::take_key", "the demonstration's alone"),
    ("simulated::unused_codes", "the demonstration's alone"),
    ("simulated::wait_for_leases", "the demonstration's alone"),
    ("ssp::answer_to", "by `ssp::answer`"),
    ("ssp::caller", "by `ssp::answer`"),
    ("staff_access::end_those_of_before", "once at the start, over everything"),
    ("staff_calls::admit", "a signature and the two statements of `take_a_call`"),
    ("statement_file::print", "lays out what was read"),
    ("verify::export", "reads everything by its nature"),
    ("verify::ledger_heads", "reads everything by its nature"),
    ("verify::trial_balance", "reads everything by its nature"),
    ("verify::verify", "reads everything by its nature"),
    ("verify::verify_since", "reads everything by its nature"),
    ("work::advance", "by `work::round`"),
    ("work::roll_up", "by `work::round`"),
    ("work::run", "`work::round` again and again"),
    ("postback::authenticate", "one advertiser by its number, and its keys that wait"),
    ("upgrade::bring_up_to_date", "once at the start, over everything"),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// All public functions of the use cases, as `module::function`.
fn all_there_is() -> Vec<String> {
    let mut found = Vec::new();
    for floor in ["foundation", "money", "campaigns", "desk"] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(floor).join("src");
        for path in sources(&root) {
            let module = module(path.strip_prefix(&root).expect("below"));
            let text = std::fs::read_to_string(&path).expect("a source");
            let names = text.lines().filter_map(|line| line.strip_prefix("pub async fn ")?.split(['(', '<']).next());
            found.extend(names.map(|name| format!("{module}::{name}")));
        }
    }
    found.sort();
    found
}

/// An area is a folder of modules, and also a module itself. Deciding on requests is a module, whose parts are private.
fn module(path: &Path) -> String {
    let path = path.with_extension("");
    let mut parts = path.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
    let area = parts.next().expect("a name");
    if area == "requests" { area } else { parts.next().unwrap_or(area) }
}

/// Whether a file calls it, by its full name or by an imported one.
fn calls(text: &str, function: &str) -> bool {
    let (module, name) = function.split_once("::").expect("a module");
    let whole_word = |text: &str| {
        text.match_indices(name).any(|(at, _)| {
            let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
            edge(text[..at].chars().next_back()) && edge(text[at + name.len()..].chars().next())
        })
    };
    let uses = [format!("::{module}::"), format!("use {module}::")];
    let brought_in = text.split(';').any(|part| {
        let names = uses.iter().find_map(|uses| part.split_once(uses.as_str()));
        part.contains("use ") && names.is_some_and(|(_, names)| whole_word(names))
    });
    text.contains(&format!("{function}(")) || (brought_in && text.contains(&format!("{name}(")))
}

#[test]
fn nothing_that_can_be_asked_is_left_out() {
    let files = [
        include_str!("main.rs"),
        include_str!("asked.rs"),
        include_str!("asked/public_log.rs"),
        include_str!("asked/pushed.rs"),
        include_str!("asked/sorted.rs"),
        include_str!("asked/unpaid.rs"),
        include_str!("by_day.rs"),
        include_str!("../money/support.rs"),
        include_str!("exchanges.rs"),
        include_str!("../delivery/support.rs"),
        include_str!("../delivery/publishers/bidding.rs"),
    ];
    let all = all_there_is();
    assert!(all.len() > 130, "{all:?}");
    let is_called = |function: &String| files.iter().any(|text| calls(text, function));
    let excused = |function: &String| ELSEWHERE.iter().any(|(name, _)| name == function);
    let missing: Vec<_> = all.iter().filter(|function| !excused(function) && !is_called(function)).collect();
    assert!(missing.is_empty(), "asked nowhere: {missing:?}");
    for (name, why) in ELSEWHERE {
        assert!(all.iter().any(|one| one == name) && !why.is_empty(), "there is no {name} any more");
    }
}
