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
use proof::file::verify;
use proof::{Checkpoint, Note, NoteKey, hash, tile_hashes};
use store::on_both;
use store::testing::TestDb;
use tempfile::TempDir;

use crate::support::{download, funded, sign_in, why};

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
    Sealer::default().round(&shell.app).await.expect("sealed");

    let key = get(&shell, "/log/key").await;
    assert_eq!((key.status, key.kind.as_str()), (StatusCode::OK, "text/plain; charset=utf-8"));
    assert_eq!(key.lasts, "public, max-age=60");
    let listed = String::from_utf8(key.body).expect("text");
    let (since, key) = listed.trim_end().split_once('\n').expect("two lines");
    assert_eq!(since, format!("# since {}", shell.app.now()));
    let key: NoteKey = key.parse().expect("a key");
    let found = get(&shell, "/log/checkpoint").await;
    assert_eq!((found.status, found.kind.as_str()), (StatusCode::OK, "text/plain; charset=utf-8"));
    assert_eq!(found.lasts, "public, max-age=2");
    let note = Note::parse(std::str::from_utf8(&found.body).expect("text")).expect("a note");
    let head = Checkpoint::open(&note, &key).expect("signed").head;
    // One transaction, so the leaf is the root.
    let tile = get(&shell, "/log/tile/0/000.p/1").await;
    assert_eq!((tile.status, tile.kind.as_str()), (StatusCode::OK, "application/octet-stream"));
    assert_eq!(tile.lasts, "public, max-age=31536000, immutable");
    assert_eq!((head.size, tile_hashes(&tile.body)), (1, Some(vec![head.root])));
    assert_ne!(head.root, hash::empty());
    // Each log has an address of its own, and only one has begun.
    assert_eq!(get(&shell, "/log/1/checkpoint").await.body, found.body);
    let same = get(&shell, "/log/1/tile/0/000.p/1").await;
    assert_eq!((same.status, same.lasts, same.body), (tile.status, tile.lasts, tile.body));
    for none in ["previous", "2/checkpoint", "2/tile/0/000.p/1", "0/checkpoint", "-1/checkpoint", "x/checkpoint", "1"] {
        assert_eq!(get(&shell, &format!("/log/{none}")).await.status, StatusCode::NOT_FOUND, "{none}");
    }
    for other in ["0/000", "0/000.p/2", "1/000.p/1", "0/0", "entries/000.p/1", "../checkpoint", "0/000.p/1/", "", "x"] {
        assert_eq!(get(&shell, &format!("/log/tile/{other}")).await.status, StatusCode::NOT_FOUND, "{other}");
    }
});

on_both!(a_user_downloads_the_proof_of_a_month, |test| {
    let user = funded(&test, "100.00").await.user;
    let stranger = test.user("stranger").await;
    let folder = tempfile::tempdir().expect("a folder");
    let shell = named(&test, &folder);
    let (c, other) = (sign_in(&shell, user).await, sign_in(&shell, stranger).await);
    let path = "/api/transaction_flow/proof?month=2026-01";
    assert_eq!(why(&c.get(path).await), "405 no_public_log");
    Sealer::default().round(&shell.app).await.expect("sealed");
    let (kind, name, bytes) = download(&c, path).await;
    assert_eq!(
        (kind.as_str(), name.as_str()),
        ("text/plain; charset=utf-8", "attachment; filename=\"placard-proof-2026-01.txt\"")
    );
    let key = String::from_utf8(get(&shell, "/log/key").await.body).expect("text");
    let proved = verify(std::io::Cursor::new(&bytes), &key.parse().expect("keys")).expect("it holds");
    assert_eq!((proved.book.book, proved.book.transactions, proved.last), (user.0, 1, 1));
    assert_eq!(why(&other.get(path).await), "405 not_in_public_log");
    for (query, told) in [
        ("", "400 params month=required"),
        ("?month=2026-1", "400 params month=invalid"),
        ("?month=9999-01", "400 params month=in_the_future"),
        ("?month=2025-12", "405 not_in_public_log"),
    ] {
        let answer = c.get(&format!("/api/transaction_flow/proof{query}")).await;
        assert_eq!(why(&answer), told, "{query}");
    }
});
