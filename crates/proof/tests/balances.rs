//! Properties of every tree of balances: nobody's part of it can be hidden, lowered or shown twice.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

use proof::balances::{BadBalances, Leaf, Node, Place, Record, Section, SumTree};
use proof::{GrowingTree, TreeHead, hash};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

const ACCOUNTS: [&str; 3] = ["available", "deposit", "advance"];

/// A user's leaf, or an empty one.
fn leaf() -> impl Strategy<Value = Leaf> {
    let user = (any::<[u8; 32]>(), any::<[u8; 32]>(), 1..1_000_u64, vec(0..1_000_000_000_u64, ACCOUNTS.len()));
    let user = user.prop_map(|(salt, transaction, sequence, balances)| Leaf { salt, transaction, sequence, balances });
    prop_oneof![4 => user, 1 => any::<[u8; 32]>().prop_map(|salt| Leaf::empty(salt, ACCOUNTS.len()))]
}

/// As many as a tree has.
fn leaves() -> impl Strategy<Value = Vec<Leaf>> {
    (0..6_u32).prop_flat_map(|height| vec(leaf(), 1 << height))
}

fn nodes(leaves: &[Leaf]) -> Vec<Node> {
    leaves.iter().map(|leaf| leaf.node().expect("small")).collect()
}

fn tree(leaves: &[Leaf]) -> SumTree {
    SumTree::of(nodes(leaves)).expect("a tree")
}

fn record(leaves: &[Leaf]) -> Record {
    let root = tree(leaves).root().clone();
    Record {
        origin: "ads.example.com/placard".into(),
        day: "2026-11-27".into(),
        leaves: u64::try_from(leaves.len()).expect("few"),
        accounts: ACCOUNTS.map(str::to_owned).to_vec(),
        totals: root.sums,
        root: root.hash,
    }
}

/// The section of a user, in a log whose second entry is the record.
fn section(leaves: &[Leaf], at: usize) -> (Section, TreeHead) {
    let (record, leaf) = (record(leaves), &leaves[at]);
    let mut log = GrowingTree::default();
    let before = hash::leaf(b"a transaction");
    log.append(before);
    log.append(hash::leaf(&record.entry()));
    let place = Place {
        index: u64::try_from(at).expect("few"),
        salt: leaf.salt,
        sequence: leaf.sequence,
        balances: leaf.balances.clone(),
        path: tree(leaves).path(at).expect("inside"),
    };
    let head = TreeHead { size: log.size(), root: log.root() };
    (Section { record, place, index: 1, inclusion: vec![before] }, head)
}

/// An empty leaf is shown to nobody.
fn of(leaf: &Leaf, verdict: Result<(), BadBalances>) -> Result<(), BadBalances> {
    if leaf.sequence == 0 { Err(BadBalances::Nobodys) } else { verdict }
}

proptest! {
    #[test]
    fn everybody_finds_their_balances_in_the_totals(leaves in leaves(), at: Index) {
        let at = at.index(leaves.len());
        let (section, head) = section(&leaves, at);
        let totals = (0..ACCOUNTS.len()).map(|account| leaves.iter().map(|leaf| leaf.balances[account]).sum());
        prop_assert_eq!(&section.record.totals, &totals.collect::<Vec<u64>>());
        prop_assert_eq!(section.check(&leaves[at].transaction), of(&leaves[at], Ok(())));
        prop_assert!(section.included(&head));
        prop_assert_eq!(Section::parse(&section.text()), Ok(section));
    }

    #[test]
    fn a_tree_of_trees_is_the_same_tree(leaves in leaves(), height in 0..6_u32, at: Index) {
        let (whole, at) = (tree(&leaves), at.index(leaves.len()));
        let width = leaves.len().min(1 << height);
        let parts: Vec<SumTree> = leaves.chunks(width).map(tree).collect();
        let above = SumTree::of(parts.iter().map(|part| part.root().clone()).collect()).expect("a tree");
        prop_assert_eq!(above.root(), whole.root());
        let path = [parts[at / width].path(at % width), above.path(at / width)].map(|path| path.expect("inside"));
        prop_assert_eq!(Some(path.concat()), whole.path(at));
    }

    #[test]
    fn whoever_is_hidden_lowered_or_shown_twice_finds_it(leaves in leaves(), at: Index, account: Index, by in 1..1_000_u64) {
        let (at, account) = (at.index(leaves.len()), account.index(ACCOUNTS.len()));
        let (mine, root) = (leaves[at].clone(), tree(&leaves).root().clone());
        let mut others = Vec::new();
        let mut hidden = leaves.clone();
        hidden[at] = Leaf::empty(mine.salt, ACCOUNTS.len());
        let mut lowered = leaves.clone();
        lowered[at].balances[account] = mine.balances[account].saturating_sub(by);
        let mut doubled = leaves.clone();
        doubled[(at + 1) % leaves.len()] = mine.clone();
        let mut swapped = leaves.clone();
        swapped[at].balances.rotate_left(1);
        for changed in [hidden, lowered, doubled, swapped].into_iter().filter(|changed| *changed != leaves) {
            prop_assert_ne!(tree(&changed).root().clone(), root.clone());
            others.push(changed);
        }
        // With the changed record, the user's own leaf is not in the tree, whatever path is shown.
        for changed in others.iter().filter(|changed| changed[at] != mine) {
            let (mut shown, _) = section(changed, at);
            (shown.place.balances, shown.place.sequence, shown.place.salt) = (mine.balances.clone(), mine.sequence, mine.salt);
            prop_assert_eq!(shown.check(&mine.transaction), of(&mine, Err(BadBalances::NotIncluded)));
        }
    }

    #[test]
    fn nothing_of_a_section_can_be_changed(leaves in leaves(), at: Index, byte: Index, bit in 0..7_u32) {
        let at = at.index(leaves.len());
        let (section, head) = section(&leaves, at);
        let mut text = section.text().into_bytes();
        let byte = byte.index(text.len());
        text[byte] ^= 1 << bit;
        let Ok(changed) = String::from_utf8(text) else { return Ok(()) };
        let believed = Section::parse(&changed)
            .is_ok_and(|read| read.check(&leaves[at].transaction).is_ok() && read.included(&head));
        prop_assert!(!believed, "{}", changed);
    }

    #[test]
    fn another_transaction_is_not_this_ones(leaves in leaves(), at: Index, transaction: [u8; 32]) {
        let at = at.index(leaves.len());
        prop_assume!(transaction != leaves[at].transaction);
        let (section, _) = section(&leaves, at);
        prop_assert_eq!(section.check(&transaction), of(&leaves[at], Err(BadBalances::NotIncluded)));
    }
}

