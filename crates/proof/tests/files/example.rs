//! The example of docs/PROOF.md: a small file as a server writes it, and its key.

use std::fs;
use std::path::Path;

use proof::balances::{Leaf, Place, Record, Section, SumTree};
use proof::file::{self, BookHead};
use proof::ledger::{self, Entry, GENESIS, Transaction};
use proof::{Checkpoint, Cosigner, Hash, NoteSigner, hash};

use crate::history::{ACCOUNTS, proved};
use crate::verified;

const ORIGIN: &str = "ads.example.com/placard";
const BOOK: i64 = 5;

fn entry(account: i64, owner: i64, amount: i64, balance_after: Option<i64>, flow: Option<i64>) -> Entry {
    Entry { account, owner, plan: 0, amount, balance_after, flow }
}

/// A recharge, a withdrawal, and what became of it.
fn transactions() -> [(Transaction<'static>, Vec<Entry>); 3] {
    let at = 1_794_000_000_000;
    let transaction = |sequence, kind, name: &'static str, reference, hours: i64, document| Transaction {
        book: BOOK,
        sequence,
        kind,
        ref_type: name.into(),
        ref_id: reference,
        event_at: at + hours * 3_600_000,
        recorded_at: at + hours * 3_600_000 + 1,
        idempotency_key: (kind == 9).then(|| "b3f0c7c2".into()),
        actor: if kind == 9 { "user:5".into() } else { "operator:2".into() },
        reason: if kind == 1 { "Zahlung „10-2931“ geprüft".into() } else { "".into() },
        document,
    };
    [
        (
            transaction(1, 1, "recharge", 31, 0, None),
            vec![entry(402, 0, -10_000, None, None), entry(101, BOOK, 10_000, Some(10_000), Some(1))],
        ),
        (
            transaction(2, 9, "withdrawal", 12, 30, Some([0xab; 32])),
            vec![entry(101, BOOK, -4_000, Some(6_000), Some(2)), entry(103, BOOK, 4_000, Some(4_000), None)],
        ),
        (
            transaction(3, 11, "withdrawal", 12, 55, None),
            vec![entry(103, BOOK, -4_000, Some(0), None), entry(409, 0, 4_000, None, None)],
        ),
    ]
}

fn leaf(number: usize) -> Hash {
    hash::leaf(&number.to_be_bytes())
}

/// After the withdrawal, one of four users.
fn balances(withdrawn: Hash) -> Section {
    let leaf = |place: usize| match place {
        2 => Leaf {
            salt: [9; 32],
            transaction: withdrawn,
            sequence: 2,
            balances: vec![6_000, 0, 4_000, 0, 0, 0, 0, 0, 0, 0],
        },
        3 => Leaf::empty([8; 32], ACCOUNTS.len()),
        _ => Leaf {
            salt: self::leaf(place),
            transaction: self::leaf(place + 10),
            sequence: 7,
            balances: vec![250_000, 1_200, 0, 0, 5_000, 300, 70_000, 0, 0, 10_000],
        },
    };
    let tree = SumTree::of((0..4).map(|place| leaf(place).node().expect("counted")).collect()).expect("a tree");
    let own = leaf(2);
    let record = Record {
        origin: ORIGIN.into(),
        day: "2026-11-08".into(),
        leaves: 4,
        accounts: ACCOUNTS.map(str::to_owned).to_vec(),
        totals: tree.root().sums.clone(),
        root: tree.root().hash,
    };
    let path = tree.path(2).expect("a path");
    let place = Place { index: 2, salt: own.salt, sequence: 2, balances: own.balances, path };
    Section { record, place, index: 66, inclusion: Vec::new() }
}

fn example() -> (String, String) {
    let transactions = transactions();
    let (mut hashes, mut lines) = (vec![GENESIS], String::new());
    for (transaction, entries) in &transactions {
        hashes.push(ledger::hash(hashes.last().expect("one"), transaction, entries.iter().copied()));
        lines += &(file::line(transaction, entries) + "\n");
    }
    let mut leaves: Vec<Hash> = (0..70).map(leaf).collect();
    let mut section = balances(hashes[2]);
    leaves[66] = hash::leaf(&section.record.entry());
    leaves[68] = hash::leaf(&hashes[3]);
    section.inclusion = proved(&leaves, 66).1;
    let (tree, path) = proved(&leaves, 68);
    let signer = NoteSigner::new(ORIGIN, &[7; 32]).expect("a key");
    let witness = Cosigner::new("witness.example/w1", &[6; 32]).expect("a key");
    let mut note = Checkpoint::new(ORIGIN, tree).sign(&signer);
    let line = witness.cosign(&note.text, 1_795_867_201).expect("cosigned");
    note.signatures.push(line);
    let head = BookHead {
        origin: ORIGIN.into(),
        book: BOOK,
        month: "2026-11".parse().expect("a month"),
        made: "2026-11-28T12:00:00Z".parse().expect("a moment"),
        previous: (0, GENESIS),
        transactions: 3,
    };
    let inclusion = file::inclusion(68, &path, &note.to_string());
    let text = format!("{}{lines}== balances\n{}{inclusion}", head.text(), section.text());
    let keys = format!("# The log's key, and that of a witness.\n{}\n{}\n", signer.public(), witness.public());
    (text, keys)
}

/// `UPDATE_EXAMPLE=1` writes it.
#[test]
fn the_example_is_the_one_that_is_described() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/example");
    let (text, keys) = example();
    let files = [("november.proof", &text), ("log.key", &keys)];
    for (name, text) in files {
        if std::env::var_os("UPDATE_EXAMPLE").is_some() {
            fs::write(folder.join(name), text).expect("written");
        }
        assert_eq!(&fs::read_to_string(folder.join(name)).expect("a file"), text, "{name}");
    }
    let told = verified(text.as_bytes(), &keys).expect("it holds").to_string();
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 4, "{told}");
    assert_eq!(lines[0], "2026-11: transactions 1 to 3 of book 5 are as the log has them");
    assert!(lines[1].starts_with("log: ads.example.com/placard, 70 entries, root "), "{told}");
    assert_eq!(lines[2], "cosigned: witness.example/w1, 2026-11-28T12:00:01Z");
    assert!(lines[3].starts_with("balances at the end of 2026-11-08, up to transaction 2, in minor units and of all: available 6000 of 506000 "), "{told}");
}
