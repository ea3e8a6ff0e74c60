//! Parses the page, and compares its answers with real ones.

use std::collections::HashMap;

pub enum Step {
    Run(Command),
    File { name: String, text: String },
    Stage(String),
}

pub struct Command {
    /// Its line on the page.
    pub line: usize,
    /// The operator; empty for nobody.
    pub by: String,
    words: Vec<String>,
    /// The lines of its answer, which follows line `answered_from`.
    pub answer: Vec<String>,
    pub answered_from: usize,
}

impl Command {
    fn parse(line: usize, by: &str, text: &str) -> Self {
        let words = shlex::split(text).unwrap_or_else(|| panic!("line {line}: {text}: quotes do not end"));
        assert_eq!(words.first().map(String::as_str), Some("placard"), "line {line}: {text}");
        Self { line, by: by.to_owned(), words, answer: Vec::new(), answered_from: line }
    }

    /// Without the program's name, and with words from earlier answers.
    pub fn arguments(&self, known: &HashMap<String, String>) -> Vec<String> {
        let filled = |word: &String| {
            known.iter().fold(word.clone(), |text, (name, value)| text.replace(&format!("<{name}>"), value))
        };
        self.words.iter().skip(1).map(filled).collect()
    }
}

pub fn read(page: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if let Some(what) = line.strip_prefix("<!-- stage: ") {
            steps.push(Step::Stage(what.trim_end_matches(" -->").to_owned()));
        } else if let Some(kind) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
            match kind.split_once(' ') {
                None if kind == "console" => steps.extend(commands(number + 2, &block).into_iter().map(Step::Run)),
                Some((_, name)) => steps.push(Step::File { name: name.to_owned(), text: block.join("\n") + "\n" }),
                None => {}
            }
        }
    }
    steps
}

fn commands(first: usize, block: &[&str]) -> Vec<Command> {
    let mut commands: Vec<Command> = Vec::new();
    let mut unfinished = String::new();
    for (number, line) in (first..).zip(block) {
        let typed = match line.split_once("$ ") {
            _ if !unfinished.is_empty() => Some(format!("{unfinished}{}", line.trim_start())),
            Some((by, _)) if by.chars().all(char::is_alphabetic) => Some((*line).to_owned()),
            _ => None,
        };
        match (typed, commands.last_mut()) {
            (Some(typed), _) if typed.ends_with('\\') => unfinished = typed.trim_end_matches('\\').to_owned(),
            (Some(typed), _) => {
                unfinished.clear();
                let (by, text) = typed.split_once("$ ").expect("a prompt");
                commands.push(Command::parse(number, by, text));
            }
            (None, Some(command)) => command.answer.push((*line).to_owned()),
            (None, None) => panic!("line {number}: an answer to nothing"),
        }
    }
    commands
}

/// The page with other answers for these commands.
pub fn rewritten(page: &str, answers: &[(&Command, String)]) -> String {
    let mut lines: Vec<&str> = page.lines().collect();
    for (command, answer) in answers.iter().rev() {
        let from = command.answered_from;
        lines.splice(from..from + command.answer.len(), answer.lines());
    }
    lines.join("\n") + "\n"
}

