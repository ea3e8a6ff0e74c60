//! Moves the events of a month into a file. The file is written, read back and compared first. Then one transaction
//! records it and deletes the rows. If the work is interrupted, the rows stay, and the next run writes the same file
//! again.

use std::fs::File;
use std::io::{BufWriter, Read, Seek};

use auth::Permission;
use base::{Period, PlanId, refuse_if};
use bytes::Bytes;
use calendar::{Month, Zone};
use delivery::{Device, EventKind, Reason};
use event_files::{Head, RowDigest, Seal, Writer};
use foundation::people::files::storage;
use foundation::staff::Staff;
use foundation::{App, Error, ProgressCallback};
use objects::{Objects, Upload};
use serde_json::json;
use store::delivery::archive::{self as rows, ArchivedPlan, EventArchive, StoredEvent};
use store::installation::copy::take_time;
use store::{Realm, Tx};

use super::checking::{compare_rows, file_problem};
use super::{ArchiveError, ArchivedMonth, Event};
use crate::AdServer;

const ARCHIVED: &str = "events.archive";
/// How long after a month's end an event may still be filed in it: the clocks of two servers may differ by a day, and
/// creatives are seen and clicked for an hour.
const FILED_LATE_SECONDS: i64 = 2 * 86_400;
const ROWS_AT_ONCE: i64 = 4_096;
/// The most plans that a refusal names.
const NAMED: i64 = 5;

/// Moves a month's events into a file. An admin must do it.
///
/// # Errors
/// `not_permitted`; a month that is not over or archived already, or has events of plans
/// that are not settled; a file that does not have what was written. Then nothing changed.
pub async fn archive_month(
    app: &AdServer,
    by: &Staff,
    month: Month,
    told: ProgressCallback,
) -> Result<ArchivedMonth, ArchiveError> {
    by.may(Permission::Operators)?;
    let objects = storage(app)?.clone();
    let filed = Zone::UTC.month_period(month);
    refuse(app, month, filed).await?;
    let written = write(app, month, filed, &told).await?;
    if written.parts.is_empty() {
        return Err(ArchiveError::NoEvents(month.to_string()));
    }
    let (archive, parts) = (written.record(app, by, month, filed)?, written.parts);
    told("storing the file", 0);
    store(&objects, written.file, &archive.file).await?;
    told("reading it back", 0);
    if let Some(found) = file_problem(&objects, &archive).await {
        return Err(ArchiveError::Differs(found.problem));
    }
    compare_rows(app, &archive).await.map_err(|error| ArchiveError::Differs(error.to_string()))?;
    told("removing rows", 0);
    let (by, record) = (by.clone(), archive.clone());
    app.db.write(move |tx| remove(tx, &by, month, &record, &parts)).await?;
    Ok((&archive).into())
}

/// Checks everything that can be refused before the work begins.
async fn refuse(app: &App, month: Month, filed: Period) -> Result<(), ArchiveError> {
    let from = filed.until.plus_seconds(FILED_LATE_SECONDS);
    if app.now() < from {
        return Err(ArchiveError::MonthNotOver { month: month.to_string(), from: from.to_string() });
    }
    app.db
        .snapshot(move |conn| {
            take_time(conn)?;
            if rows::find(conn, month.number())?.is_some() {
                return Err(ArchiveError::Archived(month.to_string()));
            }
            refuse_if(!rows::may_remove(conn)?, ArchiveError::OwnerNeeded)?;
            let open = rows::open_plans(conn, filed, NAMED)?;
            match open.is_empty() {
                true => Ok(()),
                false => Err(ArchiveError::PlansOpen { month: month.to_string(), plans: open.join(", ") }),
            }
        })
        .await
}

/// A finished file, not yet in the storage.
struct Written {
    file: File,
    seal: Seal,
    parts: Vec<ArchivedPlan>,
    rows: u64,
    rows_sha256: String,
}

impl Written {
    fn record(&self, app: &App, by: &Staff, month: Month, filed: Period) -> Result<EventArchive, Error> {
        let number = |number: u64| i64::try_from(number).map_err(|error| Error::Internal(error.to_string()));
        // The name contains the digest, so that no file ever replaces another one.
        let short = self.seal.sha256.get(..16).unwrap_or_default();
        Ok(EventArchive {
            month: month.number(),
            begins_at: filed.from,
            ends_at: filed.until,
            events: number(self.rows)?,
            first_id: self.parts.iter().map(|part| part.first_id).min().unwrap_or_default(),
            last_id: self.parts.iter().map(|part| part.last_id).max().unwrap_or_default(),
            file: format!("events/{month}-{short}.parquet"),
            bytes: number(self.seal.bytes)?,
            sha256: self.seal.sha256.clone(),
            footer_at: number(self.seal.footer_at)?,
            footer_sha256: self.seal.footer_sha256.clone(),
            rows_sha256: self.rows_sha256.clone(),
            archived_at: app.now(),
            archived_by: by.id(),
        })
    }
}

/// A file while it is written, with its totals so far.
struct Writing {
    writer: Writer<BufWriter<File>>,
    digest: RowDigest,
    parts: Vec<ArchivedPlan>,
    realm: Realm,
}

