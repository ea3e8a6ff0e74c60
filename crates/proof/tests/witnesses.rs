//! Cosignatures, witnesses and policies, held against what the standards print and against another implementation.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};

use doubleentry::LedgerId;
use doubleentry::log::{ConsistencyProof, Hash as TheirHash};
use doubleentry::testing::TestWitness;
use doubleentry::transparency::{
    AddCheckpoint as TheirRequest, LogKey, Next, Policy as TheirPolicy, SignedCheckpoint, Vkey, WitnessReply,
    WitnessSession,
};
use proof::proofs::{consistency, range_root};
use proof::witness::{Refused, answered_lines, conflicting_size};
use proof::{
    AddCheckpoint, BadNote, Checkpoint, Cosigner, CosignerKey, GrowingTree, Hash, Note, NoteKey, NoteSigner, Policy,
    TreeHead, Witness, hash, tile_bytes, tile_hashes,
};
use proptest::prelude::*;

const LOG: &str = "ads.example.com/placard";
const NAME: &str = "witness.example/w1";
const SECONDS: u64 = 1_790_000_000;

/// A log with so many leaves; of another `kind`, other leaves from `from` on.
struct Log {
    tiles: BTreeMap<String, Vec<u8>>,
    size: u64,
    signer: NoteSigner,
}

impl Log {
    fn of(size: u64) -> Self {
        Self::forked(size, size)
    }

    fn forked(size: u64, from: u64) -> Self {
        let mut tree = GrowingTree::default();
        for number in 0..size {
            tree.append(hash::leaf(format!("{number}{}", if number < from { "" } else { " forged" }).as_bytes()));
        }
        let tiles = tree.take_changed().into_iter().map(|(tile, hashes)| (tile.path(), tile_bytes(&hashes)));
        Self { tiles: tiles.collect(), size, signer: NoteSigner::new(LOG, &[7; 32]).expect("a signer") }
    }

    fn root(&self, range: std::ops::Range<u64>) -> Hash {
        range_root(&range, self.size, |tile| tile_hashes(self.tiles.get(&tile.path())?)).expect("every tile")
    }

    fn head(&self) -> TreeHead {
        TreeHead { size: self.size, root: self.root(0..self.size) }
    }

    fn note(&self) -> Note {
        Checkpoint::new(LOG, self.head()).sign(&self.signer)
    }

    fn proof(&self, old: u64) -> Vec<Hash> {
        consistency(old, self.size).expect("provable").into_iter().map(|range| self.root(range)).collect()
    }

    fn request(&self, old: u64) -> AddCheckpoint {
        AddCheckpoint { old, proof: self.proof(old), checkpoint: self.note() }
    }
}

fn cosigner() -> Cosigner {
    Cosigner::new(NAME, &[9; 32]).expect("a cosigner")
}

fn witness() -> Witness {
    Witness::new(cosigner(), vec![Log::of(0).signer.public()])
}

/// Asks, and keeps what was cosigned.
fn ask(witness: &mut Witness, body: &str) -> Result<TreeHead, Refused> {
    let cosigned = witness.decide(body, SECONDS)?;
    witness.keep(cosigned.origin, cosigned.head);
    Ok(cosigned.head)
}

/// The example of tlog-cosignature: its signatures are of nobody, but its key's number and time are to be read.
#[test]
fn the_lines_of_the_standard_are_read_and_written() {
    let example = "\
example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
";
    let note = Note::parse(example).expect("a note");
    assert_eq!((note.to_string().as_str(), note.signatures.len()), (example, 2));
    let line = &note.signatures[1];
    assert_eq!((line.name.as_str(), line.key_id, line.signature.len()), ("witness.example.com/w1", 0x8d66_cf3f, 72));
    assert_eq!(line.signature[..8], 1_679_315_147_u64.to_be_bytes());
    // Nobody here knows the key.
    assert_eq!(note.cosigned(&cosigner().public()), Err(BadNote::Unsigned));
}

