//! A backup that was changed is always detected.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use archive::{Error, FORMAT, Head, TableLine, Writer, head, parts, verify};

fn about(format: u32) -> Head {
    Head {
        format,
        created_at: "2026-01-05T12:00:00.000Z".to_owned(),
        program: "0.1.0".to_owned(),
        database: "sqlite".to_owned(),
        realm: "simulated".to_owned(),
        currency: "USD".to_owned(),
        migrations: vec!["00000000000001".to_owned()],
        secrets: "abc".to_owned(),
        mark: None,
    }
}

fn table(rows: u64) -> TableLine {
    TableLine { name: "users".to_owned(), columns: Vec::new(), rows, last_id: Some(2) }
}

fn written(folder: &Path, format: u32) -> PathBuf {
    let path = folder.join("a.placard");
    let mut writer = Writer::new(File::create(&path).expect("a file"), &about(format), 0).expect("begun");
    let rows: String = (0..2_000).map(|n| format!("[{n}, \"somebody {}\"]\n", n * 7_919 % 1_000)).collect();
    writer.part("tables/users/1.jsonl", rows.as_bytes()).expect("a part");
    writer.part("files/00ff", &[0, 1, 2, 255]).expect("a part");
    writer.finish(vec![table(2_000)], 1, Vec::new(), false).expect("finished");
    path
}

#[test]
fn what_was_written_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(folder.path(), FORMAT);
    let found = verify(&path, |_| ()).expect("whole");
    assert_eq!((found.manifest.rows(), found.manifest.files, found.manifest.parts.len()), (2_000, 1, 3));
    assert_eq!((head(&path).expect("a head"), found.sha256.len()), (about(FORMAT), 64));
    let mut names = Vec::new();
    parts(&path, |name, bytes| {
        names.push((name.to_owned(), bytes.len()));
        Ok::<_, Error>(())
    })
    .expect("read");
    assert_eq!(names[1], ("files/00ff".to_owned(), 4));
    let listed = std::process::Command::new("tar").arg("tzf").arg(&path).output().expect("tar");
    assert_eq!(String::from_utf8_lossy(&listed.stdout).lines().count(), 4, "any tar opens it");
}

#[test]
fn the_manifest_of_very_many_pictures_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.placard");
    let writer = Writer::new(File::create(&path).expect("a file"), &about(FORMAT), 0).expect("begun");
    // As long as the lines of four hundred thousand parts.
    let missing = vec!["0".repeat(80 * 1024 * 1024)];
    writer.finish(Vec::new(), 0, missing, false).expect("finished");
    assert_eq!(verify(&path, |_| ()).expect("whole").manifest.missing_files.len(), 1);
    let mut writer = Writer::new(File::create(&path).expect("a file"), &about(FORMAT), 0).expect("begun");
    writer.part("files/00ff", &vec![0; 65 * 1024 * 1024]).expect("a part");
    writer.finish(Vec::new(), 1, Vec::new(), false).expect("finished");
    assert!(matches!(verify(&path, |_| ()), Err(Error::Damaged(_))), "no picture is as long");
}

#[test]
fn a_file_that_was_cut_off_is_damaged() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(folder.path(), FORMAT);
    let whole = fs::read(&path).expect("read");
    for length in (0..whole.len()).step_by(7).chain([whole.len() - 1]) {
        fs::write(&path, &whole[..length]).expect("written");
        let found = verify(&path, |_| ());
        assert!(matches!(found, Err(Error::Damaged(_))), "{length} of {}: {found:?}", whole.len());
    }
    fs::write(&path, [whole.as_slice(), b"more"].concat()).expect("written");
    assert!(matches!(verify(&path, |_| ()), Err(Error::Damaged(_))));
}

#[test]
fn a_bit_that_fell_over_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(folder.path(), FORMAT);
    let whole = fs::read(&path).expect("read");
    // Bytes 4 to 9 of the compressed file are a time and a system, which do not matter.
    for at in (10..whole.len()).step_by(3) {
        let mut bent = whole.clone();
        bent[at] ^= 1 << (at % 8);
        fs::write(&path, &bent).expect("written");
        let found = verify(&path, |_| ());
        assert!(matches!(found, Err(Error::Damaged(_) | Error::Newer(_))), "byte {at}: {found:?}");
    }
}

#[test]
fn what_is_newer_or_something_else_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(folder.path(), FORMAT + 1);
    assert!(matches!(head(&path), Err(Error::Newer(newer)) if newer == FORMAT + 1));
    fs::write(&path, "a text").expect("written");
    assert!(matches!(head(&path), Err(Error::Damaged(_))));
    assert!(matches!(head(&folder.path().join("nowhere")), Err(Error::Io(_))));
}
