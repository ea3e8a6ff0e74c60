//! Information about the program, and how it ends.

use std::io::Read;
use std::process::Stdio;

use crate::support::{Placard, Ran};

fn placard() -> Placard {
    Placard::on_sqlite()
}

/// Without any installation, not even a database address.
fn alone(arguments: &[&str]) -> Ran {
    let placard = placard();
    let mut command = placard.command(arguments);
    command.env("PLACARD_DATABASE_URL", "nonsense://").output().expect("runs").into()
}

#[test]
fn commands_are_listed_as_they_are_typed() {
    let ran = alone(&["commands"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let commands: Vec<&str> = ran.out.lines().collect();
    assert!(commands.len() > 60 && commands.contains(&"withdrawal approve"), "{commands:?}");
    let placard = placard();
    for command in commands {
        let words: Vec<&str> = command.split(' ').collect();
        let help: Ran = placard.command(&words).arg("--help").output().expect("runs").into();
        assert_eq!(help.code, Some(0), "{command}: {help:?}");
        assert!(help.out.contains(&format!("placard {command}")), "{help:?}");
        assert!(help.out.lines().all(|line| line.chars().count() <= 80), "{}", help.out);
    }
}

#[test]
fn each_form_of_a_command_has_its_line() {
    let help = alone(&["chargeback", "--help"]).out;
    assert!(help.contains("\n       placard chargeback <COMMAND>\n"), "{help}");
    assert!(help.contains("--reason <REASON> <USERNAME> <AMOUNT>\n"), "{help}");
}

#[test]
fn shells_complete_its_words() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = alone(&["completions", shell]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.out.contains("trial-balance") && ran.out.contains("placard"), "{shell}");
    }
    let placard = placard();
    let script = placard.file("completions.bash", &alone(&["completions", "bash"]).out);
    let checked = std::process::Command::new("bash").args(["-n", &script]).output().expect("bash");
    assert!(checked.status.success(), "{checked:?}");
    let wrong = alone(&["completions", "basic"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
}

#[test]
fn there_is_a_page_for_each_command() {
    let first = alone(&["man"]);
    assert!(first.code == Some(0) && first.out.contains(".TH placard 1"), "{first:?}");
    let folder = tempfile::tempdir().expect("a folder");
    let pages = folder.path().join("deep/man1");
    let ran = alone(&["man", "--dir", &pages.display().to_string()]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    for command in alone(&["commands"]).out.lines() {
        let page = pages.join(format!("placard-{}.1", command.replace(' ', "-")));
        let text = std::fs::read_to_string(&page).unwrap_or_else(|e| panic!("{}: {e}", page.display()));
        assert!(text.contains(".SH NAME"), "{text}");
    }
    let names = std::fs::read_dir(&pages).expect("pages").map(|page| page.expect("a page").file_name());
    let of_help: Vec<_> = names.filter(|name| name.to_string_lossy().contains("-help")).collect();
    assert!(of_help.is_empty(), "help is no command with a page of its own: {of_help:?}");
    alone(&["man", "--dir", "/proc/nowhere"]).misused("/proc/nowhere");
}

#[test]
fn its_end_tells_what_became_of_it() {
    let placard = placard();
    assert_eq!(placard.run(&["ledger", "verify"]).code, Some(0));
    placard.run(&["account", "list"]).refused("no_auth");
    placard.run(&["account", "list", "--limit", "0"]).misused("--limit");
    placard.run(&["account", "frob"]).misused("frob");
}

/// A closed pipe means that its reader has seen enough; that is not a failure.
#[test]
fn a_closed_pipe_is_quiet() {
    for arguments in [&["commands"][..], &["ledger", "trial-balance"], &["completions", "zsh"], &["--help"]] {
        let placard = placard();
        let mut command = placard.command(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("runs");
        drop(child.stdout.take());
        let mut said = String::new();
        child.stderr.take().expect("piped").read_to_string(&mut said).expect("UTF-8");
        assert_eq!((child.wait().expect("ends").code(), said.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn colours_are_for_terminals() {
    let placard = placard();
    let heading = "\u{1b}[1m";
    let list = |more: &[&str]| -> String {
        let ran: Ran = placard.command(&[&["ledger", "trial-balance"], more].concat()).output().expect("runs").into();
        ran.out
    };
    let planted = placard.run(&["demo", "seed"]);
    assert_eq!(planted.code, Some(0), "{planted:?}");
    assert!(!list(&[]).contains('\u{1b}'), "a pipe is no terminal");
    assert!(list(&["--color", "always"]).contains(heading));
    assert!(!list(&["--color", "always", "--json"]).contains('\u{1b}'), "a program reads no colours");
    assert!(!list(&["--color", "never"]).contains('\u{1b}'));
    assert_eq!(anstream_free(&list(&["--color", "always"])), list(&[]));
}

fn anstream_free(text: &str) -> String {
    text.replace("\u{1b}[1m", "").replace("\u{1b}[0m", "")
}

/// In a separate terminal, provided by `script`.
#[test]
fn a_terminal_gets_colours_unless_it_wants_none() {
    let placard = placard();
    let in_terminal = |no_color: Option<&str>| -> String {
        let program = format!("{} ledger trial-balance", env!("CARGO_BIN_EXE_placard"));
        let mut command = placard.command(&[]);
        let mut terminal = std::process::Command::new("script");
        terminal.args(["-qec", &program, "/dev/null"]).stdin(Stdio::null());
        for (name, value) in command.get_envs() {
            terminal.env(name, value.unwrap_or_default());
        }
        terminal.current_dir(command.get_current_dir().expect("a folder")).env("TERM", "xterm").env_remove("NO_COLOR");
        command.env_clear();
        if let Some(value) = no_color {
            terminal.env("NO_COLOR", value);
        }
        let ran: Ran = terminal.output().expect("script of util-linux").into();
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.out
    };
    assert_eq!(placard.run(&["demo", "seed"]).code, Some(0));
    assert!(in_terminal(None).contains("\u{1b}[1m"));
    assert!(!in_terminal(Some("1")).contains("\u{1b}[1m"));
}

/// Servers run commands for others: what a command reads, writes and prints must go
/// through the caller's context, never through the process.
#[test]
fn commands_reach_no_file_terminal_or_environment_by_themselves() {
    /// Those that no server runs.
    const HERE: [&str; 8] =
        ["accept.rs", "backup.rs", "config.rs", "doctor.rs", "key.rs", "log_key.rs", "restore.rs", "tree.rs"];
    const OWN: [&str; 8] =
        ["std::fs", "fs::", "File::", "std::io", "println!", "std::env", "std::process", "Values::load"];
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/commands");
    let (mut folders, mut looked_at, mut found) = (vec![folder], 0, Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if !HERE.contains(&name.as_str()) {
                looked_at += 1;
                let text = std::fs::read_to_string(&path).expect("a file");
                found.extend(OWN.iter().filter(|own| text.contains(*own)).map(|own| format!("{name}: {own}")));
            }
        }
    }
    assert!(looked_at > 25 && found.is_empty(), "{found:?}");
}
