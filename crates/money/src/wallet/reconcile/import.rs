//! Importing a bank's file.

use std::collections::BTreeMap;

use auth::{Permission, Vault};
use bank::{Extent, Finding, Line, Misplaced, Place, Span, Statement, Stored, day_within, gaps, place};
use base::{BankLineId, BankStatementId, Money, Timestamp};
use foundation::staff::Staff;
use foundation::{App, Error, Refusal};
use serde::Serialize;
use serde_json::json;
use store::wallet::bank::spans::{self, Spans};
use store::wallet::bank::{self as rows, matches};
use store::{Conn, Tx};

use super::compare::{Comparison, certain, compare};
use super::returned;
use super::view::{GapView, Leftover};

/// A parsed file.
#[derive(Clone, Debug)]
pub struct BankFile {
    /// The statements of one account.
    pub statements: Vec<Statement>,
    /// The digest of the file.
    pub digest: [u8; 32],
    /// The number of its lines that are stored already, if an operator had to say so because it is not clear.
    pub known: Option<usize>,
}

impl BankFile {
    /// A file with one statement.
    pub fn one(statement: Statement, digest: [u8; 32]) -> Self {
        Self { statements: vec![statement], digest, known: None }
    }
}

/// The result of importing a statement.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportedStatement {
    /// The statement's number, or that of the stored one that already has everything in it; `None` for a dry run.
    pub id: Option<BankStatementId>,
    pub dry_run: bool,
    /// Whether everything in it is stored already. Then nothing is stored again.
    pub repeated: bool,
    pub account: String,
    pub currency: String,
    pub number: String,
    pub from: String,
    pub to: String,
    pub opening: Option<Money>,
    pub closing: Option<Money>,
    /// Whether the file has no balances, so that nothing proves that its lines are complete.
    pub unproven: bool,
    /// The number of lines in the file, and of those already known from another
    /// statement.
    pub lines: usize,
    pub known: usize,
    /// Entries that move nothing or are not booked.
    pub left_out: u64,
    /// Columns of a table that are ignored.
    pub passed_over: Vec<String>,
    /// Lines with a certain match, which wait for a second person.
    pub matched: usize,
    pub differences: usize,
    pub suggestions: usize,
    pub unknown: usize,
    /// Documents that the bank should have shown by the statement's end.
    pub missing: usize,
    /// The gaps between the account's statements, including this one.
    pub gaps: Vec<GapView>,
    /// The first lines and documents without a match.
    pub leftovers: Vec<Leftover>,
}

/// The most leftovers listed; `open` lists all of them.
const SHOWN: usize = 200;

/// Stores the statements of a file and proposes the certain matches; nothing is booked. With `dry_run`
/// nothing is stored.
///
/// # Errors
/// `not_permitted`; `statement_imported` if the file, or all that each of its statements says, was imported
/// before; `bank_day_differs` and `bank_balance_differs` if it contradicts what is stored; `bank_place_unclear`
/// if a person must say how many of its lines are known, and `bank_place_open` where that does not help.
pub async fn import(app: &App, by: &Staff, file: BankFile, dry_run: bool) -> Result<Vec<ImportedStatement>, Error> {
    by.may(Permission::Money)?;
    let (by, now, vault) = (by.clone(), app.now(), app.secrets.vault());
    app.db.write(spans::adopt).await?;
    if dry_run {
        return app.db.snapshot(move |conn| look_at(conn, &vault, &file, now)).await;
    }
    app.db.write(move |tx| keep(tx, &vault, &by, &file)).await
}

fn look_at(conn: &mut Conn, vault: &Vault, file: &BankFile, now: Timestamp) -> Result<Vec<ImportedStatement>, Error> {
    check_new(conn, &file.digest)?;
    let (mut before, mut shown) = (Vec::new(), Vec::new());
    for statement in &file.statements {
        let placed = match Found::of(conn, statement, file.known, &before)? {
            Found::New(placed) => placed,
            Found::Repeated(of, gaps) => {
                shown.push(Shown::Repeated(of, ImportedStatement::repeated(statement, None, gaps)));
                continue;
            }
        };
        let new: Vec<&Line> = placed.new.iter().collect();
        let compared = compare(conn, vault, &new, statement.to)?;
        let mut one = ImportedStatement::of(statement, &placed, &compared, now)?;
        returned::name(conn, vault, &mut one.leftovers)?;
        shown.push(Shown::New(one));
        before.push((placed.place.extent, statement));
    }
    unless_all_repeated(shown)
}

