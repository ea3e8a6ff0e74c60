//! A log that outsiders can check: a Merkle tree (RFC 6962), kept and published as tiles, whose head is signed.
//!
//! This crate decides:
//! - how a tree grows, and what its root is: [`GrowingTree`];
//! - what of it is stored where: [`Tile`] (C2SP tlog-tiles);
//! - which hashes prove that a leaf is in a tree or that a tree is the beginning of another, and whether they do:
//!   [`proofs`];
//! - what of a transaction of a ledger is hashed: [`ledger`]; and whether a file proves a month of a book: [`mod@file`];
//! - how all balances of a day are added up in a tree, and whether somebody's are part of the totals: [`balances`];
//! - what a log signs, and whether a signature fits: [`Checkpoint`] (C2SP tlog-checkpoint) and [`note`] (C2SP signed-note);
//! - what a witness cosigns: [`Witness`] (C2SP tlog-witness, tlog-cosignature); and how many of them are enough: [`Policy`]
//!   (C2SP tlog-policy);
//! - how a log says which one it follows: [`Previous`].
//!
//! It knows no database, storage or clock, and nothing of what transactions mean.
//!
//! ```
//! use proof::{Checkpoint, GrowingTree, Note, NoteSigner, TreeHead, hash};
//!
//! let mut tree = GrowingTree::default();
//! tree.append(hash::leaf(b"the first"));
//! tree.append(hash::leaf(b"the second"));
//! let signer = NoteSigner::new("ads.example.com/placard", &[7; 32])?;
//! let head = TreeHead { size: tree.size(), root: tree.root() };
//! let note = Checkpoint::new("ads.example.com/placard", head).sign(&signer).to_string();
//!
//! let read = Checkpoint::open(&Note::parse(&note)?, &signer.public())?;
//! assert_eq!(read.head, head);
//! # Ok::<(), proof::BadNote>(())
//! ```

pub mod balances;
mod checkpoint;
mod cosignature;
pub mod file;
mod growing;
pub mod hash;
pub mod ledger;
mod month;
pub mod note;
pub mod policy;
mod previous;
pub mod proofs;
mod tile;
pub mod witness;

pub use checkpoint::Checkpoint;
pub use cosignature::{Cosigner, CosignerKey};
pub use growing::GrowingTree;
pub use hash::Hash;
pub use month::{Month, NotAMonth};
pub use note::{BadNote, Note, NoteKey, NoteSignature, NoteSigner};
pub use policy::Policy;
pub use previous::Previous;
pub use proofs::TreeHead;
pub use tile::{Tile, WIDTH, tile_bytes, tile_hashes};
pub use witness::{AddCheckpoint, Witness};