/// The request of tlog-witness.
#[test]
fn the_request_of_the_standard_is_read_and_written() {
    let example = "\
old 20852014
PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=
jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=
5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=
/6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=

example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— example.com/behind-the-sofa opLqBQsREYCgu6xQkYQwJr9fo45a62DN9EdmHXnZdXNqlcVGlCum2Wks+49/V6267UEjw6QUXTS5Rovnzv++qbSzm9Q=
";
    let read = AddCheckpoint::parse(example).expect("a request");
    assert_eq!((read.old, read.proof.len(), read.checkpoint.signatures.len()), (20_852_014, 4, 2));
    assert_eq!(read.body(), example);
    let answer = "\
— witness.example/w1 CMp+6LWBU0anHGH5aNDTJkH/gj79sG+T6+iP2ThYN5krrDJbR1HDnucjL39QsZTSvVjyQLrdk3DXDqI5G2HgLatVs0pWh6Up69HVOw==
— witness.example/w1 I7rEps0pvK2UqkS2gSpVUDhrhVtQV9lgF6pRrWAvjJHjyWpW7VcE3SiOlVlbQNt64vWhO+DlkL0+UfzuOBMh9ChdMkP1vi/lCAsmlw==
— witness.example/w2 AWui8Sk55XjYLOijihBjhqEH6nS1ndDymE0a+6idX7pLcnoB+dhnz0854aLZgrrKbYKA7nC3HNJhm/kWl7oJlqU3rXXvpysAdyP3wQ==
";
    assert_eq!(answered_lines(answer).expect("lines").len(), 3);
    assert_eq!(answered_lines(&format!("{answer}more\n")), None);
    assert_eq!(
        (conflicting_size("20852014\n"), conflicting_size("020\n"), conflicting_size("20")),
        (Some(20_852_014), None, None)
    );
    for wrong in [
        example.replace("old 2", "old 02"),
        example.replace("old ", "old  "),
        example.replace("old 20852014\n", ""),
        example.replace("5+pK", "5+p!"),
        example.replace("\n\nexample", "\nexample"),
        example.replace(
            "PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=\n",
            &"PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=\n".repeat(61),
        ),
        example.trim_end().to_owned(),
    ] {
        assert_eq!(AddCheckpoint::parse(&wrong), None, "{wrong}");
    }
}

#[test]
fn a_cosignature_is_believed_for_its_text_its_time_and_its_key_alone() {
    let (key, mut note) = (cosigner().public(), Log::of(3).note());
    assert_eq!(key.to_string().parse::<CosignerKey>(), Ok(key.clone()));
    // A key of one kind is none of the other.
    assert_eq!(key.to_string().parse::<NoteKey>(), Err(BadNote::Key));
    assert_eq!(note.cosigned(&key), Err(BadNote::Unsigned));
    let line = cosigner().cosign(&note.text, SECONDS).expect("signed");
    note.put_signature(line.clone());
    assert_eq!(note.cosigned(&key), Ok(SECONDS));
    // Whoever knows nothing of witnesses reads it as before.
    assert!(Checkpoint::open(&Note::parse(&note.to_string()).expect("a note"), &Log::of(3).signer.public()).is_ok());
    let other = Cosigner::new(NAME, &[8; 32]).expect("a cosigner").public();
    assert_eq!(note.cosigned(&other), Err(BadNote::Unsigned));
    let mut earlier = line.clone();
    earlier.signature[7] ^= 1;
    note.put_signature(earlier);
    assert_eq!((note.signatures.len(), note.cosigned(&key)), (2, Err(BadNote::Wrong)));
    let mut elsewhere = Log::of(4).note();
    elsewhere.put_signature(line);
    assert_eq!(elsewhere.cosigned(&key), Err(BadNote::Wrong));
    assert_eq!(cosigner().cosign("text\n", u64::MAX).map(|_| ()), Err(BadNote::Malformed));
}

