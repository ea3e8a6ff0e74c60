//! The demonstration with its past, which is made once for each kind of database and copied for
//! each test.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::Value;
use store::testing::{Original, TestDb};

use super::{Key, Placard, text};

pub struct WithPast {
    pub placard: Placard,
    /// What the program has said of it.
    pub planted: Value,
    pub anna: Key,
    pub ben: Key,
}

/// The past, beside a fresh database of the kind that is wanted.
pub fn with_past(test: TestDb) -> WithPast {
    static ON_SQLITE: OnceLock<Made> = OnceLock::new();
    static ON_POSTGRES: OnceLock<Made> = OnceLock::new();
    let made = if test.url.starts_with("sqlite:") { &ON_SQLITE } else { &ON_POSTGRES };
    made.get_or_init(|| Made::on(test)).copy()
}

struct Made {
    database: Original,
    /// By their paths below the data folder.
    files: Vec<(PathBuf, Vec<u8>)>,
    planted: Value,
}

impl Made {
    fn on(test: TestDb) -> Self {
        let placard = Placard::new(test);
        let planted = placard.run(&["demo", "seed", "--history"]).done();
        let data = placard.path("data");
        let read = |path: PathBuf| {
            let bytes = fs::read(&path).expect("a file");
            (path.strip_prefix(&data).expect("below").to_owned(), bytes)
        };
        let files = files_below(&data).into_iter().map(read).collect();
        Self { database: placard.test.into_original(), files, planted }
    }

    fn copy(&self) -> WithPast {
        let placard = Placard::new(self.database.copy());
        for (name, bytes) in &self.files {
            let path = placard.path("data").join(name);
            let folder = path.parent().expect("a folder");
            DirBuilder::new().recursive(true).mode(0o700).create(folder).expect("a folder");
            let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
            file.expect("a file").write_all(bytes).expect("written");
        }
        let key = |n: usize| {
            let operator = &self.planted["operators"][n];
            Key { name: text(&operator["operator"]), key: text(&operator["key"]) }
        };
        WithPast { placard, planted: self.planted.clone(), anna: key(0), ben: key(1) }
    }
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}
