//! The public log of the ledger, as C2SP tlog-tiles lays it out. It says nothing of anybody, and anybody may read it.

mod page;

use actix_web::http::header::{ACCEPT_LANGUAGE, CACHE_CONTROL, VARY};
use actix_web::{HttpRequest, HttpResponse, get, web};
use foundation::Realm;
use money::wallet::public_log::{self, FIRST, ListedKey, LogStateView, balances};
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
    let _turn = shell.log_turn().ok_or_else(Failure::busy)?;
    answer(public_log::checkpoint(&shell.app).await?, BRIEFLY, TEXT)
}

/// The public keys that checkpoints were signed with, the newest first, one a line after a line that begins with `#` and says
/// from when on it signs: C2SP signed-note.
#[utoipa::path(tag = "log", responses((status = 200, description = "The keys", body = String, content_type = "text/plain")))]
#[get("/log/key")]
pub async fn show_keys(shell: web::Data<Shell>) -> Result<HttpResponse, Failure> {
    let keys = public_log::keys(&shell.app).await?;
    let lines = keys.iter().map(|ListedKey { key, since, until }| match until {
        Some(until) => format!("# {since} to {until}\n{key}\n"),
        None => format!("# since {since}\n{key}\n"),
    });
    answer((!keys.is_empty()).then(|| lines.collect::<String>()), A_MINUTE, TEXT)
}

/// When the log was last published, and since when enough witnesses cosign it.
#[utoipa::path(tag = "log", responses((status = 200, body = LogStateView)))]
#[get("/log/state")]
pub async fn show_state(shell: web::Data<Shell>) -> Result<HttpResponse, Failure> {
    let _turn = shell.log_turn().ok_or_else(Failure::busy)?;
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, BRIEFLY)).json(public_log::state(&shell.app).await?))
}

/// The last checkpoint of the log before the present one.
#[utoipa::path(tag = "log", responses((status = 200, description = "The checkpoint", body = String, content_type = "text/plain")))]
#[get("/log/previous")]
pub async fn show_previous(shell: web::Data<Shell>) -> Result<HttpResponse, Failure> {
    let _turn = shell.log_turn().ok_or_else(Failure::busy)?;
    answer(public_log::previous(&shell.app).await?, BRIEFLY, TEXT)
}

/// The latest signed checkpoint of the log of this number: C2SP tlog-checkpoint.
#[utoipa::path(tag = "log", params(("number" = i16, Path, description = "1 for the first log; later ones have it in their name")),
    responses((status = 200, description = "The checkpoint", body = String, content_type = "text/plain")))]
#[get("/log/{number}/checkpoint")]
pub async fn show_checkpoint_of(shell: web::Data<Shell>, number: web::Path<i16>) -> Result<HttpResponse, Failure> {
    let _turn = shell.log_turn().ok_or_else(Failure::busy)?;
    answer(public_log::checkpoint_in(&shell.app, *number).await?, BRIEFLY, TEXT)
}

/// A tile of the log of this number: C2SP tlog-tiles.
#[utoipa::path(tag = "log", params(("number" = i16, Path, description = "1 for the first log; later ones have it in their name"),
    ("tile" = String, Path, description = "Level, number and width, such as `0/x001/234` and `0/x001/235.p/17`")),
    responses((status = 200, description = "Up to 256 hashes of 32 bytes", body = Vec<u8>, content_type = "application/octet-stream")))]
#[get("/log/{number}/tile/{tile:.*}")]
pub async fn show_tile_of(shell: web::Data<Shell>, path: web::Path<(i16, String)>) -> Result<HttpResponse, Failure> {
    let (number, tile) = path.into_inner();
    read_tile(&shell, number, &tile).await
}

/// A tile of the first log: C2SP tlog-tiles.
#[utoipa::path(tag = "log", params(("tile" = String, Path, description = "Level, number and width, such as `0/x001/234` and `0/x001/235.p/17`")),
    responses((status = 200, description = "Up to 256 hashes of 32 bytes", body = Vec<u8>, content_type = "application/octet-stream")))]
#[get("/log/tile/{tile:.*}")]
pub async fn show_tile(shell: web::Data<Shell>, tile: web::Path<String>) -> Result<HttpResponse, Failure> {
    read_tile(&shell, FIRST, &tile).await
}

async fn read_tile(shell: &Shell, log: i16, tile: &str) -> Result<HttpResponse, Failure> {
    let tile = Tile::parse(&format!("tile/{tile}")).ok_or_else(Failure::unknown_path)?;
    let _turn = shell.log_turn().ok_or_else(Failure::busy)?;
    answer(public_log::tile(&shell.app, log, tile).await?, FOREVER, BYTES)
}

/// The page of the log: its name, key and checkpoint, who cosigns it, and the sums of all money at the end of the last day.
#[utoipa::path(tag = "log", responses((status = 200, description = "The page", body = String, content_type = "text/html")))]
#[get("/log/")]
pub async fn show_log(shell: web::Data<Shell>, request: HttpRequest) -> Result<HttpResponse, Failure> {
    let app = &shell.app;
    let _turn = shell.log_turn().ok_or_else(Failure::busy)?;
    let note = public_log::checkpoint(app).await?.and_then(|bytes| String::from_utf8(bytes).ok());
    let note = note.and_then(|text| Note::parse(&text).ok());
    let checkpoint = note.and_then(|note| Checkpoint::parse(&note.text)).ok_or_else(Failure::unknown_path)?;
    let keys = public_log::keys(app).await?;
    let totals = match app.settings.log_totals_hidden {
        true => Totals::Hidden,
        false => balances::totals(app).await?.map_or(Totals::NoneYet, Totals::Of),
    };
    let state = public_log::state(app).await?.public_log;
    let said = LogPage {
        keys: &keys,
        state: state.as_ref(),
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

#[cfg(test)]
mod tests {
    use actix_web::http::StatusCode;
    use actix_web::{App, test};
    use auth::Secrets;
    use foundation::Settings;

    use crate::{Shell, TrustedProxies, configure};

    #[actix_web::test]
    async fn so_many_read_it_at_once_and_others_come_again() {
        let database = store::testing::sqlite();
        let secrets = Secrets::new([1; 32], [2; 32], [3; 32]);
        let app = foundation::App::new(database.db.clone(), secrets, Settings::default());
        let shell = Shell::new(campaigns::AdServer::new(app), TrustedProxies::default());
        let service = test::init_service(App::new().configure(configure(shell.clone()))).await;
        let turns: Vec<_> = std::iter::from_fn(|| shell.log_turn()).collect();
        assert_eq!(turns.len(), 32);
        let paths = ["checkpoint", "previous", "1/checkpoint", "tile/0/000.p/1", "1/tile/0/000.p/1"];
        for path in paths {
            let request = test::TestRequest::with_uri(&format!("/log/{path}")).to_request();
            let answer = test::call_service(&service, request).await;
            assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE, "{path}");
        }
        drop(turns);
        for path in paths {
            let request = test::TestRequest::with_uri(&format!("/log/{path}")).to_request();
            assert_eq!(test::call_service(&service, request).await.status(), StatusCode::NOT_FOUND, "{path}");
        }
    }
}
