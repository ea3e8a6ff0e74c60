//! The public log of the ledger, as C2SP tlog-tiles lays it out. It says nothing of anybody, and anybody may read it.

mod page;

use actix_web::http::header::{ACCEPT_LANGUAGE, CACHE_CONTROL, VARY};
use actix_web::{HttpRequest, HttpResponse, get, web};
use foundation::Realm;
use money::wallet::public_log::{self, balances};
use proof::{Checkpoint, Note, Tile};

use crate::Shell;
use crate::edge::language;
use crate::failure::Failure;

use page::{LogPage, Totals, page};

/// It changes every few seconds while money moves.
const BRIEFLY: &str = "public, max-age=2";
const FOREVER: &str = "public, max-age=31536000, immutable";
const A_MINUTE: &str = "public, max-age=60";
const AN_HOUR: &str = "public, max-age=3600";
const TEXT: &str = "text/plain; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";
/// What is claimed, and how it is checked.
const PROOF: &str = include_str!("../../../../../docs/PROOF.md");
const BYTES: &str = "application/octet-stream";

fn answer(found: Option<impl Into<Vec<u8>>>, lasts: &str, kind: &str) -> Result<HttpResponse, Failure> {
    let Some(body) = found else { return Err(Failure::unknown_path()) };
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, lasts)).content_type(kind).body(body.into()))
}

/// The log's latest signed checkpoint: C2SP tlog-checkpoint.
#[utoipa::path(tag = "log", responses((status = 200, description = "The checkpoint", body = String, content_type = "text/plain")))]
#[get("/log/checkpoint")]
pub async fn show_checkpoint(shell: web::Data<Shell>) -> Result<HttpResponse, Failure> {
    answer(public_log::checkpoint(&shell.app).await?, BRIEFLY, TEXT)
}

/// The public key that checkpoints are signed with: C2SP signed-note.
#[utoipa::path(tag = "log", responses((status = 200, description = "The key", body = String, content_type = "text/plain")))]
#[get("/log/key")]
pub async fn show_key(shell: web::Data<Shell>) -> Result<HttpResponse, Failure> {
    answer(public_log::public_key(&shell.app).await?.map(|key| key + "\n"), AN_HOUR, TEXT)
}

/// A tile of the log: C2SP tlog-tiles.
#[utoipa::path(tag = "log", params(("tile" = String, Path, description = "Level, number and width, such as `0/x001/234` and `0/x001/235.p/17`")),
    responses((status = 200, description = "Up to 256 hashes of 32 bytes", body = Vec<u8>, content_type = "application/octet-stream")))]
#[get("/log/tile/{tile:.*}")]
pub async fn show_tile(shell: web::Data<Shell>, tile: web::Path<String>) -> Result<HttpResponse, Failure> {
    let tile = Tile::parse(&format!("tile/{tile}")).ok_or_else(Failure::unknown_path)?;
    answer(public_log::tile(&shell.app, tile).await?, FOREVER, BYTES)
}

/// The page of the log: its name, key and checkpoint, and the sums of all money at the end of the last day.
#[utoipa::path(tag = "log", responses((status = 200, description = "The page", body = String, content_type = "text/html")))]
#[get("/log/")]
pub async fn show_log(shell: web::Data<Shell>, request: HttpRequest) -> Result<HttpResponse, Failure> {
    let app = &shell.app;
    let (Some(keys), Some(checkpoint)) = (public_log::public_key(app).await?, public_log::checkpoint(app).await?)
    else {
        return Err(Failure::unknown_path());
    };
    let note = String::from_utf8(checkpoint).ok().and_then(|text| Note::parse(&text).ok());
    let Some(checkpoint) = note.and_then(|note| Checkpoint::parse(&note.text)) else {
        return Err(Failure::unknown_path());
    };
    let totals = match app.settings.log_totals_hidden {
        true => Totals::Hidden,
        false => balances::totals(app).await?.map_or(Totals::NoneYet, Totals::Of),
    };
    let said = LogPage {
        keys: &keys,
        is_simulated: app.realm() == Realm::Simulated,
        totals,
        currency: &app.settings.currency,
        checkpoint: &checkpoint,
    };
    let mut answer = answer(Some(page(language(&request), &said)), A_MINUTE, HTML)?;
    answer.headers_mut().insert(VARY, ACCEPT_LANGUAGE.into());
    Ok(answer)
}

/// What the log claims and how it is checked, for people and for whoever writes a verifier.
#[utoipa::path(tag = "log", responses((status = 200, description = "The description", body = String, content_type = "text/plain")))]
#[get("/log/PROOF.md")]
pub async fn show_description() -> Result<HttpResponse, Failure> {
    answer(Some(PROOF), AN_HOUR, TEXT)
}
