//! docs/SUPPORT.md, run from its first command to its last in one installation
//! with the demonstration: what the page says a command answers, it answers.
//!
//! In a `console` block a line `anna$ placard …` is a command by demo-anna,
//! `ben$ …` by demo-ben and `$ …` by nobody; what follows is its answer. In an
//! answer `…` stands for any text, alone on a line for any lines, and `<name>`
//! for a word that a later command may repeat. A block of another kind with a
//! file's name behind it (```` ```toml spring.toml ````) is written to that
//! file. `<!-- stage: what -->` lets the customer do something first.

mod page;
mod stage;

use std::collections::HashMap;
use std::path::Path;

use store::on_both;

use crate::support::{Key, Placard, Ran};
use page::{Command, Step};

fn steps() -> Vec<Step> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/SUPPORT.md");
    page::read(&std::fs::read_to_string(path).expect("the handbook"))
}

on_both!(every_command_of_the_handbook_answers_as_it_says, |t| {
    let placard = Placard::new(t);
    let (anna, ben) = placard.demonstration();
    let mut known = HashMap::new();
    let (mut commands, mut wrong) = (0, Vec::new());
    for step in steps() {
        match step {
            Step::File { name, text } => drop(placard.file(&name, &text)),
            Step::Stage(what) => stage::set(&placard, &what).await,
            Step::Run(command) => {
                commands += 1;
                let by = match command.by.as_str() {
                    "" => None,
                    "anna" => Some(&anna),
                    "ben" => Some(&ben),
                    other => panic!("line {}: who is {other}?", command.line),
                };
                wrong.extend(run(&placard, by, &command, &mut known));
            }
        }
    }
    assert!(commands > 0, "only {commands} commands");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
});

/// What is wrong with the page's answer, if anything.
fn run(placard: &Placard, by: Option<&Key>, command: &Command, known: &mut HashMap<String, String>) -> Option<String> {
    let arguments = command.arguments(known);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut process = placard.command(&arguments);
    if let Some(by) = by {
        process.env("PLACARD_OPERATOR", &by.name).env("PLACARD_OPERATOR_KEY", &by.key);
    }
    let ran: Ran = process.output().expect("runs").into();
    let answer = format!("{}{}", ran.out, ran.err);
    if page::answers(&command.answer, &answer, known) {
        return None;
    }
    Some(format!("docs/SUPPORT.md:{}: {} answers\n{answer}", command.line, arguments.join(" ")))
}
