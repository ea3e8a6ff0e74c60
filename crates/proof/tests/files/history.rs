//! Random files that hold, with their keys.

use std::borrow::Cow;

use proof::balances::{Leaf, Place, Record, Section, SumTree};
use proof::file::{self, BookHead, LARGEST, Moment};
use proof::ledger::{self, Entry, GENESIS, Transaction};
use proof::proofs::inclusion;
use proof::{Checkpoint, Cosigner, GrowingTree, Hash, Month, NoteSignature, NoteSigner, TreeHead, hash};

use crate::random::Random;

pub const ACCOUNTS: [&str; 10] = [
    "available",
    "pending",
    "withdrawing",
    "exchanging",
    "deposit",
    "promotional",
    "held_available",
    "held_promotional",
    "held_coupon",
    "advance",
];

/// What whoever has the log's key could sign all the same, and no file may get away with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    FirstOfAnotherMonth,
    LaterThanTheMonth,
    Gap,
    OtherBalance,
    LeafOfAnother,
    TransactionNotInFile,
    RecordOfAnotherLog,
    TotalsTooLow,
    LeafOfNobody,
    CheckpointOfAnotherLog,
    AnotherLogsSignature,
    TooManyEntries,
}

pub const FLAWS: [(&str, Flaw); 12] = [
    ("signed: the first transaction is of another month", Flaw::FirstOfAnotherMonth),
    ("signed: a transaction is later than the month", Flaw::LaterThanTheMonth),
    ("signed: a number is left out", Flaw::Gap),
    ("signed: a balance is not the one after the transactions", Flaw::OtherBalance),
    ("signed: the leaf is that of another user", Flaw::LeafOfAnother),
    ("signed: the balances' transaction is not in the file", Flaw::TransactionNotInFile),
    ("signed: the balances are those of another log", Flaw::RecordOfAnotherLog),
    ("signed: the totals leave somebody out", Flaw::TotalsTooLow),
    ("signed: the leaf has the number 0", Flaw::LeafOfNobody),
    ("signed: the checkpoint is that of another log", Flaw::CheckpointOfAnotherLog),
    ("signed: another log's signature does not fit", Flaw::AnotherLogsSignature),
    ("signed: the log has more entries than any", Flaw::TooManyEntries),
];

/// A file and what is needed to make another of it.
pub struct History {
    pub text: String,
    pub keys: String,
    /// What is signed with a key that is not in `keys`, and what is not signed at all, proves nothing.
    pub witnesses: Vec<String>,
    pub leaves: Vec<Hash>,
    pub index: usize,
    pub head: BookHead,
}

fn text(random: &mut Random) -> String {
    const PARTS: [&str; 16] = [
        "withdrawal",
        "plan",
        "user:7",
        "",
        " ",
        "\"",
        "\\",
        "/",
        "\n",
        "\t\r\u{8}\u{c}",
        "\u{0}\u{1f}",
        "\u{7f}\u{85}",
        "\u{2028}\u{feff}",
        "Größe – 退款",
        "🦀👩‍🚀",
        "e\u{301}\u{ffff}",
    ];
    (0..random.below(5)).map(|_| random.pick(&PARTS)).collect()
}

fn number(random: &mut Random) -> i64 {
    match random.below(8) {
        0 => random.pick(&[0, 1, -1, LARGEST, -LARGEST]),
        1 => random.between(-LARGEST, LARGEST),
        _ => random.between(1, 100_000),
    }
}

fn amount(random: &mut Random) -> i64 {
    match random.below(8) {
        0 => random.pick(&[0, 1, -1, i64::MAX, i64::MIN, LARGEST + 1, -LARGEST - 1]),
        1 => random.between(-(1 << 60), 1 << 60),
        _ => random.between(-100_000, 100_000),
    }
}

fn optional<T>(random: &mut Random, value: impl FnOnce(&mut Random) -> T) -> Option<T> {
    (!random.once_in(3)).then(|| value(random))
}

