//! Information about the program: its commands, completions for shells, and pages for
//! `man`. All of it is generated from the command line's definition, so it cannot differ
//! from it.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::cli;
use crate::failure::Failure;
use crate::output::Output;

const COMPLETIONS: &str = "\
Examples:
  placard completions bash > ~/.local/share/bash-completion/completions/placard
  placard completions zsh > \"${fpath[1]}/_placard\"
  placard completions fish > ~/.config/fish/completions/placard.fish";

const PAGES: &str = "\
Examples:
  placard man | man -l -
  placard man --dir ~/.local/share/man/man1";

#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS)]
pub struct Completions {
    /// The shell
    pub shell: Shell,
}

#[derive(Debug, Args)]
#[command(after_help = PAGES)]
pub struct Pages {
    /// Write a page for each command into this directory, which is created if missing,
    /// instead of printing the first page
    #[arg(long)]
    pub dir: Option<PathBuf>,
}

/// Prints every command that does something, one per line.
pub fn commands(out: Output) -> Result<(), Failure> {
    let mut leaves = Vec::new();
    walk(&cli::command(), "", &mut leaves);
    out.print(&leaves.join("\n"))
}

fn walk(command: &clap::Command, path: &str, leaves: &mut Vec<String>) {
    let shown = command.get_subcommands().filter(|below| !below.is_hide_set() && below.get_name() != "help");
    for below in shown {
        let words = format!("{path} {}", below.get_name()).trim_start().to_owned();
        // Some do something by themselves and have subcommands too.
        if !below.is_subcommand_required_set() {
            leaves.push(words.clone());
        }
        walk(below, &words, leaves);
    }
}

pub fn completions(out: Output, wanted: &Completions) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(wanted.shell, &mut cli::command(), "placard", &mut script);
    out.print(String::from_utf8_lossy(&script).trim_end())
}

pub fn pages(out: Output, wanted: &Pages) -> Result<(), Failure> {
    let Some(dir) = &wanted.dir else {
        let mut page = Vec::new();
        Man::new(cli::documented()).render(&mut page).map_err(|e| Failure::Usage(e.to_string()))?;
        return out.print(String::from_utf8_lossy(&page).trim_end());
    };
    fs::create_dir_all(dir)
        .and_then(|()| clap_mangen::generate_to(cli::documented(), dir))
        .map_err(|e| Failure::Usage(format!("{}: {e}", dir.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups that still lack examples and help for each argument; none may be added.
    const EARLIER: [&str; 18] = [
        "operator",
        "account",
        "recharge",
        "withdrawal",
        "chargeback",
        "acceptor",
        "exchange",
        "advertiser",
        "product",
        "slot",
        "plan",
        "coupon",
        "promotion",
        "startup",
        "contact",
        "flow",
        "ledger",
        "audit",
    ];

    fn each(command: &clap::Command, path: &str, look: &mut dyn FnMut(&str, &clap::Command)) {
        for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
            let words = format!("{path} {}", below.get_name());
            look(&words, below);
            each(below, &words, look);
        }
    }

    #[test]
    fn every_command_and_argument_says_what_it_is() {
        let mut silent = Vec::new();
        each(&cli::command(), "placard", &mut |words, command| {
            if command.get_about().is_none() {
                silent.push(words.to_owned());
            }
            if words.split(' ').nth(1).is_some_and(|group| EARLIER.contains(&group)) {
                return;
            }
            for argument in command.get_arguments().filter(|argument| argument.get_help().is_none()) {
                silent.push(format!("{words} {}", argument.get_id()));
            }
        });
        assert!(silent.is_empty(), "without help:\n{}", silent.join("\n"));
    }

    #[test]
    fn every_group_has_examples() {
        let without: Vec<String> = cli::command()
            .get_subcommands()
            .filter(|group| !group.is_hide_set() && group.get_name() != "help" && !EARLIER.contains(&group.get_name()))
            .filter(|group| {
                let examples = group.get_after_help().map(ToString::to_string).unwrap_or_default();
                !examples.contains("Examples:\n") || !examples.contains(&format!("placard {}", group.get_name()))
            })
            .map(|group| group.get_name().to_owned())
            .collect();
        assert!(without.is_empty(), "without examples: {without:?}");
    }

    /// The examples can be parsed.
    #[test]
    fn examples_are_understood() {
        let mut wrong = Vec::new();
        each(&cli::command(), "placard", &mut |_, command| {
            let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            for line in examples.replace("\\\n", " ").lines().filter_map(|line| line.strip_prefix("  placard ")) {
                if let Err(error) = cli::command().try_get_matches_from(words(line)) {
                    wrong.push(format!("{line}\n{error}"));
                }
            }
        });
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// Splits a line like a shell, up to a redirection.
    fn words(line: &str) -> Vec<String> {
        let (mut words, mut word, mut quoted) = (vec!["placard".to_owned()], String::new(), false);
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                '|' | '>' | '#' if !quoted => break,
                ' ' if !quoted => words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty())),
                other => word.push(other),
            }
        }
        words.extend(Some(word).filter(|word| !word.is_empty()));
        words
    }

    #[test]
    fn help_fits_eighty_columns() {
        let mut wide = Vec::new();
        let mut root = cli::command();
        root.build();
        each(&root, "placard", &mut |words, command| {
            let mut command = command.clone();
            for help in [command.render_help(), command.render_long_help()] {
                let help = help.to_string();
                wide.extend(help.lines().filter(|l| l.chars().count() > 80).map(|l| format!("{words}: {l}")));
            }
        });
        assert!(wide.is_empty(), "{}", wide.join("\n"));
    }

    #[test]
    fn a_leaf_is_what_does_something() {
        let mut leaves = Vec::new();
        walk(&cli::command(), "", &mut leaves);
        for known in ["ledger verify", "account show", "chargeback", "chargeback approve", "migrate", "man"] {
            assert!(leaves.iter().any(|words| words == known), "{known}");
        }
        for group in ["ledger", "account", "commands"] {
            assert!(!leaves.iter().any(|words| words == group), "{group}");
        }
    }
}
