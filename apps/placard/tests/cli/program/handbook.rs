//! Runs docs/SUPPORT.md from its first command to its last in one installation with the
//! demonstration: every command gives the answer shown on the page.
//!
//! In a `console` block a line `anna$ placard …` is a command by demo-anna, `ben$ …` by
//! demo-ben, `carla$ …` by an operator whose key was named `<carla>`, and `$ …` by nobody; the following lines are its answer. In an answer `…`
//! stands for any text, alone on a line for any lines, and `<name>` for a word that a
//! later command may repeat. A block of another kind with a file name (```` ```toml
//! spring.toml ````) is written to that file. `<!-- stage: what -->` lets the customer do
//! something first.
//!
//! UPDATE_SUPPORT=1 replaces wrong answers with real ones.

mod page;
mod stage;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::support::{Key, Placard, Ran};
use page::{Command, Step};

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/SUPPORT.md")
}

// Once on each kind of database and once over each kind of access. The other two pairs
// would show nothing new: other tests run commands on all four.

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_command_of_the_handbook_answers_as_it_says() {
    walk(Placard::on_sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_command_of_the_handbook_answers_the_same_from_afar() {
    walk(Placard::afar(store::testing::postgres())).await;
}

async fn walk(placard: Placard) {
    let (anna, ben) = placard.demonstration();
    let text = std::fs::read_to_string(path()).expect("the handbook");
    let steps = page::read(&text);
    let mut known: HashMap<String, String> = HashMap::new();
    let (mut commands, mut wrong) = (0, Vec::new());
    for step in &steps {
        match step {
            Step::File { name, text } => drop(placard.file(name, text)),
            Step::Stage(what) => stage::set(&placard, what, &mut known).await,
            Step::Run(command) => {
                commands += 1;
                let by = match command.by.as_str() {
                    "" => None,
                    "anna" => Some(anna.clone()),
                    "ben" => Some(ben.clone()),
                    // Somebody whose key an answer has named.
                    name => match known.get(name) {
                        Some(key) => Some(Key { name: name.to_owned(), key: key.clone() }),
                        None => panic!("line {}: who is {name}?", command.line),
                    },
                };
                let answer = run(&placard, by.as_ref(), command, &known);
                if !page::answers(&command.answer, &answer, &mut known) {
                    wrong.push((command, page::shown(&answer, &known)));
                }
            }
        }
    }
    assert!(commands > 70, "only {commands} commands");
    if std::env::var_os("UPDATE_SUPPORT").is_some() {
        std::fs::write(path(), page::rewritten(&text, &wrong)).expect("written");
    }
    let told = wrong.iter().map(|(command, answer)| format!("docs/SUPPORT.md:{} answers\n{answer}", command.line));
    assert!(wrong.is_empty(), "{}", told.collect::<Vec<_>>().join("\n"));
}

fn run(placard: &Placard, by: Option<&Key>, command: &Command, known: &HashMap<String, String>) -> String {
    let arguments = command.arguments(known);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut process = match by {
        Some(by) => placard.command_as(by, &arguments),
        None => placard.command(&arguments),
    };
    let ran: Ran = process.output().expect("runs").into();
    format!("{}{}", ran.out, ran.err)
}