/// The entries of a transaction; `standing` is what the user's own accounts hold.
fn entries(random: &mut Random, book: i64, standing: &mut [i64; 7]) -> Vec<Entry> {
    let mut all = Vec::new();
    for _ in 0..random.below(6) {
        let flow = optional(random, |random| random.between(1, 14));
        let amount = amount(random);
        if random.once_in(2) {
            let place = random.below(7);
            let most = if random.once_in(9) { 1 << 55 } else { 1_000_000 };
            let held = random.between(0, most);
            standing[place] = if place == 6 { -held } else { held };
            let account = 101 + i64::try_from(place).expect("small");
            let balance_after = Some(standing[place]);
            all.push(Entry { account, owner: book, plan: 0, amount, balance_after, flow });
        } else {
            // A hold, an advertiser, the platform, a publisher, and another user.
            let account = random.pick(&[201, 202, 301, 401, 410, 501, 999, 101]);
            let owner = Some(number(random)).filter(|owner| *owner != book).unwrap_or(i64::from(book == 1) + 1);
            let (plan, balance_after) = (number(random), optional(random, self::amount));
            all.push(Entry { account, owner, plan, amount, balance_after, flow });
        }
    }
    all
}

fn moment(random: &mut Random, month: Month) -> i64 {
    loop {
        let at = random.between(0, 31 * 86_400_000 - 1) + (month.number() / 100 - 1970) * 31_536_000_000;
        let at = at + (month.number() % 100 - 1) * 2_629_800_000 + (month.number() / 100 - 1969) / 4 * 86_400_000;
        if Month::of(at) == Some(month) {
            return at;
        }
    }
}

struct Book {
    head: BookHead,
    lines: String,
    last: Hash,
    /// After each transaction: its number, its hash, and what the user's accounts held; first before all of them.
    states: Vec<(i64, Hash, [i64; 7])>,
    /// The first of the user's accounts that a transaction moved, in the order of codes, and the state after which it had.
    moved: Option<(usize, usize)>,
}

fn book(random: &mut Random, origin: &str, flaw: Option<Flaw>) -> Book {
    let year = i64::try_from(random.below(80)).expect("small") + 1975;
    let month = Month::of_number(year * 100 + random.between(1, 12)).expect("a month");
    let book = if random.once_in(4) { number(random) } else { random.between(1, 5_000) };
    let transactions = match random.below(8) {
        0 => 0,
        1 => random.between(100, 300),
        _ => random.between(1, 20),
    };
    let previous = match transactions > 0 && (flaw == Some(Flaw::LeafOfNobody) || random.once_in(3)) {
        true => (0, GENESIS),
        false => (random.between(1, 100_000), random.hash()),
    };
    let made = Moment::of(moment(random, month)).expect("a moment");
    let head = BookHead { origin: origin.to_owned(), book, month, made, previous, transactions };
    let (mut sequence, mut last) = previous;
    let mut standing = [0, 0, 0, 0, 0, 0, 0];
    let (mut lines, mut states, mut moved) = (String::new(), vec![(sequence, last, standing)], None);
    for place in 0..transactions {
        sequence += if flaw == Some(Flaw::Gap) && place == transactions / 2 { 2 } else { 1 };
        // The clock may step back, to before the month even.
        let late = place + 1 == transactions && flaw == Some(Flaw::LaterThanTheMonth);
        let early = if place == 0 { flaw == Some(Flaw::FirstOfAnotherMonth) } else { !late && random.once_in(20) };
        let recorded_at = moment(random, month) + (i64::from(late) - i64::from(early)) * 40 * 86_400_000;
        let transaction = Transaction {
            book,
            sequence,
            kind: random.between(1, 28),
            ref_type: text(random).into(),
            ref_id: number(random),
            event_at: number(random),
            recorded_at,
            idempotency_key: optional(random, |random| Cow::Owned(text(random))),
            actor: text(random).into(),
            reason: text(random).into(),
            document: optional(random, Random::hash),
        };
        let entries = entries(random, book, &mut standing);
        let own = entries.iter().find(|entry| entry.owner == book && entry.account <= 107);
        moved = moved.or(own.map(|entry| (usize::try_from(entry.account - 101).expect("small"), states.len())));
        last = ledger::hash(&last, &transaction, entries.iter().copied());
        lines.push_str(&file::line(&transaction, &entries));
        lines.push('\n');
        states.push((sequence, last, standing));
    }
    Book { head, lines, last, states, moved }
}

