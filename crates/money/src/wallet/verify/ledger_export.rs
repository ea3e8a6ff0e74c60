//! The whole ledger as a file of hledger or Beancount, so that others recompute it with programs that are not ours.
//!
//! Everything is from one snapshot, and written page by page: memory does not grow with the books.

mod naming;
mod trouble;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use base::{Money, OperatorId, Timestamp, TransactionId, hex};
use documents::{ClosingDay, Journal, JournalPosting, JournalTransaction};
use foundation::{App, Realm};
use serde::Serialize;
use store::Conn;
use store::staff::operators;
use store::wallet::books::Owner;
use store::wallet::ledger_export::{
    ExportedEntry, OwnedBalances, TransactionHead, advertisers_after, names_of, of_platform, publishers_after,
    transactions_after, users_after,
};
use store::wallet::public_log::last_id;
use store::wallet::verify::Progress;
use wallet::Account;

pub use documents::JournalFormat;
pub use trouble::ExportError;

use naming::{Naming, account_name};

/// Transactions, and owners of accounts, read at a time.
const PAGE: i64 = 1_000;
/// The number of a hash's bytes that are shown; `ledger show` shows all of them.
const SHORT: usize = 8;

/// The options of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedgerExport {
    pub format: JournalFormat,
    /// Names and reasons instead of pseudonyms.
    pub names: bool,
}

/// The result of an export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExportedLedger {
    /// When the export began.
    pub at: Timestamp,
    pub transactions: i64,
    pub entries: i64,
    /// The last transaction's id; 0 if there is none.
    pub through: TransactionId,
}

/// Writes the whole ledger to `file`. `progress` is called with the last id that was written, and with the last id of
/// all.
///
/// # Errors
/// Also if the file cannot be written. The file is incomplete then.
pub async fn export<W>(
    app: &App,
    wanted: LedgerExport,
    file: W,
    progress: Progress,
) -> Result<(W, ExportedLedger), ExportError>
where
    W: Write + Send + 'static,
{
    let (begun, at) = (app.clone(), app.now());
    let work = move |conn: &mut Conn| {
        let through = TransactionId(last_id(conn)?);
        let done = ExportedLedger { at, transactions: 0, entries: 0, through };
        let currency = &begun.settings.currency;
        let journal = Journal { format: wanted.format, currency: currency.code.clone(), decimals: currency.decimals };
        let naming = Naming::new(begun.secrets.sealer(), wanted.names);
        let mut writing = Writing { journal, naming, file, last: Timestamp::EPOCH, done };
        writing.head(begun.realm())?;
        writing.accounts(conn)?;
        writing.transactions(conn, progress)?;
        writing.balances(conn)?;
        writing.file.flush()?;
        Ok::<_, ExportError>((writing.file, writing.done))
    };
    app.db.snapshot(work).await
}

struct Writing<W> {
    journal: Journal,
    naming: Naming,
    file: W,
    /// The latest time at which anything was recorded.
    last: Timestamp,
    done: ExportedLedger,
}

/// Reads the next page of owners of one kind, after an id.
type PageOfOwners = fn(&mut Conn, i64, i64) -> Result<Vec<OwnedBalances>, store::Error>;
const OWNERS: [PageOfOwners; 3] = [users_after, advertisers_after, publishers_after];

impl<W: Write> Writing<W> {
    fn put(&mut self, text: &str) -> Result<(), ExportError> {
        Ok(self.file.write_all(text.as_bytes())?)
    }

    fn head(&mut self, realm: Realm) -> Result<(), ExportError> {
        let ExportedLedger { at, through, .. } = self.done;
        let mut remarks = vec![
            format!("Written at {at}, through transaction {through}. Times are UTC."),
            "Debits are positive and credits negative; docs/LEDGER.md describes the accounts.".to_owned(),
        ];
        if realm == Realm::Simulated {
            remarks.push("Everything in it is simulated.".to_owned());
        }
        let head = self.journal.head("Ledger of Placard", &remarks);
        self.put(&head)
    }

    /// Calls `each` with every page of owners, in the same order each time.
    fn each_page(
        &mut self,
        conn: &mut Conn,
        each: impl Fn(&mut Self, &[OwnedBalances], &Names) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        for read in OWNERS {
            let mut after = 0;
            loop {
                let page = read(conn, after, PAGE)?;
                let Some(last) = page.last() else { break };
                after = last.owner.id();
                let names = self.names(conn, page.iter().map(|owned| owned.owner))?;
                each(self, &page, &names)?;
            }
        }
        Ok(())
    }

    fn names(&self, conn: &mut Conn, owners: impl Iterator<Item = Owner>) -> Result<Names, ExportError> {
        match self.naming.is_open() {
            true => Ok(names_of(conn, owners)?),
            false => Ok(Names::new()),
        }
    }

    fn accounts(&mut self, conn: &mut Conn) -> Result<(), ExportError> {
        for (account, _) in of_platform(conn)? {
            let declared = self.journal.account(account.heading(), None);
            self.put(&declared)?;
        }
        self.each_page(conn, |writing, page, names| {
            let mut text = String::new();
            for owned in page {
                let name = names.get(&owned.owner).map(String::as_str);
                let accounts = owned.balances.iter().map(|(account, _)| writing.account(*account, names));
                accounts.for_each(|account| text.push_str(&writing.journal.account(&account, name)));
            }
            writing.put(&text)
        })
    }