fn keep(tx: &mut Tx<'_>, vault: &Vault, by: &Staff, file: &BankFile) -> Result<Vec<ImportedStatement>, Error> {
    spans::lock(tx)?;
    by.still_may(tx, Permission::Money)?;
    check_new(tx, &file.digest)?;
    let (mut kept, mut shown) = (0usize, Vec::new());
    for statement in &file.statements {
        let one = match Found::of(tx, statement, file.known, &[])? {
            Found::New(placed) => {
                let digest = digest_of_part(&file.digest, kept);
                kept = kept.saturating_add(1);
                Shown::New(keep_one(tx, vault, by, statement, placed, &digest, file.known)?)
            }
            Found::Repeated(of, gaps) => {
                let repeated = ImportedStatement::repeated(statement, of, gaps);
                Shown::Repeated(of, ImportedStatement { dry_run: false, ..repeated })
            }
        };
        shown.push(one);
    }
    unless_all_repeated(shown)
}

/// The digest of one of the file's statements. The first has the file's digest; for the others, it also covers their
/// number.
fn digest_of_part(digest: &[u8; 32], at: usize) -> [u8; 32] {
    if at == 0 { *digest } else { bank::digest_of(digest, &at.to_string()) }
}

/// What staff are shown of a statement in a file: what was stored, or which other statement already has everything in
/// it.
enum Shown {
    New(ImportedStatement),
    Repeated(Option<BankStatementId>, ImportedStatement),
}

/// # Errors
/// `statement_imported` if no statement says anything new.
fn unless_all_repeated(shown: Vec<Shown>) -> Result<Vec<ImportedStatement>, Error> {
    let is_new = |one: &Shown| matches!(one, Shown::New(_));
    if let (Some(Shown::Repeated(statement, _)), false) = (shown.first(), shown.iter().any(is_new)) {
        return Err(Refusal::StatementImported { statement: *statement }.into());
    }
    let view = |one| match one {
        Shown::New(view) | Shown::Repeated(_, view) => view,
    };
    Ok(shown.into_iter().map(view).collect())
}

fn check_new(conn: &mut Conn, digest: &[u8; 32]) -> Result<(), Error> {
    match rows::find_by_digest(conn, digest)? {
        Some(id) => Err(Refusal::StatementImported { statement: Some(id) }.into()),
        None => Ok(()),
    }
}

fn keep_one(
    tx: &mut Tx<'_>,
    vault: &Vault,
    by: &Staff,
    statement: &Statement,
    mut placed: PlacedStatement,
    digest: &[u8; 32],
    known: Option<usize>,
) -> Result<ImportedStatement, Error> {
    let id = rows::insert(tx, statement, digest, by.id()).map_err(|error| {
        // Somebody else imported the same file at the same time.
        if error.is_unique_violation() {
            Refusal::StatementImported { statement: None }.into()
        } else {
            Error::Store(error)
        }
    })?;
    placed.own_keys(tx, &statement.account, id)?;
    let new: Vec<&Line> = placed.new.iter().collect();
    let written = rows::insert_lines(tx, id, &statement.account, &new)?;
    spans::insert(tx, &statement.account, id, &placed.place)?;
    let compared = compare(tx, vault, &new, statement.to)?;
    let rows_of_new: Vec<BankLineId> = new
        .iter()
        .map(|line| written.get(&line.id).copied().ok_or_else(|| not_written(line)))
        .collect::<Result<_, _>>()?;
    let proposals: Vec<_> = certain(rows_of_new.into_iter(), &compared.findings).collect();
    matches::propose(tx, &proposals, by.reason(), by.id())?;
    let mut shown = ImportedStatement::of(statement, &placed, &compared, tx.now())?.kept(id, &written);
    returned::name(tx, vault, &mut shown.leftovers)?;
    let details = json!({
        "account": statement.account,
        "from": shown.from,
        "to": shown.to,
        "lines": new.len(),
        "known": shown.known,
        "told": known,
        "matched": shown.matched,
    });
    by.record(tx, "bank.import", format!("bank_statement:{id}"), &details)?;
    Ok(shown)
}

fn not_written(line: &Line) -> Error {
    Error::Internal(format!("the bank's line {} was not kept", line.id))
}

/// A statement, with its position among those of its account.
struct PlacedStatement {
    place: Place,
    new: Vec<Line>,
    gaps: Vec<GapView>,
}

/// How a statement relates to those that are stored.
enum Found {
    New(PlacedStatement),
    /// Everything in it is stored already, in this statement; with the gaps between the statements of its account.
    Repeated(Option<BankStatementId>, Vec<GapView>),
}

impl Found {
    /// `before` are statements of the same file that are not stored yet.
    fn of(
        conn: &mut Conn,
        statement: &Statement,
        known: Option<usize>,
        before: &[(Extent, &Statement)],
    ) -> Result<Self, Error> {
        let stored = Spans::of(conn, &statement.account)?;
        let mut touching = stored.touching(conn, statement)?;
        touching.extend((1..).zip(before).filter_map(|(n, before)| unstored(-n, before, statement)));
        let extents = |joined: &[i64]| {
            let mut extents = stored.extents(joined);
            extents.extend(before.iter().map(|(extent, _)| *extent));
            extents
        };
        let missing = |extents: &[Extent]| gaps(extents).iter().map(GapView::from).collect::<Vec<_>>();
        let place = match place(statement, &touching, known) {
            Ok(place) => place,
            Err(Misplaced::Known { span }) => {
                let by = span.and_then(|span| stored.statement(span));
                return Ok(Self::Repeated(by, missing(&extents(&[]))));
            }
            Err(misplaced) => return Err(refusal(misplaced)),
        };
        let new = place.new.iter().filter_map(|at| statement.lines.get(*at)).cloned().collect();
        let mut extents = extents(&place.joined);
        extents.push(place.extent);
        let gaps = missing(&extents);
        Ok(Self::New(PlacedStatement { place, new, gaps }))
    }
}