/// An answer as the page shows it: times, which vary, as `…`, and named words by their
/// names.
pub fn shown(answer: &str, known: &HashMap<String, String>) -> String {
    let named = known.iter().fold(answer.to_owned(), |text, (name, value)| {
        if value.len() > 3 { text.replace(value.as_str(), &format!("<{name}>")) } else { text }
    });
    let lines: Vec<String> = named.lines().map(|line| without_moments(line).trim_end().to_owned()).collect();
    without_broken_moments(&lines).iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// In a narrow column the time stands below its day.
fn without_broken_moments(lines: &[String]) -> Vec<String> {
    let mut lines: Vec<Vec<char>> = lines.iter().map(|line| line.chars().collect()).collect();
    for below in 1..lines.len() {
        for at in 0..lines[below].len() {
            let is_there = |line: usize, shape: &str| {
                lines[line].get(at..).is_some_and(|rest| is_like(&rest.iter().collect::<String>(), shape))
            };
            if is_there(below, "00:00:00Z") && is_there(below - 1, "0000-00-00") {
                hide(&mut lines[below], at, "00:00:00Z".len());
                hide(&mut lines[below - 1], at, "0000-00-00".len());
            }
        }
    }
    lines.into_iter().map(|line| line.into_iter().collect()).collect()
}

fn hide(line: &mut [char], at: usize, length: usize) {
    line[at..at + length].fill(' ');
    line[at] = '…';
}

fn without_moments(line: &str) -> String {
    let mut rest = line;
    let mut shown = String::new();
    while let Some(at) = (0..rest.len()).find(|at| rest.get(*at..).is_some_and(is_moment)) {
        let (before, moment) = rest.split_at(at);
        let end = moment.get(11..).and_then(|time| time.find(' ')).map_or(moment.len(), |time| 11 + time);
        let (moment, after) = moment.split_at(end);
        shown += before;
        // With the same width, so that the rest stays in its column.
        shown += &format!("{:width$}", "…", width = moment.chars().count());
        rest = after;
    }
    shown + rest
}

/// Such as `2026-11-21 14:16:05Z`.
fn is_moment(text: &str) -> bool {
    is_like(text, "0000-00-00 0")
}

/// Whether the text begins so, with digits for the zeros.
fn is_like(text: &str, shape: &str) -> bool {
    let fits = |(shown, shape): (char, char)| if shape == '0' { shown.is_ascii_digit() } else { shown == shape };
    text.len() >= shape.len() && text.chars().zip(shape.chars()).all(fits)
}

/// Whether the answer matches the page; words named on the page are known afterwards.
pub fn answers(shown: &[String], answer: &str, known: &mut HashMap<String, String>) -> bool {
    let shown: Vec<String> = shown.iter().map(|line| words(line)).filter(|line| !line.is_empty()).collect();
    let given: Vec<String> = answer.lines().map(words).filter(|line| !line.is_empty()).collect();
    let (mut shown, mut given) = (shown.as_slice(), given.as_slice());
    while let Some((line, rest)) = shown.split_first() {
        shown = rest;
        if line == "…" {
            let Some(next) = shown.first() else { return true };
            match given.iter().position(|line| matches(next, line, &mut known.clone())) {
                Some(at) => given = given.get(at..).unwrap_or_default(),
                None => return false,
            }
        } else {
            match given.split_first() {
                Some((first, others)) if matches(line, first, known) => given = others,
                _ => return false,
            }
        }
    }
    given.is_empty()
}

/// With single spaces between words, because column widths depend on the content.
fn words(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn matches(shown: &str, given: &str, known: &mut HashMap<String, String>) -> bool {
    let Some(at) = shown.find(['…', '<']) else { return shown == given };
    let (before, rest) = shown.split_at(at);
    let Some(given) = given.strip_prefix(before) else { return false };
    if let Some(after) = rest.strip_prefix('…') {
        let ends = given.char_indices().map(|(at, _)| at).chain([given.len()]);
        return ends.into_iter().any(|at| matches(after, given.get(at..).unwrap_or_default(), known));
    }
    let Some((name, after)) = rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) else {
        return rest == given;
    };
    let word = given.split(' ').next().unwrap_or_default();
    let same = known.get(name).is_none_or(|before| before == word);
    known.insert(name.to_owned(), word.to_owned());
    same && !word.is_empty() && matches(after, given.get(word.len()..).unwrap_or_default(), known)
}

#[test]
fn an_answer_is_held_against_what_the_page_shows() {
    let holds = |shown: &[&str], given: &str| {
        let shown: Vec<String> = shown.iter().map(|line| (*line).to_owned()).collect();
        answers(&shown, given, &mut HashMap::new())
    };
    assert!(holds(&["ID  NAME", "<a>  x"], "ID NAME\n7     x\n"));
    assert!(holds(&["a", "…", "d"], "a\nb\nc\nd\n") && holds(&["a …"], "a b c"));
    assert!(holds(&["id <a>", "of <a>"], "id 7\nof 7") && !holds(&["id <a>", "of <a>"], "id 7\nof 8"));
    for (shown, given) in [(&["a"][..], "a\nb"), (&["a", "b"], "a"), (&["a", "…", "d"], "a\nb"), (&["a …"], "b c")]
    {
        assert!(!holds(shown, given), "{shown:?}");
    }
}

#[test]
fn commands_and_files_are_read_from_a_page() {
    let page = "text\n```console\nanna$ placard x \"a b\" \\\n  --y <id>\none\n$ placard z\n```\n```toml a.toml\nb = 1\n```\n\
                <!-- stage: feedback -->\n```json\n{}\n```\n";
    let steps = read(page);
    assert_eq!(steps.len(), 4);
    let [Step::Run(first), Step::Run(second), Step::File { name, text }, Step::Stage(stage)] = steps.as_slice() else {
        panic!("in this order")
    };
    let known = HashMap::from([("id".to_owned(), "7".to_owned())]);
    assert_eq!(
        (first.by.as_str(), first.arguments(&known)),
        ("anna", ["x", "a b", "--y", "7"].map(String::from).into())
    );
    assert_eq!((first.line, first.answer.as_slice(), second.by.as_str()), (4, &["one".to_owned()][..], ""));
    assert_eq!((name.as_str(), text.as_str(), stage.as_str()), ("a.toml", "b = 1\n", "feedback"));
}