    fn account(&self, account: Account, names: &Names) -> String {
        account_name(account, |owner| self.naming.owner(owner, names.get(&owner).map(String::as_str)))
    }

    fn transactions(&mut self, conn: &mut Conn, mut progress: Progress) -> Result<(), ExportError> {
        let mut after = TransactionId(0);
        loop {
            let page = transactions_after(conn, after, PAGE)?;
            let Some((last, _)) = page.last() else { return Ok(()) };
            after = last.id;
            let accounts = page.iter().flat_map(|(_, entries)| entries).filter_map(|(account, _)| owner_of(*account));
            let books = page.iter().map(|(head, _)| Owner::of_book(head.book));
            let owners: BTreeSet<Owner> = accounts.chain(books).collect();
            let names = self.names(conn, owners.into_iter())?;
            let operators = self.operators(conn, &page)?;
            let mut text = String::new();
            for (head, entries) in &page {
                text.push_str(&self.transaction(head, entries, &names, &operators));
                self.last = self.last.max(head.recorded_at);
                self.done.transactions += 1;
                self.done.entries += i64::try_from(entries.len()).unwrap_or(0);
            }
            self.put(&text)?;
            progress(after.0, self.done.through.0);
        }
    }

    fn operators(
        &self,
        conn: &mut Conn,
        page: &[(TransactionHead, Vec<ExportedEntry>)],
    ) -> Result<BTreeMap<OperatorId, String>, ExportError> {
        let acted = page.iter().filter_map(|(head, _)| head.actor.strip_prefix("operator:")?.parse().ok());
        match self.naming.is_open() {
            true => Ok(operators::names(conn, acted)?),
            false => Ok(BTreeMap::new()),
        }
    }

    fn transaction(
        &self,
        head: &TransactionHead,
        entries: &[ExportedEntry],
        names: &Names,
        operators: &BTreeMap<OperatorId, String>,
    ) -> String {
        let (date, time) = split(head.recorded_at);
        let book = Owner::of_book(head.book);
        let hash = head.hash.get(..SHORT).unwrap_or(&head.hash);
        let mut facts = vec![
            ("time", time),
            ("book", self.naming.book(book, names.get(&book).map(String::as_str))),
            ("number", head.book_seq.to_string()),
            ("hash", hex::encode(hash)),
            ("document", self.naming.document(&head.ref_type, head.ref_id)),
            ("by", self.naming.actor(&head.actor, operators)),
        ];
        if head.event_time != head.recorded_at {
            facts.push(("event", head.event_time.to_string()));
        }
        let posting = |(account, amount): &ExportedEntry| {
            let facts = match account {
                Account::Hold { plan, .. } => vec![("plan", plan.to_string())],
                _ => Vec::new(),
            };
            JournalPosting { account: self.account(*account, names), amount: debit(*amount), facts }
        };
        let postings = entries.iter().map(posting).collect();
        let text = if self.naming.is_open() { head.reason.as_str() } else { "" };
        let transaction =
            JournalTransaction { date: &date, number: head.id.0, kind: head.kind.name(), text, facts, postings };
        self.journal.transaction(&transaction)
    }

    /// Writes every stored balance, dated to the last day on which anything was recorded.
    fn balances(&mut self, conn: &mut Conn) -> Result<(), ExportError> {
        let (last, next) = (split(self.last).0, split(self.last.plus_days(1)).0);
        let of_platform: Vec<(String, i128)> =
            of_platform(conn)?.iter().map(|(account, sum)| (account.heading().to_owned(), debit(*sum))).collect();
        let stated = self.journal.balances(ClosingDay { last: &last, next: &next }, &of_platform);
        self.put(&stated)?;
        self.each_page(conn, |writing, page, names| {
            let stored = page.iter().flat_map(|owned| &owned.balances);
            let stored: Vec<(String, i128)> =
                stored.map(|(account, balance)| (writing.account(*account, names), debit(*balance))).collect();
            let stated = writing.journal.balances(ClosingDay { last: &last, next: &next }, &stored);
            writing.put(&stated)
        })
    }
}

type Names = BTreeMap<Owner, String>;

/// The ledger counts what is owed to an account's owner as positive, which is a credit.
fn debit(amount: Money) -> i128 {
    -i128::from(amount.minor())
}

/// The date, and the time with its zone.
fn split(at: Timestamp) -> (String, String) {
    let shown = at.to_string();
    shown
        .split_once('T')
        .map_or_else(|| (shown.clone(), String::new()), |(date, time)| (date.to_owned(), time.to_owned()))
}

const fn owner_of(account: Account) -> Option<Owner> {
    match account {
        Account::User(user, _) | Account::Hold { user, .. } => Some(Owner::User(user)),
        Account::Advertiser(id) => Some(Owner::Advertiser(id)),
        Account::Publisher(id) => Some(Owner::Publisher(id)),
        Account::Platform(_) => None,
    }
}
