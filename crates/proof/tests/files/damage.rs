//! Files of which nothing may be believed: each is one that holds, with one damage. Nothing proves when a file was made, and
//! nothing needs a witness's signature to be there, nor one of a key that is not known; in a month without transactions nothing
//! proves the numbers of book, month and transaction. These are left alone.

use crate::history::{FLAWS, History, history, made, proved};
use crate::random::Random;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use proof::file;
use proof::{Checkpoint, NoteSigner};

type Damage = fn(&mut Random, &History) -> Option<Vec<u8>>;

pub const KINDS: [(&str, Damage); 40] = [
    ("a digit of a transaction", |random, h| replaced(random, h, transactions, digit)),
    ("a character", |random, h| replaced(random, h, proven, character)),
    ("a line gone", |random, h| {
        lines(h, |lines| {
            lines.remove(place(random, h, structural)?);
            Some(())
        })
    }),
    ("a line doubled", |random, h| {
        lines(h, |lines| {
            let at = place(random, h, unsigned)?;
            lines.insert(at, lines[at].clone());
            Some(())
        })
    }),
    ("two lines swapped", |random, h| {
        let at = place(random, h, |h, at| unsigned(h, at) && unsigned(h, at + 1))?;
        lines(h, |lines| (lines[at] != lines[at + 1]).then(|| lines.swap(at, at + 1)))
    }),
    ("another's inclusion", |random, h| {
        let other = history(random);
        Some(format!("{}{}", before_inclusion(h), inclusion_of(&other)).into_bytes())
    }),
    ("the inclusion of another leaf", |random, h| {
        let other = (h.index + 1 + random.below(h.leaves.len().max(2) - 1)) % h.leaves.len();
        let (_, path) = proved(&h.leaves, other);
        let text = file::inclusion(u64::try_from(other).ok()?, &path, checkpoint_of(h));
        (other != h.index).then(|| format!("{}{text}", before_inclusion(h)).into_bytes())
    }),
    ("another index", |random, h| {
        let index = format!("index {}", h.index);
        let other = format!("index {}", h.index + 1 + random.below(5));
        edited(h, |text| text.replacen(&format!("@v1\n{index}\n"), &format!("@v1\n{other}\n"), 1))
    }),
    ("another origin in the book", |_, h| edited(h, |text| text.replacen("origin: ads", "origin: adz", 1))),
    ("another origin everywhere", |_, h| edited(h, |text| text.replace("ads", "adz"))),
    ("the file cut", |random, h| {
        // What follows the log's signature are witnesses'.
        let end = h.text.find("\n— ads")? + 1;
        let end = end + h.text.get(end..)?.find('\n')?;
        let cut = random.below(end);
        h.text.as_bytes().get(..cut).map(<[u8]>::to_vec)
    }),
    ("no line feed at the end", |_, h| edited(h, |text| text.trim_end().to_owned())),
    ("a line after the end", |random, h| {
        let line = random.pick(&["\n", "x\n", " \n", "— x\n", "— a b\n", "— ads AAAAAA==\n", "== book\n"]);
        edited(h, |text| text + line)
    }),
    ("a line more", |random, h| {
        let line = random.pick(&["", "x", "extra eA==", "comment: x", "[]", "== balances"]).to_owned();
        lines(h, |lines| {
            lines.insert(place(random, h, unsigned)?, line);
            Some(())
        })
    }),
    ("all twice", |_, h| edited(h, |text| text.clone() + &text)),
    ("a byte order mark", |_, h| edited(h, |text| format!("\u{feff}{text}"))),
    ("an invisible character", |random, h| {
        let hidden = random.pick(&["\u{200b}", "\u{301}", "\u{ad}", "\u{2028}", "\u{85}", "\u{a0}", "\u{7f}"]);
        replaced(random, h, proven, |random, line| Some(inserted(random, line, hidden)))
    }),
    ("a look-alike", |random, h| {
        replaced(random, h, proven, |random, line| {
            let (from, to) = random.pick(&[("a", "а"), ("e", "е"), ("0", "０"), ("1", "１"), (":", "："), ("-", "−")]);
            line.contains(from).then(|| line.replacen(from, to, 1))
        })
    }),
    ("no UTF-8", |random, h| {
        let mut bytes = h.text.clone().into_bytes();
        let at = random.below(bytes.len());
        let wrong: &[u8] =
            random.pick(&[&[0xff][..], &[0xc0, 0x80], &[0xed, 0xa0, 0x80], &[0xf4, 0x90, 0x80, 0x80], &[0xe2]]);
        bytes.splice(at..at, wrong.iter().copied());
        std::str::from_utf8(&bytes).is_err().then_some(bytes)
    }),
    ("a control character", |random, h| {
        let control = random.pick(&["\u{0}", "\u{1}", "\t", "\u{b}", "\u{c}", "\u{1b}"]);
        replaced(random, h, any, |random, line| Some(inserted(random, line, control)))
    }),
    ("CR before every LF", |_, h| edited(h, |text| text.replace('\n', "\r\n"))),
    ("CR before an LF", |random, h| replaced(random, h, any, |_, line| Some(format!("{line}\r")))),
    ("CR in the place of LF", |_, h| edited(h, |text| text.replace('\n', "\r"))),
    ("white space", |random, h| {
        let space = random.pick(&[" ", "  ", "\u{a0}"]);
        replaced(random, h, proven, |random, line| {
            Some(match random.below(3) {
                0 => format!("{line}{space}"),
                1 => format!("{space}{line}"),
                _ => line.replacen([',', ':'].as_slice(), &format!(",{space}"), 1),
            })
            .filter(|other| other != line)
        })
    }),
    ("a number written otherwise", |random, h| replaced(random, h, numbered, other_number)),
    ("a text escaped otherwise", |random, h| {
        replaced(random, h, transactions, |random, line| {
            let (from, to) = random.pick(&[
                ("user", "\\u0075ser"),
                ("plan", "\\u0070lan"),
                ("/", "\\/"),
                ("\\n", "\\u000a"),
                ("\\t", "\t"),
                ("\\u001f", "\\u001F"),
                ("\\\"", "\\u0022"),
                ("🦀", "\\ud83e\\udd80"),
                ("ö", "\\u00f6"),
                ("ö", "o\u{308}"),
            ]);
            line.contains(from).then(|| line.replacen(from, to, 1))
        })
    }),
    ("null and nothing", |random, h| {
        replaced(random, h, transactions, |random, line| {
            let (from, to) =
                random.pick(&[("null", "\"\""), (",null", ","), ("null", "0"), ("\"\"", "null"), ("null", "false")]);
            line.contains(from).then(|| line.replacen(from, to, 1))
        })
    }),
    ("an amount that is no text", |random, h| {
        replaced(random, h, transactions, |_, line| {
            let entry = line.find(",[[")?;
            let (before, after) = line.split_at_checked(entry)?;
            Some(format!("{before}{}", after.replacen('"', "", 2))).filter(|other| other != line)
        })
    }),
    ("an entry gone", |random, h| {
        replaced(random, h, transactions, |_, line| {
            let from = line.rfind("],[")?;
            line.get(from + 1..line.len() - 2).map(|gone| line.replacen(gone, "", 1))
        })
    }),
    ("a list more", |random, h| {
        let (from, to) =
            random.pick(&[("]]", "],[]]"), ("]]", "]],0"), ("]]", "]]]"), ("[", "[["), ("]", ",0]"), ("[", "[,")]);
        replaced(random, h, transactions, |_, line| {
            let at = if from == "[" { Some(0) } else { line.rfind(from) }?;
            Some(format!("{}{to}{}", line.get(..at)?, line.get(at + from.len()..)?))
        })
    }),
    ("upper-case hexadecimal", |random, h| {
        replaced(
            random,
            h,
            |h, at| h.head.previous.0 > 0 && line_of(h, at).starts_with("previous: "),
            |_, line| {
                let (name, rest) = line.split_at_checked(9)?;
                Some(format!("{name}{}", rest.to_uppercase())).filter(|other| other != line)
            },
        )
    }),
    ("base64 written otherwise", |random, h| {
        let hash = |h: &History, at: usize| line_of(h, at).len() == 44 && line_of(h, at).ends_with('=');
        replaced(random, h, hash, |random, line| {
            Some(match random.below(4) {
                0 => line.trim_end_matches('=').to_owned(),
                1 => line.replace(['+', '/'], "-"),
                2 => format!("{line}="),
                _ => loose(line),
            })
            .filter(|other| other != line)
        })
    }),
    ("the log's signature", |random, h| replaced(random, h, |h, at| line_of(h, at).starts_with("— ads"), signature)),
    ("a witness's signature", |random, h| {
        replaced(random, h, |h, at| h.witnesses.iter().any(|line| line == line_of(h, at)), signature)
    }),
    ("signed by a key of the same name", |random, h| {
        let (signed, _) = checkpoint_of(h).split_once("\n\n")?;
        let checkpoint = Checkpoint::parse(&format!("{signed}\n"))?;
        let signer = NoteSigner::new(&checkpoint.origin, &random.hash()).ok()?;
        let (text, _) = h.text.split_once(checkpoint_of(h))?;
        Some(format!("{text}{}", checkpoint.sign(&signer)).into_bytes())
    }),
    ("a larger or smaller log", |random, h| {
        let size = h.leaves.len();
        let other = if random.once_in(2) { size + 1 } else { size.saturating_sub(1) };
        edited(h, |text| text.replacen(&format!("placard\n{size}\n"), &format!("placard\n{other}\n"), 1))
    }),
    ("another month", |_, h| {
        let month = h.head.month;
        let other = if month.number() % 100 == 12 { month.number() - 1 } else { month.number() + 1 };
        let other = proof::Month::of_number(other)?;
        let change = |text: String| text.replacen(&format!("month: {month}"), &format!("month: {other}"), 1);
        if h.head.transactions > 0 { edited(h, change) } else { None }
    }),
    ("a line that is too long", |random, h| {
        replaced(random, h, any, |_, line| Some(format!("{line}{}", "x".repeat(64 * 1024 + 1 - line.len().min(9)))))
    }),
    ("a proof that is too long", |random, h| {
        let hash = STANDARD.encode(random.hash());
        let more = format!("@v1\nindex {}\n{}", h.index, format!("{hash}\n").repeat(64));
        edited(h, |text| text.replacen(&format!("@v1\nindex {}\n", h.index), &more, 1))
    }),
    ("balances", |random, h| {
        replaced(
            random,
            h,
            |h, at| is_balance(line_of(h, at)),
            |random, line| {
                let (at, _) = line.match_indices(' ').nth(random.below(line.matches(' ').count()))?;
                let end = line.get(at + 1..)?.find(' ').map_or(line.len(), |end| at + 1 + end);
                let other = if line.get(at + 1..end)? == "5" { "6" } else { "5" };
                Some(format!("{} {other}{}", line.get(..at)?, line.get(end..)?))
            },
        )
    }),
];

