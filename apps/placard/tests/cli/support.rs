//! A separate installation for each test, and the program run on it.

mod past;

use std::path::PathBuf;
use std::process::{Command, Output};

use base::Clock;
use campaigns::AdServer;
use campaigns::catalogue::counterparty_keys::{ClaimedKey, claim};
use desk::installation::settings::{Installation, Values};
use diesel::connection::SimpleConnection;
use foundation::people::pay_password::Proof;
use serde_json::Value;
use store::testing::TestDb;
use tempfile::TempDir;

use crate::staff::door::Door;

pub use past::{WithPast, with_past};

pub struct Placard {
    folder: TempDir,
    test: TestDb,
    /// The server that staff's commands are sent to, if they are.
    door: Option<Door>,
}

/// Commands that need the installation itself.
const HERE: [&str; 8] = ["accept", "archive", "backup", "demo", "doctor", "migrate", "restore", "traffic"];

/// A counterparty opens the link of a request, and the second person approves the fingerprint
/// that it reads; its key.
pub async fn take_key(placard: &Placard, second: &Key, request: &Value, asked: &Value) -> String {
    let claimed = open_link(placard, asked).await;
    let approve = ["request", "approve", &text(request), "--fingerprint", &claimed.fingerprint];
    placard.change(second, &approve).done();
    claimed.key
}

/// Whoever has the link opens it.
pub async fn open_link(placard: &Placard, asked: &Value) -> ClaimedKey {
    let url = text(&asked["claim_url"]);
    claim(&placard.app(), url.rsplit_once('=').expect("a link").1, None).await.expect("claimed")
}

/// An operator's name and key.
#[derive(Clone, Debug)]
pub struct Key {
    pub name: String,
    pub key: String,
}

/// The result of running the program.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Ran {
    /// It succeeded; returns the document it printed.
    pub fn done(self) -> Value {
        assert_eq!(self.code, Some(0), "{self:?}");
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {}", self.out))
    }

    /// It refused for this reason, and printed nothing else.
    pub fn refused(self, key: &str) {
        assert_eq!(self.code, Some(1), "{self:?}");
        assert!(self.err.starts_with(&format!("placard: {key}: ")), "{self:?}");
        assert!(self.out.is_empty() && self.err.lines().count() == 1, "{self:?}");
    }

    /// It was used wrongly, and says how.
    pub fn misused(self, about: &str) {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert!(self.err.contains(about) && self.out.is_empty(), "{self:?}");
    }
}

impl Placard {
    pub fn new(test: TestDb) -> Self {
        Self { folder: TempDir::new().expect("a folder"), test, door: None }
    }

    /// For all that is the same on PostgreSQL: what both databases answer is tested below the program.
    pub fn on_sqlite() -> Self {
        Self::new(store::testing::sqlite())
    }

    /// The same for staff without the database and the secrets: a server runs what they
    /// sign.
    pub fn afar(test: TestDb) -> Self {
        let mut placard = Self::new(test);
        placard.door = Some(Door::open(placard.app(), None));
        placard
    }

    pub fn url(&self) -> &str {
        &self.test.url
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_placard"));
        command.args(arguments).current_dir(self.folder.path()).env_clear();
        command.env("PLACARD_DATABASE_URL", &self.test.url);
        command
    }

    /// Signed in.
    pub fn command_as(&self, who: &Key, arguments: &[&str]) -> Command {
        let mut command = self.command(arguments);
        command.env("PLACARD_OPERATOR", &who.name).env("PLACARD_OPERATOR_KEY", &who.key);
        let here = arguments.first().is_some_and(|first| HERE.contains(first));
        if let Some(door) = self.door.as_ref().filter(|_| !here) {
            command.env_remove("PLACARD_DATABASE_URL").env("PLACARD_SERVER", door.url());
        }
        command
    }

