//! The public log of the ledger, as C2SP tlog-tiles lays it out. It says nothing of anybody, and anybody may read it.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpResponse, get, web};
use money::wallet::public_log::{self, LogStateView};
use proof::Tile;

use crate::Shell;
use crate::failure::Failure;

/// It changes every few seconds while money moves.
const BRIEFLY: &str = "public, max-age=2";
const FOREVER: &str = "public, max-age=31536000, immutable";
const AN_HOUR: &str = "public, max-age=3600";
const TEXT: &str = "text/plain; charset=utf-8";
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

/// When the log was last published, and since when enough witnesses cosign it.
#[utoipa::path(tag = "log", responses((status = 200, body = LogStateView)))]
#[get("/log/state")]
pub async fn show_state(shell: web::Data<Shell>) -> Result<HttpResponse, Failure> {
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, BRIEFLY)).json(public_log::state(&shell.app).await?))
}

/// A tile of the log: C2SP tlog-tiles.
#[utoipa::path(tag = "log", params(("tile" = String, Path, description = "Level, number and width, such as `0/x001/234` and `0/x001/235.p/17`")),
    responses((status = 200, description = "Up to 256 hashes of 32 bytes", body = Vec<u8>, content_type = "application/octet-stream")))]
#[get("/log/tile/{tile:.*}")]
pub async fn show_tile(shell: web::Data<Shell>, tile: web::Path<String>) -> Result<HttpResponse, Failure> {
    let tile = Tile::parse(&format!("tile/{tile}")).ok_or_else(Failure::unknown_path)?;
    answer(public_log::tile(&shell.app, tile).await?, FOREVER, BYTES)
}