fn is_balance(line: &str) -> bool {
    ["totals: ", "leaf: ", "sum: ", "leaves: "].iter().any(|name| line.starts_with(name))
}

fn all_lines(h: &History) -> Vec<String> {
    h.text.trim_end_matches('\n').split('\n').map(str::to_owned).collect()
}

fn line_of(h: &History, at: usize) -> &str {
    h.text.split('\n').nth(at).unwrap_or_default()
}

type Which = fn(&History, usize) -> bool;

const fn any(_: &History, _: usize) -> bool {
    true
}

fn transactions(h: &History, at: usize) -> bool {
    line_of(h, at).starts_with('[')
}

/// Lines of which every character is proven.
fn proven(h: &History, at: usize) -> bool {
    let line = line_of(h, at);
    let told = ["book: ", "month: ", "previous: "].iter().any(|name| line.starts_with(name));
    !line.is_empty() && !line.starts_with("made: ") && unsigned(h, at) && (h.head.transactions > 0 || !told)
}

/// Lines that are no signatures.
fn unsigned(h: &History, at: usize) -> bool {
    !line_of(h, at).starts_with("— ")
}

/// Lines that cannot be left out.
fn structural(h: &History, at: usize) -> bool {
    unsigned(h, at) || line_of(h, at).starts_with("— ads")
}