impl PlacedStatement {
    /// Banks reuse references, so each new line gets a key of its own.
    fn own_keys(&mut self, conn: &mut Conn, account: &str, id: BankStatementId) -> Result<(), Error> {
        let taken = rows::find_taken_keys(conn, account, &self.new.iter().collect::<Vec<_>>())?;
        for line in self.new.iter_mut().filter(|line| taken.contains(&line.id)) {
            line.id = format!("{}~{id}", line.id);
        }
        Ok(())
    }
}

fn unstored(id: i64, (extent, of): &(Extent, &Statement), statement: &Statement) -> Option<Span> {
    let (from, to) = (statement.from, statement.to);
    let is_before = |line: &&Line| line.booked_on.max(of.from) < from;
    let before = Money::sum(of.lines.iter().filter(is_before).map(|line| line.amount)).ok()?;
    let lines = of.lines.iter().filter_map(|line| {
        let booked_on = day_within(line.booked_on, of.from, statement)?;
        Some(Stored { id, line: Line { booked_on, ..line.clone() }, numbered: !of.number.is_empty() })
    });
    let lines = lines.collect();
    (extent.from <= to && extent.to >= from).then_some(Span { id, extent: *extent, parts: Vec::new(), before, lines })
}

fn refusal(misplaced: Misplaced) -> Error {
    match misplaced {
        Misplaced::Known { .. } => Refusal::StatementImported { statement: None }.into(),
        Misplaced::Unclear { known } if known.is_empty() => Refusal::BankPlaceOpen.into(),
        Misplaced::Unclear { known } => Refusal::BankPlaceUnclear { known }.into(),
        Misplaced::OtherLines { day, stored, file } => {
            Refusal::BankDayDiffers { day: day.to_string(), stored, file }.into()
        }
        Misplaced::OtherBalance { day, stored, file } => {
            Refusal::BankBalanceDiffers { day: day.to_string(), stored, file }.into()
        }
        Misplaced::TooLarge => Refusal::AmountOutOfRange.into(),
    }
}

impl ImportedStatement {
    fn of(
        statement: &Statement,
        placed: &PlacedStatement,
        compared: &Comparison,
        now: Timestamp,
    ) -> Result<Self, Error> {
        let count = |wanted: fn(&Finding<_>) -> bool| compared.findings.lines.iter().filter(|f| wanted(f)).count();
        let missing = compared.missing(now)?;
        let mut leftovers = compared.leftovers(&placed.new.iter().collect::<Vec<_>>(), now);
        let of_documents = missing.len();
        leftovers.extend(missing);
        leftovers.truncate(SHOWN);
        Ok(Self {
            unproven: placed.place.extent.balances.is_none(),
            known: placed.place.known,
            matched: count(|f| matches!(f, Finding::Match(_))),
            differences: count(|f| matches!(f, Finding::Difference(_))),
            suggestions: count(|f| matches!(f, Finding::Suggestion(_))),
            unknown: count(|f| matches!(f, Finding::Unknown)),
            missing: of_documents,
            leftovers,
            ..Self::before_lines(statement, placed.gaps.clone())
        })
    }

    /// The result for a statement of which everything is stored already.
    fn repeated(statement: &Statement, by: Option<BankStatementId>, gaps: Vec<GapView>) -> Self {
        Self { id: by, repeated: true, known: statement.lines.len(), ..Self::before_lines(statement, gaps) }
    }

    /// What the statement says of itself, before its lines are compared.
    fn before_lines(statement: &Statement, gaps: Vec<GapView>) -> Self {
        Self {
            dry_run: true,
            account: statement.account.clone(),
            currency: statement.currency.clone(),
            number: statement.number.clone(),
            from: statement.from.to_string(),
            to: statement.to.to_string(),
            opening: statement.opening,
            closing: statement.closing,
            lines: statement.lines.len(),
            left_out: statement.left_out,
            passed_over: statement.passed_over.clone(),
            gaps,
            ..Self::default()
        }
    }

    /// The result once the lines are stored, with their numbers.
    fn kept(mut self, id: BankStatementId, written: &BTreeMap<String, BankLineId>) -> Self {
        self.id = Some(id);
        self.dry_run = false;
        for leftover in &mut self.leftovers {
            leftover.line = leftover.key.as_ref().and_then(|key| written.get(key)).copied();
        }
        self
    }
}
