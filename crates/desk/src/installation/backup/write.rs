//! Writing a backup.

use std::path::Path;

use archive::{Column, FORMAT, Head, TableLine, Writer};
use campaigns::delivery::archive::file_problem;
use foundation::{App, ProgressCallback};
use futures_util::TryStreamExt;
use objects::{Objects, Upload};
use store::Conn;
use store::installation::copy::{self, Table};
use store::installation::high_water;

use super::unfinished::UnfinishedBackup;
use super::{BackupError, aside};
use crate::installation::settings::Installation;

/// Rows in one part: a few megabytes at most.
const ROWS: u64 = 5_000;
const BYTES: usize = 4 * 1024 * 1024;

pub(super) async fn everything(
    app: &App,
    installation: &Installation,
    unfinished: &UnfinishedBackup,
    with_secrets: bool,
    told: &ProgressCallback,
) -> Result<(), BackupError> {
    let (file, mut head, told) = (unfinished.open()?, head(app).await?, told.clone());
    let sealer = app.secrets.sealer();
    let moment = u64::try_from(app.now().seconds()).unwrap_or_default();
    let told_rows = told.clone();
    let (mut writer, tables, ids, archives) = app
        .db
        .snapshot(move |conn| {
            copy::take_time(conn)?;
            head.mark = Some(high_water::read_mark(conn)?.sealed(&sealer));
            let mut writer = Writer::new(file, &head, moment)?;
            let tables = save_rows(conn, &mut writer, &told_rows)?;
            // Bytes are stored before their row and never removed, so those of all rows
            // in this snapshot exist.
            let (ids, archives) = (store::people::files::all_ids(conn)?, store::delivery::archive::all(conn)?);
            Ok::<_, BackupError>((writer, tables, ids, archives))
        })
        .await?;
    let (mut files, mut missing) = (0, Vec::new());
    for id in ids {
        match picture(app, &id).await? {
            Some(bytes) => writer = put(writer, format!("files/{id}"), bytes).await?,
            None => missing.push(id),
        }
        files += 1;
        told("saving pictures", files);
    }
    for archive in archives {
        let objects = foundation::people::files::storage(app)?;
        match file_problem(objects, &archive).await {
            Some(_) => missing.push(archive.file),
            None => writer = write_archives(objects, writer, &archive.file).await?,
        }
        files += 1;
        told("saving archived events", files);
    }
    if with_secrets {
        let text = read(&installation.secret_file)?;
        writer = put(writer, super::prove::SECRETS.to_owned(), text).await?;
    }
    let files = files - u64::try_from(missing.len()).unwrap_or_default();
    aside(move || Ok(writer.finish(tables, files, missing, with_secrets)?)).await
}

async fn head(app: &App) -> Result<Head, BackupError> {
    let database = if app.db.sqlite_path().is_some() { "sqlite" } else { "postgres" };
    Ok(Head {
        format: FORMAT,
        created_at: app.now().to_string(),
        program: env!("CARGO_PKG_VERSION").to_owned(),
        database: database.to_owned(),
        realm: app.realm().name().to_owned(),
        currency: app.settings.currency.code.clone(),
        migrations: app.db.read(copy::migrations).await?,
        secrets: app.secrets.fingerprint(),
        // Set from the snapshot of the rows.
        mark: None,
    })
}

fn save_rows(conn: &mut Conn, writer: &mut Writer, told: &ProgressCallback) -> Result<Vec<TableLine>, BackupError> {
    let (mut lines, mut before) = (Vec::new(), 0);
    for table in copy::catalog(conn)? {
        let rows = save_table(conn, writer, &table, &|rows| told("saving rows", before + rows))?;
        before += rows;
        lines.push(line(table, rows));
    }
    Ok(lines)
}

fn save_table(conn: &mut Conn, writer: &mut Writer, table: &Table, told: &dyn Fn(u64)) -> Result<u64, BackupError> {
    let (mut rows, mut part, mut text) = (0_u64, 0_u64, String::new());
    let mut flush = |part: &mut u64, text: &mut String| {
        *part += 1;
        let written = writer.part(&format!("tables/{}/{part:06}.jsonl", table.name), text.as_bytes());
        text.clear();
        written
    };
    copy::read_rows(conn, table, |row| {
        text.push_str(&row);
        text.push('\n');
        rows += 1;
        if rows.is_multiple_of(ROWS) || text.len() >= BYTES {
            flush(&mut part, &mut text)?;
            told(rows);
        }
        Ok::<_, BackupError>(())
    })?;
    if !text.is_empty() {
        flush(&mut part, &mut text)?;
    }
    told(rows);
    Ok(rows)
}

fn line(table: Table, rows: u64) -> TableLine {
    let columns = table.columns.into_iter();
    let columns = columns.map(|column| Column { name: column.name, kind: column.kind.name().to_owned() }).collect();
    TableLine { name: table.name, columns, rows, last_id: table.last_id }
}

pub(super) async fn picture(app: &App, id: &str) -> Result<Option<Vec<u8>>, BackupError> {
    Ok(foundation::people::files::storage(app)?.whole(id).await?)
}

/// A file of archived events, in parts that are stored as they are when it is restored.
async fn write_archives(objects: &Objects, mut writer: Writer, name: &str) -> Result<Writer, BackupError> {
    let gone = || BackupError::Damaged(format!("{name} was removed meanwhile"));
    let mut bytes = objects.get(name).await?.ok_or_else(gone)?.bytes;
    let (mut part, mut number) = (Vec::new(), 0_u64);
    loop {
        let chunk = bytes.try_next().await?;
        let is_last = chunk.is_none();
        part.extend_from_slice(&chunk.unwrap_or_default());
        while part.len() >= Upload::PART || (is_last && !part.is_empty()) {
            let rest = part.split_off(part.len().min(Upload::PART));
            number += 1;
            writer = put(writer, format!("{name}/{number:06}"), std::mem::replace(&mut part, rest)).await?;
        }
        if is_last {
            return Ok(writer);
        }
    }
}

async fn put(mut writer: Writer, name: String, bytes: Vec<u8>) -> Result<Writer, BackupError> {
    aside(move || {
        writer.part(&name, &bytes)?;
        Ok(writer)
    })
    .await
}

fn read(path: &Path) -> Result<Vec<u8>, BackupError> {
    std::fs::read(path).map_err(|error| BackupError::File { path: path.to_owned(), problem: error.to_string() })
}