/// The root of leaves, and the path of one of them.
pub fn proved(leaves: &[Hash], index: usize) -> (TreeHead, Vec<Hash>) {
    let root = |leaves: &[Hash]| {
        let mut tree = GrowingTree::default();
        leaves.iter().for_each(|leaf| tree.append(*leaf));
        tree.root()
    };
    let size = u64::try_from(leaves.len()).expect("small");
    let ranges = inclusion(u64::try_from(index).expect("small"), size).expect("within");
    let at = |place: u64| usize::try_from(place).expect("small");
    let path = ranges.into_iter().map(|range| root(&leaves[at(range.start)..at(range.end)])).collect();
    (TreeHead { size, root: root(leaves) }, path)
}

/// The last entry of a log of which nobody has all: its place, and its path, on which all siblings are on the left.
fn last_of(size: u64, entry: Hash, random: &mut Random) -> (u64, TreeHead, Vec<Hash>) {
    let path: Vec<Hash> = (1..=(size - 1).count_ones()).map(|_| random.hash()).collect();
    let root = path.iter().fold(entry, |node, sibling| hash::node(sibling, &node));
    (size - 1, TreeHead { size, root }, path)
}

/// The day's record, and the user's place in it; where it is in the log is not known yet.
fn balances(random: &mut Random, book: &Book, flaw: Option<Flaw>) -> Section {
    // Before the first transaction there is nothing to be shown.
    let first = usize::from(book.head.previous.0 == 0);
    let (mut sequence, mut transaction, mut standing) = random.pick(&book.states[first..]);
    match (flaw, book.moved) {
        (Some(Flaw::OtherBalance), Some((account, state))) => {
            (sequence, transaction, standing) = book.states[state];
            standing[account] += if account == 6 { -1 } else { 1 };
        }
        (Some(Flaw::LeafOfAnother), _) => transaction = random.hash(),
        (Some(Flaw::LeafOfNobody), _) => (sequence, transaction) = (0, GENESIS),
        (Some(Flaw::TransactionNotInFile), _) => sequence = book.head.previous.0 + book.head.transactions + 1,
        _ => {}
    }
    let own = |standing: [i64; 7]| {
        let [available, pending, withdrawing, exchanging, deposit, promotional, advance] = standing;
        [available, pending, withdrawing, exchanging, deposit, promotional, 7, 0, 11, -advance]
    };
    let own = own(standing).map(|balance| u64::try_from(balance).expect("not negative")).to_vec();
    let sequence = u64::try_from(sequence).expect("positive");
    let mine = Leaf { salt: random.hash(), transaction, sequence, balances: own.clone() };
    let leaves = 1 << random.below(6);
    let index = random.below(leaves);
    let mut leaf = |place: usize| match place == index {
        true => mine.clone(),
        false if random.once_in(3) => Leaf::empty(random.hash(), ACCOUNTS.len()),
        false => Leaf {
            salt: random.hash(),
            transaction: random.hash(),
            sequence: random.number() % 1_000 + 1,
            balances: (0..ACCOUNTS.len()).map(|_| random.number() % 1_000_000).collect(),
        },
    };
    let nodes = (0..leaves).map(|place| leaf(place).node().expect("counted")).collect();
    let tree = SumTree::of(nodes).expect("a tree");
    let root = tree.root();
    let mut totals = root.sums.clone();
    if flaw == Some(Flaw::TotalsTooLow) {
        totals[7] = totals[7].wrapping_sub(1).min(i64::MAX.unsigned_abs() - 1);
    }
    let another = flaw == Some(Flaw::RecordOfAnotherLog);
    let record = Record {
        origin: if another { "other.example/log".into() } else { book.head.origin.clone() },
        day: format!("{}-{:02}", book.head.month, random.between(1, 28)),
        leaves: u64::try_from(leaves).expect("small"),
        accounts: ACCOUNTS.map(str::to_owned).to_vec(),
        totals,
        root: root.hash,
    };
    let place = Place {
        index: u64::try_from(index).expect("small"),
        salt: mine.salt,
        sequence,
        balances: own,
        path: tree.path(index).expect("a path"),
    };
    Section { record, place, index: 0, inclusion: Vec::new() }
}

