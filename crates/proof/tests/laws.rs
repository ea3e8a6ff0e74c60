//! Properties of every tree, held against another implementation of the same standards.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use doubleentry::log::Hash as TheirHash;
use doubleentry::store::Tree as TheirTree;
use doubleentry::transparency::{Checkpoint as TheirCheckpoint, KeyName, LogKey, SignedCheckpoint, TileId};
use doubleentry::{LedgerId, TreeHead as TheirHead};
use proof::proofs::{consistency, extends, includes, inclusion, range_root, range_tiles};
use proof::{Checkpoint, GrowingTree, Hash, Note, NoteSigner, Tile, TreeHead, hash, tile_bytes, tile_hashes};
use proptest::prelude::*;

/// Published tiles by their paths, as a storage has them.
#[derive(Default)]
struct Published(BTreeMap<String, Vec<u8>>);

impl Published {
    fn put(&mut self, changed: Vec<(Tile, Vec<Hash>)>) {
        for (tile, hashes) in changed {
            assert_eq!(usize::from(tile.width()), hashes.len(), "{tile}");
            let before = self.0.insert(tile.path(), tile_bytes(&hashes));
            assert!(before.is_none_or(|before| before == tile_bytes(&hashes)), "{tile} changed");
        }
    }

    fn get(&self, tile: Tile) -> Option<Vec<Hash>> {
        tile_hashes(self.0.get(&tile.path())?)
    }

    fn root(&self, range: std::ops::Range<u64>, size: u64) -> Hash {
        let found = range_root(&range, size, |tile| self.get(tile)).expect("every tile");
        let tiles = range_tiles(&range, size);
        assert_eq!(range_root(&range, size, |tile| self.get(tile).filter(|_| tiles.contains(&tile))), Some(found));
        found
    }

    fn proof(&self, ranges: Option<Vec<std::ops::Range<u64>>>, size: u64) -> Vec<Hash> {
        ranges.expect("provable").into_iter().map(|range| self.root(range, size)).collect()
    }
}

fn theirs(hash: &Hash) -> TheirHash {
    TheirHash::from_bytes(*hash)
}

fn ours(hashes: &[TheirHash]) -> Vec<Hash> {
    hashes.iter().map(|hash| *hash.as_bytes()).collect()
}

fn leaf(number: u64) -> Hash {
    hash::leaf(&number.to_be_bytes())
}

/// A tree that grew in steps, each of which was published; and the other implementation's tree.
fn grown(steps: &[u64]) -> (GrowingTree, Published, TheirTree) {
    let (mut tree, mut published, mut their) = (GrowingTree::default(), Published::default(), TheirTree::new());
    for step in steps {
        for _ in 0..*step {
            their.push(theirs(&leaf(tree.size()))).expect("room");
            tree.append(leaf(tree.size()));
        }
        published.put(tree.take_changed());
        // A server that knows nothing but the tiles continues it.
        tree = GrowingTree::continued(tree.size(), |tile| published.get(tile)).expect("whole");
    }
    (tree, published, their)
}

/// The same with one bit changed.
fn damaged(proof: &[Hash], hit: prop::sample::Index) -> Vec<Hash> {
    let mut bits = proof.concat();
    let bit = hit.index(bits.len() * 8);
    bits[bit / 8] ^= 1 << (bit % 8);
    bits.as_chunks::<32>().0.to_vec()
}