/// Lines with numbers that are proven.
fn numbered(h: &History, at: usize) -> bool {
    let line = line_of(h, at);
    let names =
        ["book: ", "previous: ", "transactions: ", "index ", "index: ", "leaf: ", "sum: ", "totals: ", "leaves: "];
    proven(h, at) && (transactions(h, at) || names.iter().any(|name| line.starts_with(name)))
}

fn place(random: &mut Random, h: &History, which: Which) -> Option<usize> {
    let places: Vec<usize> = (0..all_lines(h).len()).filter(|at| which(h, *at)).collect();
    (!places.is_empty()).then(|| random.pick(&places))
}

fn lines(h: &History, change: impl FnOnce(&mut Vec<String>) -> Option<()>) -> Option<Vec<u8>> {
    let mut lines = all_lines(h);
    change(&mut lines)?;
    Some((lines.join("\n") + "\n").into_bytes()).filter(|bytes| bytes != h.text.as_bytes())
}

fn replaced(
    random: &mut Random,
    h: &History,
    which: Which,
    change: impl FnOnce(&mut Random, &str) -> Option<String>,
) -> Option<Vec<u8>> {
    let at = place(random, h, which)?;
    lines(h, |lines| {
        lines[at] = change(random, &lines[at])?;
        Some(())
    })
}