#[test]
fn a_witness_cosigns_a_log_that_goes_on_and_nothing_else() {
    let mut witness = witness();
    let (three, nine) = (Log::of(3), Log::of(9));
    let refused = |witness: &mut Witness, asked: AddCheckpoint| ask(witness, &asked.body()).expect_err("refused");
    assert_eq!(ask(&mut witness, "old 0\n"), Err(Refused::Malformed));
    // First that the log is known, then that it signed, then everything else.
    let (stranger, thief) = (
        NoteSigner::new("other.example/placard", &[7; 32]).expect("a signer"),
        NoteSigner::new(LOG, &[8; 32]).expect("a signer"),
    );
    let foreign = Checkpoint::new("other.example/placard", three.head()).sign(&stranger);
    assert_eq!(refused(&mut witness, AddCheckpoint { checkpoint: foreign, ..three.request(0) }), Refused::UnknownLog);
    let forged = Checkpoint::new(LOG, three.head()).sign(&thief);
    assert_eq!(refused(&mut witness, AddCheckpoint { checkpoint: forged, ..nine.request(3) }), Refused::Unsigned);

    assert_eq!(refused(&mut witness, three.request(3)), Refused::OtherSize { size: 0 });
    assert_eq!(ask(&mut witness, &three.request(0).body()), Ok(three.head()));
    // Once more, for a later time.
    assert_eq!(ask(&mut witness, &three.request(3).body()), Ok(three.head()));
    assert_eq!(refused(&mut witness, nine.request(0)), Refused::OtherSize { size: 3 });
    assert_eq!(refused(&mut witness, AddCheckpoint { old: 10, ..nine.request(3) }), Refused::Backwards);
    assert_eq!(
        refused(&mut witness, AddCheckpoint { proof: vec![[1; 32]], ..nine.request(3) }),
        Refused::Inconsistent { size: 3 }
    );
    let spliced = Log::forked(9, 2);
    assert_eq!(refused(&mut witness, spliced.request(3)), Refused::Inconsistent { size: 3 });
    assert_eq!(refused(&mut witness, Log::forked(3, 2).request(3)), Refused::Forked { size: 3 });
    assert_eq!(ask(&mut witness, &nine.request(3).body()), Ok(nine.head()));
    // What was cut back is never cosigned again.
    assert_eq!(refused(&mut witness, three.request(3)), Refused::OtherSize { size: 9 });
    assert_eq!(refused(&mut witness, AddCheckpoint { old: 9, ..three.request(3) }), Refused::Backwards);
    let statuses = [
        (Refused::Malformed, 400, None),
        (Refused::Backwards, 400, None),
        (Refused::UnknownLog, 404, None),
        (Refused::Unsigned, 403, None),
        (Refused::OtherSize { size: 9 }, 409, Some(9)),
        (Refused::Forked { size: 9 }, 409, Some(9)),
        (Refused::Inconsistent { size: 9 }, 422, None),
    ];
    for (refused, status, size) in statuses {
        assert_eq!((refused.status(), refused.size()), (status, size));
    }
}

fn theirs(log: &Log) -> SignedCheckpoint {
    SignedCheckpoint::parse(log.note().to_string().as_bytes()).expect("a checkpoint")
}

fn their_proof(log: &Log, old: u64) -> ConsistencyProof {
    let path = log.proof(old).into_iter().map(TheirHash::from_bytes).collect();
    ConsistencyProof { old_size: old, new_size: log.size, path }
}