    /// Without a sign-in.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        self.command(arguments).arg("--json").output().expect("runs").into()
    }

    pub fn run_as(&self, who: &Key, arguments: &[&str]) -> Ran {
        let mut command = self.command_as(who, arguments);
        command.arg("--json").output().expect("runs").into()
    }

    /// A change, with a reason.
    pub fn change(&self, who: &Key, arguments: &[&str]) -> Ran {
        self.run_as(who, &[arguments, &["--reason", "a test"]].concat())
    }

    /// Confirms what `bank show` lists of a statement now.
    pub fn confirm_bank(&self, who: &Key, statement: &str) -> Ran {
        let shown = self.run_as(who, &["bank", "show", statement]).done();
        self.change(who, &["bank", "confirm", statement, "--proposals", &text(&shown["proposals"]["digest"])])
    }

    /// The text for people.
    pub fn text(&self, who: &Key, arguments: &[&str]) -> String {
        let ran: Ran = self.command_as(who, arguments).output().expect("runs").into();
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.out
    }

    /// Makes an account, as the provider's server does when it lets a new user in.
    pub async fn account(&self, name: &str) {
        foundation::people::entry::issue_ticket(&self.app(), None, name).await.expect("a ticket");
    }

    /// Adds an operator; the first needs no sign-in.
    pub fn operator(&self, by: Option<&Key>, name: &str, role: &str) -> Key {
        let arguments = ["operator", "add", name, "--role", role];
        let added = match by {
            None => self.run(&arguments),
            Some(by) => self.change(by, &arguments),
        };
        let added = added.done();
        assert_eq!(added["operator"], name);
        Key { name: name.to_owned(), key: text(&added["key"]) }
    }

    /// An admin and a finance operator, the founders.
    pub fn staff(&self) -> (Key, Key) {
        let ann = self.operator(None, "ann", "admin");
        let bob = self.operator(Some(&ann), "bob", "finance");
        self.founded(ann, bob)
    }

    /// The two as founders, with the keys that they have rotated themselves.
    pub fn founded(&self, one: Key, other: Key) -> (Key, Key) {
        self.run(&["operator", "founders", &one.name, &other.name]).done();
        (self.rotated(&one), self.rotated(&other))
    }

    /// An operator with another key, which they have issued themselves.
    pub fn rotated(&self, who: &Key) -> Key {
        let rotated = self.change(who, &["operator", "rotate", &who.name]).done();
        Key { name: who.name.clone(), key: text(&rotated["key"]) }
    }

    /// The demonstration, and its two operators.
    pub fn demonstration(&self) -> (Key, Key) {
        let planted = self.run(&["demo", "seed"]).done();
        let key = |n: usize| Key {
            name: text(&planted["operators"][n]["operator"]),
            key: text(&planted["operators"][n]["key"]),
        };
        (key(0), key(1))
    }

    /// The same installation, for what only its server does.
    pub fn app(&self) -> AdServer {
        let folder = self.folder.path();
        let pairs = [
            ("PLACARD_DATABASE_URL", self.test.url.clone()),
            ("PLACARD_DATA_DIR", folder.join("data").display().to_string()),
        ];
        let values = Values::from_pairs(pairs.map(|(name, value)| (name.to_owned(), value))).expect("values");
        Installation::read(&values).and_then(|read| read.open(Clock::system())).expect("opens")
    }

    /// Bypasses the program and what opens an installation.
    pub fn execute_beside(&self, sql: &'static str) {
        let done = self.test.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(sql)?));
        tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(done)).expect("executed");
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Hidden files in its folder, which only unfinished work leaves.
    pub fn left_over(&self) -> Vec<String> {
        let names = std::fs::read_dir(self.folder.path()).expect("a folder");
        let names = names.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
        names.filter(|name| name.starts_with('.')).collect()
    }

    /// Bypasses the program.
    pub async fn execute(&self, sql: impl Into<String>) {
        let sql = sql.into();
        let done = self.app().db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(&sql)?)).await;
        done.expect("executed");
    }

    pub fn file(&self, name: &str, content: &(impl AsRef<[u8]> + ?Sized)) -> String {
        let path = self.folder.path().join(name);
        std::fs::write(&path, content).expect("written");
        path.display().to_string()
    }
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

/// The actions in the audit log, newest first.
pub fn deeds(placard: &Placard, who: &Key) -> Vec<String> {
    let lines = placard.run_as(who, &["audit", "list", "--staff"]).done();
    lines.as_array().expect("a list").iter().map(|line| text(&line["action"])).collect()
}

/// The reason of the newest of them.
pub fn latest_reason(placard: &Placard, who: &Key) -> String {
    text(&placard.run_as(who, &["audit", "list", "--staff"]).done()[0]["reason"])
}

/// Binds a payout account, as a user who has given the transaction password.
pub async fn bound(app: &foundation::App, user: base::UserId, card: money::wallet::bank_card::CardView) {
    use money::wallet::bank_card::{Binder, NewBankCard, bind_card};
    let typed = NewBankCard::read(app, card).expect("whole");
    bind_card(app, Binder::Proven(Proof::assumed(user)), typed).await.expect("bound");
}

/// A GIF of one pixel.
pub const PICTURE: &[u8] = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff\x2c\x00\x00\x00\x00\
    \x01\x00\x01\x00\x00\x02\x02\x44\x01\x00\x3b";