fn edited(h: &History, change: impl FnOnce(String) -> String) -> Option<Vec<u8>> {
    Some(change(h.text.clone()).into_bytes()).filter(|bytes| bytes != h.text.as_bytes())
}

fn character(random: &mut Random, line: &str) -> Option<String> {
    let (at, old) = line.char_indices().nth(random.below(line.chars().count()))?;
    let new = char::from(33 + u8::try_from(random.below(94)).ok()?);
    (old != new).then(|| format!("{}{new}{}", &line[..at], &line[at + old.len_utf8()..]))
}

fn digit(random: &mut Random, line: &str) -> Option<String> {
    let digits: Vec<usize> =
        line.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_digit()).map(|(at, _)| at).collect();
    let at = random.pick(&digits);
    let new = char::from(b'0' + u8::try_from(random.below(10)).ok()?);
    (!line[at..].starts_with(new)).then(|| format!("{}{new}{}", &line[..at], &line[at + 1..]))
}

fn inserted(random: &mut Random, line: &str, what: &str) -> String {
    let places: Vec<usize> = line.char_indices().map(|(at, _)| at).chain([line.len()]).collect();
    let at = random.pick(&places);
    format!("{}{what}{}", &line[..at], &line[at..])
}

/// Another way to write a number, which others' readers may take.
fn other_number(random: &mut Random, line: &str) -> Option<String> {
    let from = if line.starts_with('[') { 1 } else { line.find(' ')? + 1 };
    let length = line.get(from..)?.find(|c: char| !c.is_ascii_digit()).unwrap_or(line.len() - from);
    let number = line.get(from..from + length).filter(|number| !number.is_empty())?;
    let other = match random.below(9) {
        0 => format!("0{number}"),
        1 => format!("+{number}"),
        2 => format!("{number}.0"),
        3 => format!("{number}e0"),
        4 => format!("-{number}"),
        5 => format!("0x{number}"),
        6 => format!("{number}_0"),
        7 => format!("\"{number}\""),
        _ => "18446744073709551616".into(),
    };
    Some(format!("{}{other}{}", line.get(..from)?, line.get(from + length..)?))
}

/// The same 32 bytes for readers that do not look at the last bits.
fn loose(line: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let last = line.as_bytes()[42];
    let value = DIGITS.iter().position(|digit| *digit == last).expect("a digit");
    format!("{}{}=", &line[..42], char::from(DIGITS[value | 1]))
}

fn signature(random: &mut Random, line: &str) -> Option<String> {
    let (name, encoded) = line.rsplit_once(' ')?;
    let mut bytes = STANDARD.decode(encoded).ok()?;
    // Behind the four bytes that name the key.
    let at = 4 + random.below(bytes.len() - 4);
    bytes[at] ^= 1 << random.below(8);
    Some(format!("{name} {}", STANDARD.encode(bytes)))
}

fn before_inclusion(h: &History) -> &str {
    h.text.split_once("== inclusion\n").map_or("", |(before, _)| before)
}

fn inclusion_of(h: &History) -> &str {
    h.text.get(before_inclusion(h).len()..).unwrap_or_default()
}

/// The signed checkpoint at the end of the file.
fn checkpoint_of(h: &History) -> &str {
    inclusion_of(h).split_once("\n\n").map_or("", |(_, checkpoint)| checkpoint)
}

/// A damaged file, and what was done to it.
pub fn damaged(random: &mut Random, number: usize) -> (History, &'static str, Vec<u8>) {
    let kind = number % (KINDS.len() + FLAWS.len());
    let (name, damage) = match kind.checked_sub(KINDS.len()) {
        None => KINDS[kind],
        Some(flaw) => loop {
            let (name, flaw) = FLAWS[flaw];
            if let Some(history) = made(random, Some(flaw)) {
                let bytes = history.text.clone().into_bytes();
                return (history, name, bytes);
            }
        },
    };
    loop {
        let history = history(random);
        if let Some(bytes) = damage(random, &history) {
            return (history, name, bytes);
        }
    }
}