impl Writing {
    fn take(&mut self, stored: Vec<StoredEvent>) -> Result<(), ArchiveError> {
        for row in stored {
            if row.realm != self.realm.code() {
                return Err(ArchiveError::Differs(format!("event {} is of the other realm", row.id)));
            }
            let event = event(row)?;
            self.digest.take(&event);
            match self.parts.last_mut().filter(|part| part.plan == event.plan) {
                Some(part) => {
                    part.events += 1;
                    part.last_id = event.id;
                }
                None => {
                    self.parts.push(ArchivedPlan { plan: event.plan, events: 1, first_id: event.id, last_id: event.id })
                }
            }
            self.writer.push(event).map_err(unwritten)?;
        }
        Ok(())
    }

    fn finish(self) -> Result<Written, ArchiveError> {
        let (file, seal) = self.writer.finish().map_err(unwritten)?;
        let file = file.into_inner().map_err(|error| ArchiveError::File(error.into_error()))?;
        let (rows, rows_sha256) = self.digest.finish();
        Ok(Written { file, seal, parts: self.parts, rows, rows_sha256 })
    }
}

fn unwritten(error: event_files::Error) -> ArchiveError {
    match error {
        event_files::Error::Io(error) => ArchiveError::File(error),
        other => ArchiveError::Differs(other.to_string()),
    }
}

async fn write(app: &App, month: Month, filed: Period, told: &ProgressCallback) -> Result<Written, ArchiveError> {
    let head = Head { realm: app.realm().name().to_owned(), month: month.to_string() };
    let writer = Writer::new(BufWriter::new(tempfile::tempfile()?), &head).map_err(unwritten)?;
    let mut writing = Writing { writer, digest: RowDigest::default(), parts: Vec::new(), realm: app.realm() };
    let (mut after, mut rows) = ((PlanId(0), 0), 0);
    loop {
        let part = app.db.snapshot(move |conn| {
            take_time(conn)?;
            rows::events(conn, filed, after, ROWS_AT_ONCE)
        });
        let part = part.await?;
        let Some(last) = part.last() else { break };
        after = (last.plan_id, last.id);
        rows += u64::try_from(part.len()).unwrap_or_default();
        told("writing events", rows);
        writing = apart(move || {
            writing.take(part)?;
            Ok(writing)
        })
        .await?;
    }
    apart(move || writing.finish()).await
}

fn event(row: StoredEvent) -> Result<Event, ArchiveError> {
    let unknown =
        |what: &str| ArchiveError::Differs(format!("event {} has {what} that this program does not know", row.id));
    Ok(Event {
        plan: row.plan_id,
        id: row.id,
        kind: EventKind::try_from(row.kind).map_err(|_| unknown("a kind"))?,
        at: row.at,
        filed_at: row.filed_at,
        counted: row.valid,
        reason: match row.reason {
            0 => None,
            code => Some(Reason::try_from(code).map_err(|_| unknown("a reason"))?),
        },
        filter_version: row.filter_version,
        price_milli: row.price_milli,
        slot: row.slot_id,
        nonce: row.nonce.as_slice().try_into().map_err(|_| unknown("a nonce"))?,
        visitor: row.visitor.as_deref().map(|bytes| bytes.try_into().map_err(|_| unknown("a visitor"))).transpose()?,
        device: row.device.map(|code| Device::try_from(code).map_err(|_| unknown("a device"))).transpose()?,
        arm: row.arm,
        among: row.among,
        propensity: row.propensity,
        learned: row.learned,
        cleared_milli: row.cleared_milli,
        source: row.source.clone(),
    })
}

/// Uploads the file in parts. Only one part is in memory.
async fn store(objects: &Objects, mut file: File, name: &str) -> Result<(), ArchiveError> {
    file.rewind()?;
    let mut upload = objects.upload(name).await?;
    loop {
        let (back, part) = apart(move || {
            let mut part = Vec::new();
            let most = u64::try_from(Upload::PART).unwrap_or(u64::MAX);
            file.by_ref().take(most).read_to_end(&mut part)?;
            Ok((file, part))
        })
        .await?;
        file = back;
        if part.is_empty() {
            return Ok(upload.finish().await?);
        }
        if let Err(error) = upload.part(Bytes::from(part)).await {
            // If the parts cannot be removed, they do no harm.
            let _ = upload.abort().await;
            return Err(error.into());
        }
    }
}

/// Records the file and deletes the rows, in one transaction.
fn remove(
    tx: &mut Tx<'_>,
    by: &Staff,
    month: Month,
    archive: &EventArchive,
    parts: &[ArchivedPlan],
) -> Result<(), ArchiveError> {
    take_time(tx)?;
    by.still_may(tx, Permission::Operators)?;
    if rows::find(tx, archive.month)?.is_some() {
        return Err(ArchiveError::Archived(month.to_string()));
    }
    rows::insert(tx, archive, parts)?;
    match rows::count_unfinished(tx, archive.month)? {
        0 => {}
        number => return Err(ArchiveError::PlansOpen { month: month.to_string(), plans: format!("{number} of them") }),
    }
    let removed = rows::remove(tx, archive)?;
    if i64::try_from(removed) != Ok(archive.events) {
        return Err(ArchiveError::Differs(format!("the database has {removed} events, the file {}", archive.events)));
    }
    let details = json!({
        "file": archive.file, "events": archive.events, "bytes": archive.bytes, "sha256": archive.sha256,
    });
    Ok(by.record(tx, ARCHIVED, format!("events:{month}"), &details)?)
}

/// Runs work on files on a thread that may block.
async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ArchiveError> + Send + 'static,
) -> Result<T, ArchiveError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| Error::Internal(error.to_string()))?
}