/// One session of theirs with our witness.
fn their_session(log: &Log, old: u64, witness: &mut Witness) -> u64 {
    let key: Vkey = cosigner().public().to_string().parse().expect("a key");
    let mut session = WitnessSession::new(theirs(log), key, old).expect("a session");
    for _ in 0..2 {
        let proof = session.needed_proof().map(|(old, _)| their_proof(log, old));
        let body = String::from_utf8(session.request(proof.as_ref()).expect("a request")).expect("text");
        let (status, kind, answer) = match witness.decide(&body, SECONDS) {
            Ok(cosigned) => {
                witness.keep(cosigned.origin, cosigned.head);
                (200, None, format!("{}\n", cosigned.line))
            }
            Err(refused) => {
                let size = refused.size().map(|size| format!("{size}\n")).unwrap_or_default();
                (refused.status(), Some("text/x.tlog.size"), size)
            }
        };
        match session.receive(status, kind, answer.as_bytes()).expect("an answer") {
            Next::Cosigned { cosignature, witness_size } => {
                assert_eq!(cosignature.timestamp(), SECONDS);
                let cosigned = theirs(log).with_cosignature(&cosignature).expect("cosigned");
                let mut note = log.note();
                note.put_signature(answered_lines(&answer).expect("a line").remove(0));
                assert_eq!(cosigned.to_bytes(), note.to_string().into_bytes());
                return witness_size;
            }
            Next::Retry => {}
            other => panic!("{other:?}"),
        }
    }
    panic!("two requests suffice");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// Their client and our witness: from any size to any other, from what it knows and from what it guesses.
    #[test]
    fn their_session_is_answered(first in 1..600_u64, more in 0..600_u64, guess in 0..1_200_u64) {
        let (mut witness, log) = (witness(), Log::of(first));
        prop_assert_eq!(their_session(&log, 0, &mut witness), first);
        let grown = Log::of(first + more);
        prop_assert_eq!(their_session(&grown, guess.min(first + more), &mut witness), first + more);
        prop_assert_eq!(witness.heads().get(LOG), Some(&grown.head()));
    }

    /// Our requests and their witness, and the same answers as ours, except where both sizes are the same and the roots are
    /// not: the standard says 409 and they say 422.
    #[test]
    fn their_witness_answers_as_ours(sizes in prop::collection::vec((0..300_u64, 0..300_u64, 0..300_u64, any::<bool>()), 1..8)) {
        let vkey = LogKey::from_seed(&LedgerId::new(LOG).expect("a name"), [7; 32]).vkey();
        let mut their = TestWitness::new(NAME, [9; 32]).expect("a witness").log(vkey);
        let mut ours = witness();
        prop_assert_eq!(their.vkey().to_string(), cosigner().public().to_string());
        for (size, old, fork, honest) in sizes {
            let log = if honest { Log::of(size) } else { Log::forked(size, fork) };
            let held = ours.heads().get(LOG).map_or(0, |head| head.size);
            // Mostly what it has, so that much is cosigned.
            let old = if honest || old % 2 == 0 { held } else { old };
            let proof = if old <= size { log.proof(old) } else { Vec::new() };
            let body = AddCheckpoint { old, proof, checkpoint: log.note() }.body();
            prop_assert!(TheirRequest::parse(body.as_bytes()).is_ok());
            let reply = their.post(body.as_bytes());
            match ours.decide(&body, SECONDS) {
                Ok(cosigned) => {
                    prop_assert_eq!(reply.status, 200);
                    ours.keep(cosigned.origin, cosigned.head);
                    // Theirs is read as ours is, and fits.
                    let mut note = log.note();
                    let answer = String::from_utf8(reply.body.clone()).expect("text");
                    note.put_signature(answered_lines(&answer).expect("lines").remove(0));
                    prop_assert!(note.cosigned(&cosigner().public()).is_ok());
                    let read = WitnessReply::read(200, None, format!("{}\n", cosigned.line).as_bytes(), &theirs(&log), &their.vkey());
                    prop_assert_eq!(read.map(|line| line.timestamp()).ok(), Some(SECONDS));
                }
                Err(Refused::Forked { .. }) => prop_assert_eq!(reply.status, 422),
                Err(refused) => {
                    prop_assert_eq!(reply.status, refused.status());
                    if let Some(size) = refused.size() {
                        prop_assert_eq!(conflicting_size(std::str::from_utf8(&reply.body).expect("text")), Some(size));
                    }
                }
            }
        }
    }

    /// Policies of groups within groups: both read the same, and find the same checkpoints cosigned enough.
    #[test]
    fn a_policy_means_the_same_in_both(thresholds in prop::collection::vec(0..4_usize, 3), signing in prop::collection::btree_set(0..6_usize, 0..=6)) {
        let cosigners: Vec<Cosigner> = (0..6).map(|at| Cosigner::new(&format!("witness.example/{at}"), &[20 + at; 32]).expect("a cosigner")).collect();
        let log = Log::of(5);
        let mut text = format!("# Ours\nlog {}\n", log.signer.public());
        for (at, cosigner) in cosigners.iter().enumerate() {
            text += &format!("\twitness w{at}  {} https://witness.example/{at}\n", cosigner.public());
        }
        text += &format!("group a {} w0 w1 w2\ngroup b {} w3 w4\ngroup c {} a b w5\nquorum c\n", thresholds[0], thresholds[1], thresholds[2]);
        let (ours, theirs) = (Policy::parse(&text), TheirPolicy::parse(&text));
        prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{}", text);
        let (Ok(ours), Ok(theirs)) = (ours, theirs) else { return Ok(()) };
        let mut note = log.note();
        for at in &signing {
            note.put_signature(cosigners[*at].cosign(&note.text, SECONDS + *at as u64).expect("cosigned"));
        }
        let times = ours.cosigned(&note);
        prop_assert_eq!(times.keys().copied().collect::<BTreeSet<_>>(), signing.clone());
        let signed = SignedCheckpoint::parse(note.to_string().as_bytes()).expect("a checkpoint");
        prop_assert_eq!(ours.is_met(&signing), theirs.verify(&signed).is_ok());
        prop_assert_eq!(ours.met_at(&times).is_some(), ours.is_met(&signing));
        prop_assert!(signing.len() >= ours.needed() || !ours.is_met(&signing));
        if let Some(at) = ours.met_at(&times) {
            let since = signing.iter().copied().filter(|signer| times[signer] >= at).collect();
            prop_assert!(ours.is_met(&since));
        }
    }

    /// Nothing that arrives makes the readers fail otherwise than by refusing.
    #[test]
    fn anything_may_be_asked(text in "(\\PC|\n|old |— |[+/=0-9]){0,80}") {
        prop_assert!(witness().decide(&text, SECONDS).is_err());
        if let Some(read) = AddCheckpoint::parse(&text) {
            prop_assert_eq!(read.body(), text.clone());
        }
        prop_assert!(Policy::parse(&text).is_err());
    }
}