fn steps() -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(prop_oneof![0..4_u64, 0..700_u64], 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Root and tiles are the other implementation's, however the tree grew.
    #[test]
    fn a_tree_is_the_same_in_any_steps(steps in steps()) {
        let (tree, published, their) = grown(&steps);
        let head = their.head();
        prop_assert_eq!((tree.size(), theirs(&tree.root())), (head.size, head.root));
        prop_assert_eq!(published.root(0..tree.size(), tree.size()), tree.root());
        let (mut size, mut last) = (0, 0);
        for step in &steps {
            last = size;
            size += step;
        }
        let paths = |tiles: Vec<TileId>| tiles.iter().map(|tile| tile.path()).collect::<Vec<_>>();
        let between: Vec<String> = Tile::between(last, size).map(|tile| tile.path()).collect();
        prop_assert_eq!(between, paths(TileId::changed(last, size)));
    }

    /// A proof made of tiles is the other implementation's, is accepted by both, and for nothing else.
    #[test]
    fn a_leaf_is_proved_where_it_is(steps in steps(), at in any::<prop::sample::Index>(), hit in any::<prop::sample::Index>()) {
        let (tree, published, their) = grown(&steps);
        let size = tree.size();
        prop_assume!(size > 0);
        let index = u64::try_from(at.index(usize::try_from(size).expect("small"))).expect("small");
        let proof = published.proof(inclusion(index, size), size);
        let other = their.inclusion_proof(index, size).expect("provable");
        prop_assert_eq!(&proof, &ours(&other.path));
        let root = tree.root();
        prop_assert!(includes(&leaf(index), index, size, &proof, &root));
        prop_assert!(!includes(&leaf(index + 1), index, size, &proof, &root));
        prop_assert!(!includes(&leaf(index), index, size, &proof, &leaf(0)) || size == 1);
        prop_assert!(!includes(&leaf(index), (index + 1) % size, size, &proof, &root) || size == 1);
        prop_assert!(!includes(&leaf(index), index, size, &[&proof[..], &[root]].concat(), &root));
        if !proof.is_empty() {
            let damaged = damaged(&proof, hit);
            prop_assert!(!includes(&leaf(index), index, size, &damaged, &root));
            prop_assert!(!includes(&leaf(index), index, size, &proof[1..], &root));
        }
    }

    /// Any tree is the beginning of any later one, and of no other.
    #[test]
    fn consistency_is_proved_between_any_two_sizes(steps in steps(), at in any::<prop::sample::Index>(), hit in any::<prop::sample::Index>()) {
        let (tree, published, their) = grown(&steps);
        let new = TreeHead { size: tree.size(), root: tree.root() };
        let size = u64::try_from(at.index(usize::try_from(new.size + 1).expect("small"))).expect("small");
        // A partial tile may be gone once it is full: those of the newer tree suffice.
        let old = TreeHead { size, root: published.root(0..size, new.size) };
        prop_assert_eq!(theirs(&old.root), their.head_at(size).expect("a head").root);
        let proof = published.proof(consistency(old.size, new.size), new.size);
        prop_assert!(extends(&old, &new, &proof));
        let (other_old, other_new) = (TreeHead { root: leaf(7), ..old }, TreeHead { root: leaf(7), ..new });
        prop_assert!(!extends(&other_old, &new, &proof));
        prop_assert!(!extends(&old, &other_new, &proof) || old.size == 0);
        prop_assert!(!extends(&old, &new, &[&proof[..], &[new.root]].concat()));
        prop_assert!(!extends(&new, &old, &proof) || old == new);
        if old.size > 0 {
            let other = their.consistency_proof(old.size, new.size).expect("provable");
            prop_assert_eq!(&proof, &ours(&other.path));
        }
        if !proof.is_empty() {
            let damaged = damaged(&proof, hit);
            prop_assert!(!extends(&old, &new, &damaged));
            prop_assert!(!extends(&old, &new, &proof[1..]));
        }
    }

    /// Both write the same checkpoint, and read each other's.
    #[test]
    fn a_checkpoint_is_the_same_in_both(size in 0..=i64::MAX.unsigned_abs(), root in any::<Hash>(), seed in any::<Hash>()) {
        let origin = "ads.example.com/placard-simulated";
        let signer = NoteSigner::new(origin, &seed).expect("a signer");
        let note = Checkpoint::new(origin, TreeHead { size, root }).sign(&signer).to_string();
        let key = LogKey::from_seed(&LedgerId::new(origin).expect("a name"), seed);
        prop_assert_eq!(signer.public().to_string(), key.vkey().to_string());
        let head = TheirHead { size, root: theirs(&root) };
        let their = key.sign(&TheirCheckpoint::new(KeyName::new(origin).expect("a name"), head)).expect("signed");
        prop_assert_eq!(note.as_bytes(), &their.to_bytes()[..]);
        let read = SignedCheckpoint::parse(note.as_bytes()).expect("a checkpoint");
        if size > 0 {
            prop_assert!(read.verify(&[key.vkey()]).is_ok());
        }
        let text = String::from_utf8(their.to_bytes()).expect("text");
        let opened = Checkpoint::open(&Note::parse(&text).expect("a note"), &signer.public()).expect("a checkpoint");
        prop_assert_eq!(opened.head, TreeHead { size, root });
    }

    /// Nothing that arrives makes the readers fail otherwise than by refusing, and what they read they write again.
    #[test]
    fn anything_may_arrive(text in "(\\PC|\n|— |[+/=]){0,80}", path in "(tile/)?[0-9x/.p]{0,30}", size in any::<u64>(), index in any::<u64>(), hashes in prop::collection::vec(any::<Hash>(), 0..70)) {
        if let Ok(note) = Note::parse(&text) {
            prop_assert_eq!(note.to_string(), text.clone());
        }
        if let Some(checkpoint) = Checkpoint::parse(&text) {
            prop_assert_eq!(checkpoint.text(), text);
        }
        let tile = Tile::parse(&path);
        prop_assert_eq!(tile.is_some(), TileId::parse(path.as_str()).is_ok_and(|tile| tile.entry_bundle().is_some() || !path.contains("entries")));
        let (old, head) = (TreeHead { size: index.max(1), root: [1; 32] }, TreeHead { size, root: [0; 32] });
        prop_assert!(!includes(&[1; 32], index, size, &hashes, &[0; 32]));
        prop_assert!(!extends(&old, &head, &hashes));
        if let Some(ranges) = inclusion(index, size) {
            prop_assert!(ranges.iter().all(|range| !range_tiles(range, size).is_empty()));
        }
    }
}

#[test]
fn a_tree_continues_only_from_its_own_tiles() {
    let (tree, published, _) = grown(&[300]);
    assert!(GrowingTree::continued(301, |tile| published.get(tile)).is_none(), "a missing tile");
    let short = |tile: Tile| published.get(tile).map(|hashes| hashes[1..].to_vec());
    assert!(GrowingTree::continued(tree.size(), short).is_none(), "a tile of another width");
    assert_eq!(range_root(&(0..301), 301, |tile| published.get(tile)), None);
    assert_eq!(range_root(&(0..301), 300, |tile| published.get(tile)), None);
    assert_eq!(tile_hashes(&[0; 33]), None);
    assert_eq!(tile_hashes(&[0; 257 * 32]), None);
}
