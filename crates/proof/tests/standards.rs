//! What the standards and their reference implementations print.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use proof::{BadNote, Checkpoint, Cosigner, GrowingTree, Note, NoteKey, NoteSigner, Tile, hash};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The leaves and roots that implementations of RFC 6962 are tested with, beginning with Google's.
#[test]
fn roots_are_those_of_certificate_transparency() {
    let leaves: [&[u8]; 8] = [
        b"",
        &[0x00],
        &[0x10],
        &[0x20, 0x21],
        &[0x30, 0x31],
        &[0x40, 0x41, 0x42, 0x43],
        &[0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57],
        &[0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6d, 0x6e, 0x6f],
    ];
    let roots = [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ];
    let mut tree = GrowingTree::default();
    assert_eq!(hex(&tree.root()), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    for (leaf, root) in leaves.into_iter().zip(roots) {
        tree.append(hash::leaf(leaf));
        assert_eq!(hex(&tree.root()), root);
    }
}

const TEXT: &str =
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const PETER: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const PETER_SEED: &str = "gQoUAtUUbI2E8kQzMPVAgOv5juF9nHT2JS/F1ccoMXM=";
const BY_PETER: &str = "— PeterNeumann \
    x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";
const ENOCH: &str = "EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop";
const BY_ENOCH: &str = "— EnochRoot \
    rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n";

/// The note, keys and signatures of the tests of golang.org/x/mod/sumdb/note.
#[test]
fn a_note_of_the_go_implementation_is_read_and_written() {
    let (peter, enoch): (NoteKey, NoteKey) = (PETER.parse().expect("a key"), ENOCH.parse().expect("a key"));
    assert_eq!((peter.to_string(), peter.id()), (PETER.to_owned(), 0xc74f_20a3));
    let both = format!("{TEXT}\n{BY_PETER}{BY_ENOCH}");
    let note = Note::parse(&both).expect("a note");
    assert_eq!((note.text.as_str(), note.to_string()), (TEXT, both));
    assert_eq!((note.check(&peter), note.check(&enoch)), (Ok(()), Ok(())));

    let seed = STANDARD.decode(PETER_SEED).expect("base64").try_into().expect("32 bytes");
    let signer = NoteSigner::new("PeterNeumann", &seed).expect("a signer");
    assert_eq!(signer.public(), peter);
    assert_eq!(signer.sign(TEXT.to_owned()).to_string(), format!("{TEXT}\n{BY_PETER}"));
    assert_eq!(format!("{signer:?}"), "NoteSigner(PeterNeumann)");
    let secret = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";
    assert_eq!(signer.secret_text(), secret);
    assert_eq!(NoteSigner::parse_secret(secret).map(|key| key.public()), Ok(peter));
    assert!(NoteSigner::parse_secret(&secret.replace("c74f", "c74e")).is_err());
    assert!(Cosigner::parse_secret(secret).is_err(), "a key of one kind is none of the other");
}

#[test]
fn a_note_is_believed_by_its_signature_alone() {
    let peter: NoteKey = PETER.parse().expect("a key");
    let check = |note: &str| Note::parse(note).expect("a note").check(&peter);
    assert_eq!(check(&format!("{TEXT}\n{BY_ENOCH}")), Err(BadNote::Unsigned));
    assert_eq!(check(&format!("{}\n{BY_PETER}", TEXT.replace("your", "my"))), Err(BadNote::Wrong));
    // One signature that does not fit spoils the note, whatever else fits.
    let spoilt = BY_PETER.replace("x08go/ZJ", "x08go/ZK");
    assert_eq!(check(&format!("{TEXT}\n{BY_PETER}{spoilt}")), Err(BadNote::Wrong));
    assert_eq!(check(&format!("{TEXT}\n{}", BY_PETER.replace("PeterNeumann", "Somebody"))), Err(BadNote::Unsigned));
}

#[test]
fn what_is_no_note_or_no_key_is_refused() {
    for note in [
        String::new(),
        TEXT.to_owned(),
        format!("{TEXT}{BY_PETER}"),
        format!("{TEXT}\n"),
        format!("{TEXT}\n{}", BY_PETER.trim_end()),
        format!("{TEXT}\n{BY_PETER}more\n"),
        format!("\u{1}{TEXT}\n{BY_PETER}"),
        format!("{TEXT}\n{}", BY_PETER.replace("— ", "- ")),
        format!("{TEXT}\n{}", BY_PETER.replace("PeterNeumann", "Peter+Neumann")),
        format!("{TEXT}\n— PeterNeumann x08gow==\n"),
        format!("{TEXT}\n{}", BY_PETER.repeat(101)),
    ] {
        assert_eq!(Note::parse(&note), Err(BadNote::Malformed), "{note}");
    }
    let weak = format!("Weak+00000000+{}", STANDARD.encode([&[1][..], &[0; 32]].concat()));
    for key in ["", "PeterNeumann", &PETER.replace("c74f20a3", "c74f20a4"), &PETER.replace("+AR", "+BB"), &weak] {
        assert_eq!(key.parse::<NoteKey>(), Err(BadNote::Key), "{key}");
    }
    for name in ["", "a b", "a+b", "a\u{a0}b"] {
        assert!(NoteSigner::new(name, &[7; 32]).is_err(), "{name}");
    }
}

/// The example of C2SP tlog-checkpoint.
const EXAMPLE: &str = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n\
    — example.com/behind-the-sofa \
    Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n";

#[test]
fn the_example_of_a_checkpoint_is_read() {
    let note = Note::parse(EXAMPLE).expect("a note");
    let checkpoint = Checkpoint::parse(&note.text).expect("a checkpoint");
    assert_eq!((checkpoint.origin.as_str(), checkpoint.head.size), ("example.com/behind-the-sofa", 20_852_163));
    assert_eq!(note.to_string(), EXAMPLE);
    for wrong in [
        note.text.replace("20852163", "020852163"),
        note.text.replace("20852163", "+20852163"),
        note.text.replace("20852163", "-1"),
        note.text.replace("20852163", "9223372036854775808"),
        note.text.replace("I=\n", "I=\n\n"),
        note.text.replace("I=\n", "J=\n"),
        note.text.replace("CsUY", ""),
        note.text.replace("example.com/behind-the-sofa", ""),
        note.text.trim_end().to_owned(),
    ] {
        assert_eq!(Checkpoint::parse(&wrong), None, "{wrong}");
    }
    let most = Checkpoint::parse(&note.text.replace("20852163", "9223372036854775807")).expect("a checkpoint");
    assert_eq!(most.head.size, i64::MAX.unsigned_abs());
    let more = format!("{}more\n", note.text);
    assert_eq!(Checkpoint::parse(&more).expect("extended").text(), more);
}

#[test]
fn a_checkpoint_is_that_of_the_log_whose_key_signed_it() {
    let signer = NoteSigner::new("ads.example.com/placard", &[7; 32]).expect("a signer");
    let head = Checkpoint::parse(&Note::parse(EXAMPLE).expect("a note").text).expect("a checkpoint").head;
    let own = Checkpoint::new("ads.example.com/placard", head);
    assert_eq!(Checkpoint::open(&own.sign(&signer), &signer.public()), Ok(own));
    let of_another = Checkpoint::new("ads.example.com/other", head).sign(&signer);
    assert_eq!(Checkpoint::open(&of_another, &signer.public()), Err(BadNote::Malformed));
}

/// The paths and the example of C2SP tlog-tiles.
#[test]
fn tiles_are_where_the_standard_says() {
    for (level, index, width, path) in [
        (0, 1_234_067, 256, "tile/0/x001/x234/067"),
        (0, 0, 1, "tile/0/000.p/1"),
        (1, 999, 255, "tile/1/999.p/255"),
        (63, 1000, 256, "tile/63/x001/000"),
        (0, u64::MAX, 256, "tile/0/x018/x446/x744/x073/x709/x551/615"),
    ] {
        let tile = Tile::new(level, index, width).expect("a tile");
        assert_eq!((tile.path().as_str(), Tile::parse(path)), (path, Some(tile)));
    }
    for path in [
        "",
        "tile/",
        "tile/0",
        "tile/0/0",
        "tile/0/00",
        "tile/00/000",
        "tile/64/000",
        "tile/+1/000",
        "tile/0/x000/000",
        "tile/0/001/000",
        "tile/0/x001",
        "tile/0/x001/x000",
        "tile/0/000.p/0",
        "tile/0/000.p/256",
        "tile/0/000.p/01",
        "tile/0/000.p/",
        "tile/0/000/",
        "tile/0/x999/x999/x999/x999/x999/x999/999",
        "tile/entries/000",
        "/tile/0/000",
    ] {
        assert_eq!(Tile::parse(path), None, "{path}");
    }
    let paths: Vec<String> = Tile::between(0, 70_000).map(|tile| tile.path()).collect();
    assert_eq!(paths.len(), 273 + 1 + 1 + 1 + 1);
    assert_eq!(
        paths[272..],
        ["tile/0/272", "tile/0/273.p/112", "tile/1/000", "tile/1/001.p/17", "tile/2/000.p/1"].map(str::to_owned)
    );
    let paths: Vec<String> = Tile::between(0, 256).map(|tile| tile.path()).collect();
    assert_eq!(paths, ["tile/0/000", "tile/1/000.p/1"]);
}