#[test]
fn a_wrong_policy_is_refused_by_its_line() {
    let w1 = cosigner().public();
    let log = Log::of(0).signer.public();
    let problem = |text: String| {
        assert!(TheirPolicy::parse(&text).is_err(), "{text}");
        Policy::parse(&text).expect_err("refused").to_string()
    };
    let none = format!("log {log}\nquorum none\n");
    assert!(Policy::parse(&none).is_ok_and(|policy| policy.needed() == 0 && policy.is_met(&BTreeSet::new())));
    // The standard lets logs cosign their own checkpoints. Ours do not, and nobody could be told apart then.
    assert!(Policy::parse(&format!("log {w1}\nquorum none\n")).is_err());
    assert_eq!(problem(format!("witness w {w1}\n")), "no line says which quorum is enough");
    for (text, line) in [
        (format!("witness w {log}\nquorum w\n"), 1),
        (format!("witness w {w1}\nwitness v {w1}\nquorum w\n"), 2),
        (format!("witness none {w1}\nquorum none\n"), 1),
        (format!("witness w {w1}\ngroup w all w\nquorum w\n"), 2),
        (format!("witness w {w1}\ngroup g 2 w\nquorum g\n"), 2),
        (format!("witness w {w1}\ngroup g 0 w\nquorum g\n"), 2),
        (format!("witness w {w1}\ngroup g +1 w\nquorum g\n"), 2),
        (format!("witness w {w1}\ngroup g any w\ngroup h any w\nquorum g\n"), 3),
        (format!("quorum w\nwitness w {w1}\n"), 1),
        (format!("witness w {w1}\nquorum w\nquorum w\n"), 3),
        (format!("witness w {w1}\r\nquorum w\n"), 1),
        (format!("witness w {w1} https://a b\nquorum w\n"), 1),
        ("enough 1\nquorum none\n".to_owned(), 1),
    ] {
        let told = problem(text.clone());
        assert!(told.starts_with(&format!("line {line}: ")), "{text}: {told}");
    }
}