pub fn history(random: &mut Random) -> History {
    made(random, None).expect("without a flaw")
}

/// `None` if it happens to be without what the flaw is about.
pub fn made(random: &mut Random, flaw: Option<Flaw>) -> Option<History> {
    use Flaw::{LeafOfAnother, LeafOfNobody, OtherBalance, RecordOfAnotherLog, TotalsTooLow, TransactionNotInFile};
    let in_balances =
        [OtherBalance, LeafOfAnother, LeafOfNobody, TransactionNotInFile, RecordOfAnotherLog, TotalsTooLow];
    let in_balances = flaw.is_some_and(|flaw| in_balances.contains(&flaw));
    let origin = format!("ads{}.example.com/placard", random.below(1_000));
    let book = book(random, &origin, flaw);
    if flaw.is_some() && (book.head.transactions == 0 || (flaw == Some(OtherBalance) && book.moved.is_none())) {
        return None;
    }
    let size = match random.below(4) {
        0 => random.below(4) + 1 + usize::from(in_balances),
        1 => random.below(2_000) + 200,
        _ => random.below(200) + 2,
    };
    let mut leaves: Vec<Hash> = (0..size).map(|_| random.hash()).collect();
    let index = random.below(size);
    leaves[index] = hash::leaf(&book.last);
    let too_many = flaw == Some(Flaw::TooManyEntries);
    let with_balances = size > 1 && !too_many && (in_balances || random.once_in(2));
    let mut section = with_balances.then(|| balances(random, &book, flaw));
    if let Some(section) = &mut section {
        let place = (index + 1 + random.below(size - 1)) % size;
        leaves[place] = hash::leaf(&section.record.entry());
        section.index = u64::try_from(place).expect("small");
        section.inclusion = proved(&leaves, place).1;
    }
    let (mut index_in_log, (mut tree, mut path)) = (u64::try_from(index).expect("small"), proved(&leaves, index));
    if too_many {
        (index_in_log, tree, path) = last_of(1 << 63, hash::leaf(&book.last), random);
    }
    let signer = NoteSigner::new(&origin, &random.hash()).expect("a key");
    let another = flaw == Some(Flaw::CheckpointOfAnotherLog);
    let mut checkpoint = Checkpoint::new(if another { "other.example/log" } else { &origin }, tree);
    if random.once_in(5) {
        checkpoint.extensions.push("another line, which others may have".into());
    }
    let mut note = checkpoint.sign(&signer);
    let mut keys = vec!["# the keys of the test".to_owned(), String::new(), signer.public().to_string()];
    let mut witnesses = Vec::new();
    for number in 0..random.below(4) {
        let cosigner = Cosigner::new(&format!("witness{number}.example/w"), &random.hash()).expect("a key");
        let line = cosigner.cosign(&note.text, random.number() % 4_000_000_000).expect("cosigned");
        if random.once_in(3) {
            let unknown = NoteSignature { signature: random.hash().to_vec(), ..line.clone() };
            note.signatures.push(if random.once_in(2) { unknown } else { line });
        } else {
            keys.push(cosigner.public().to_string());
            witnesses.push(line.to_string());
            note.signatures.push(line);
        }
    }
    let other = NoteSigner::new("other.example/log", &random.hash()).expect("a key");
    keys.push(other.public().to_string());
    if flaw == Some(Flaw::AnotherLogsSignature) {
        note.signatures.extend(other.sign(format!("{}more\n", note.text)).signatures);
    } else if random.once_in(4) {
        note.signatures.extend(other.sign(note.text.clone()).signatures);
    }
    let balances = section.map(|section| format!("== balances\n{}", section.text())).unwrap_or_default();
    let inclusion = file::inclusion(index_in_log, &path, &note.to_string());
    let text = format!("{}{}{balances}{inclusion}", book.head.text(), book.lines);
    Some(History { text, keys: keys.join("\n") + "\n", witnesses, leaves, index, head: book.head })
}
