//! The public log, as anybody finds it.

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::{App, test};
use auth::Secrets;
use campaigns::AdServer;
use foundation::Settings;
use http_api::{Shell, TrustedProxies, configure};
use money::wallet::public_log::Sealer;
use objects::{ObjectLocation, Objects};
use proof::{Checkpoint, Note, NoteKey, hash, tile_hashes};
use store::on_both;
use store::testing::TestDb;
use tempfile::TempDir;

use crate::support::funded;

/// A server with a name and a storage.
fn named(test: &TestDb, folder: &TempDir) -> Shell {
    let settings = Settings { domain: Some("ads.example.com".parse().expect("a domain")), ..Settings::default() };
    let objects = Objects::open(&ObjectLocation::Folder(folder.path().to_owned())).expect("opens");
    let app = foundation::App::new(test.db.clone(), Secrets::new([1; 32], [2; 32], [3; 32]), settings);
    Shell::new(AdServer::new(app.with_objects(objects)), TrustedProxies::default())
}

struct Answer {
    status: StatusCode,
    kind: String,
    lasts: String,
    body: Vec<u8>,
}

async fn get(shell: &Shell, path: &str) -> Answer {
    let service = test::init_service(App::new().configure(configure(shell.clone()))).await;
    let response = test::call_service(&service, test::TestRequest::get().uri(path).to_request()).await;
    let header = |name| response.headers().get(name).map(|value| value.to_str().expect("text").to_owned());
    let (kind, lasts) = (header(CONTENT_TYPE).unwrap_or_default(), header(CACHE_CONTROL).unwrap_or_default());
    Answer { status: response.status(), kind, lasts, body: test::read_body(response).await.to_vec() }
}

on_both!(anybody_reads_checkpoint_key_and_tiles, |test| {
    funded(&test, "100.00").await;
    let folder = tempfile::tempdir().expect("a folder");
    let shell = named(&test, &folder);
    assert_eq!(get(&shell, "/log/checkpoint").await.status, StatusCode::NOT_FOUND);
    assert_eq!(get(&shell, "/log/key").await.status, StatusCode::NOT_FOUND);
    assert_eq!(get(&shell, "/log/state").await.body, br#"{"public_log":null}"#);
    Sealer::default().round(&shell.app).await.expect("sealed");

    let key = get(&shell, "/log/key").await;
    assert_eq!((key.status, key.kind.as_str()), (StatusCode::OK, "text/plain; charset=utf-8"));
    let key: NoteKey = String::from_utf8(key.body).expect("text").trim_end().parse().expect("a key");
    let found = get(&shell, "/log/checkpoint").await;
    assert_eq!((found.status, found.kind.as_str()), (StatusCode::OK, "text/plain; charset=utf-8"));
    assert_eq!(found.lasts, "public, max-age=2");
    let note = Note::parse(std::str::from_utf8(&found.body).expect("text")).expect("a note");
    let head = Checkpoint::open(&note, &key).expect("signed").head;
    let state = get(&shell, "/log/state").await;
    assert_eq!((state.status, state.lasts.as_str()), (StatusCode::OK, "public, max-age=2"));
    let state: serde_json::Value = serde_json::from_slice(&state.body).expect("JSON");
    let log = &state["public_log"];
    assert_eq!((log["size"].as_u64(), log["needed"].as_u64()), (Some(1), Some(0)));
    assert!(log["checkpoint_at"].is_string() && log["witnesses"].as_array().is_some_and(Vec::is_empty), "{state}");
    assert!(log["cosigned_at"].is_null() && log["missing_since"].is_null(), "{state}");
    // One transaction, so the leaf is the root.
    let tile = get(&shell, "/log/tile/0/000.p/1").await;
    assert_eq!((tile.status, tile.kind.as_str()), (StatusCode::OK, "application/octet-stream"));
    assert_eq!(tile.lasts, "public, max-age=31536000, immutable");
    assert_eq!((head.size, tile_hashes(&tile.body)), (1, Some(vec![head.root])));
    assert_ne!(head.root, hash::empty());
    for other in ["0/000", "0/000.p/2", "1/000.p/1", "0/0", "entries/000.p/1", "../checkpoint", "0/000.p/1/", "", "x"] {
        assert_eq!(get(&shell, &format!("/log/tile/{other}")).await.status, StatusCode::NOT_FOUND, "{other}");
    }
});