fn with(balances: [u64; 2]) -> Leaf {
    Leaf { salt: [1; 32], transaction: [2; 32], sequence: 3, balances: balances.to_vec() }
}

#[test]
fn sums_are_checked() {
    let most = u64::try_from(i64::MAX).expect("positive");
    assert_eq!(with([most + 1, 0]).node(), Err(BadBalances::Overflow));
    let (full, one, none) = (with([most, 0]), with([1, 0]), with([0, 0]));
    assert!(SumTree::of(nodes(&[full.clone(), none.clone()])).is_ok());
    assert_eq!(SumTree::of(nodes(&[full, one])), Err(BadBalances::Overflow));
    // A sum that begins anew would hide what was owed.
    let near = Node { hash: [0; 32], sums: vec![u64::MAX] };
    assert_eq!(Node::above(&near, &Node { hash: [0; 32], sums: vec![1] }), Err(BadBalances::Overflow));
    let other = Leaf::empty([0; 32], 3).node().expect("small");
    assert_eq!(Node::above(&none.node().expect("small"), &other), Err(BadBalances::Accounts));
}

#[test]
fn a_tree_has_a_power_of_two_of_leaves() {
    for count in [0_usize, 3, 5, 6, 7, 9] {
        let leaves = vec![with([1, 2]); count];
        assert_eq!(SumTree::of(nodes(&leaves)), Err(BadBalances::Leaves), "{count}");
    }
    let tree = SumTree::of(nodes(&[with([1, 2])])).expect("a tree");
    assert_eq!((tree.path(0), tree.path(1)), (Some(Vec::new()), None));
}

/// So that verifiers written from the description alone can be held against it.
#[test]
fn the_hashes_are_those_of_the_description() {
    let leaf = with([4, 5]).node().expect("small");
    let hex = |hash: &[u8]| hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    assert_eq!(hex(&leaf.hash), LEAF);
    let empty = Leaf::empty([9; 32], 2).node().expect("small");
    assert_eq!(hex(&Node::above(&leaf, &empty).expect("small").hash), NODE);
}

const LEAF: &str = "db374203f78eede3f71f0ee845df1843294867ab7e1b617bab8d0d420b1916df";
const NODE: &str = "83750b99ef1dbdb5e7a4961a542a5dd2a0095931f0f38a78a2457eabf5335ab2";

#[test]
fn a_record_is_read_only_as_it_is_written() {
    let record = record(&[Leaf::empty([0; 32], 3)]);
    let text = record.text();
    assert_eq!(Record::parse(&text), Ok(record));
    for (old, new) in [
        ("balances 1", "balances 2"),
        ("day: 2026-11-27", "day: 27.11.2026"),
        ("leaves: 1", "leaves: 01"),
        ("leaves: 1", "leaves: +1"),
        ("leaves: 1", "leaves: 9223372036854775808"),
        ("totals: 0 0 0", "totals: 0 0 -1"),
        ("totals: 0 0 0", "totals: 0  0 0"),
        ("deposit", "available"),
        ("root: ", "root:"),
        ("\n", "\r\n"),
        ("day", "date"),
    ] {
        assert_eq!(Record::parse(&text.replace(old, new)), Err(BadBalances::Malformed), "{new}");
    }
    assert_eq!(Record::parse(&text.replace("leaves: 1", "leaves: 3")), Err(BadBalances::Leaves));
    assert_eq!(Record::parse(&text.replace("totals: 0 0 0", "totals: 0 0")), Err(BadBalances::Accounts));
    assert_eq!(Record::parse(text.trim_end()), Err(BadBalances::Malformed));
    assert_eq!(Record::parse(&format!("{text}more\n")), Err(BadBalances::Malformed));
}
