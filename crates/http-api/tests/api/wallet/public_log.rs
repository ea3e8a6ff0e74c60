//! The public log, as anybody finds it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use actix_web::http::StatusCode;
use actix_web::http::header::{ACCEPT_LANGUAGE, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use actix_web::{App, test};
use auth::{Role, Secrets};
use bank::{DecimalMark, Form, digest_of, table};
use base::Clock;
use campaigns::AdServer;
use desk::requests::approve;
use foundation::staff::Staff;
use foundation::{Settings, Witnesses};
use http_api::{Shell, TrustedProxies, configure};
use i18n::{Lang, moment};
use money::wallet::public_log::{Sealer, WitnessAnswer, WitnessAnswering, WitnessClient, balances, request_log};
use money::wallet::reconcile::{BankFile, import};
use objects::{ObjectLocation, Objects};
use proof::file::verify;
use proof::{Checkpoint, Cosigner, Note, NoteKey, Witness, hash, tile_hashes};
use serde_json::json;
use store::on_both;
use store::testing::{TestDb, sqlite as a_file};
use tempfile::TempDir;

use crate::support::{PASSWORD, data, download, funded, sign_in, why};

/// A server with a name and a storage.
fn named(test: &TestDb, folder: &TempDir) -> Shell {
    with(test, folder, Settings::default())
}

fn with(test: &TestDb, folder: &TempDir, settings: Settings) -> Shell {
    let settings = Settings { domain: Some("ads.example.com".parse().expect("a domain")), ..settings };
    let objects = Objects::open(&ObjectLocation::Folder(folder.path().to_owned())).expect("opens");
    let app = foundation::App::new(test.db.clone(), Secrets::new([1; 32], [2; 32], [3; 32]), settings);
    Shell::new(AdServer::new(app.with_objects(objects)), TrustedProxies::default())
}

struct Answer {
    policy: String,
    status: StatusCode,
    kind: String,
    lasts: String,
    body: Vec<u8>,
}

async fn get(shell: &Shell, path: &str) -> Answer {
    get_in(shell, path, "en").await
}

async fn get_in(shell: &Shell, path: &str, language: &str) -> Answer {
    let service = test::init_service(App::new().configure(configure(shell.clone()))).await;
    let asked = test::TestRequest::get().uri(path).insert_header((ACCEPT_LANGUAGE, language)).to_request();
    let response = test::call_service(&service, asked).await;
    let header = |name| response.headers().get(name).map(|value| value.to_str().expect("text").to_owned());
    let (kind, lasts) = (header(CONTENT_TYPE).unwrap_or_default(), header(CACHE_CONTROL).unwrap_or_default());
    let policy = header(CONTENT_SECURITY_POLICY).unwrap_or_default();
    Answer { policy, status: response.status(), kind, lasts, body: test::read_body(response).await.to_vec() }
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

on_both!(the_last_checkpoint_of_the_log_before_stays_readable, |test| {
    let folder = tempfile::tempdir().expect("a folder");
    let lost = a_file();
    let c = funded(&lost, "500.00").await;
    data(c.post("/api/user/deposit/pay", json!({ "amount": "40", "password": PASSWORD })).await);
    let before = named(&lost, &folder);
    Sealer::default().round(&before.app).await.expect("sealed");
    let last = get(&before, "/log/checkpoint").await.body;
    // What was restored has less, so its log cannot go on.
    funded(&test, "100.00").await;
    let shell = named(&test, &folder);
    let mut sealer = Sealer::default();
    assert!(sealer.round(&shell.app).await.is_err(), "it is lost");
    let staff = async |name, role| Staff::new(test.operator(name, role).await, "a test").expect("a reason");
    let asked = request_log(&shell.app, &staff("zoe", Role::Admin).await).await.expect("requested");
    approve(&shell.app, &staff("yan", Role::Finance).await, asked.id.into()).await.expect("approved");
    sealer.round(&shell.app).await.expect("a new log");
    let found = get(&shell, "/log/previous").await;
    assert_eq!((found.status, found.kind.as_str()), (StatusCode::OK, "text/plain; charset=utf-8"));
    assert_eq!((found.lasts.as_str(), found.body.as_slice()), ("public, max-age=2", last.as_slice()));
    assert_eq!(get(&shell, "/log/1/checkpoint").await.body, last);
    let new = get(&shell, "/log/checkpoint").await.body;
    assert!(new != last && get(&shell, "/log/2/checkpoint").await.body == new);
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

on_both!(people_read_the_log_and_all_money_on_one_page, |test| {
    funded(&test, "1234.00").await;
    let folder = tempfile::tempdir().expect("a folder");
    let shell = named(&test, &folder);
    assert_eq!(get(&shell, "/log/").await.status, StatusCode::NOT_FOUND);
    let mut sealer = Sealer::default();
    sealer.round(&shell.app).await.expect("sealed");
    let text = async |shell: &Shell, language: &str| {
        let found = get_in(shell, "/log/", language).await;
        assert_eq!((found.status, found.kind.as_str()), (StatusCode::OK, "text/html; charset=utf-8"));
        assert_eq!(found.lasts, "public, max-age=60");
        assert!(found.policy.starts_with("default-src 'none'; style-src 'unsafe-inline';"), "{}", found.policy);
        String::from_utf8(found.body).expect("text")
    };
    let before = text(&shell, "en").await;
    assert!(before.contains("The first totals appear here") && !before.contains("1,234.00"), "{before}");
    assert!(balances::make(&shell.app).await.expect("made"));
    sealer.round(&shell.app).await.expect("sealed");
    let page = text(&shell, "en").await;
    let key = String::from_utf8(get(&shell, "/log/key").await.body).expect("text");
    for part in [
        "<html lang=\"en\">",
        "ads.example.com/placard-simulated",
        key.lines().last().expect("a key"),
        "All money at the end of Jan 4, 2026",
        "Users own $1,234.00. No bank statement",
        "Simulated: this installation",
        "<a href=\"/log/PROOF.md\">",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("<script") && !page.contains("server."), "{page}");
    let page = text(&shell, "de").await;
    assert!(page.contains("<html lang=\"de\">") && page.contains("Den Nutzern gehören 1.234,00\u{a0}$."), "{page}");

    // What the bank says in the installation's currency.
    let ann = Staff::new(test.operator("mia", Role::Finance).await, "a test").expect("a reason");
    let file = b"date,amount,currency\n2026-01-03,1300.00,USD\n";
    let form = Form {
        account: "DE02".into(),
        currency: "USD".into(),
        decimal: DecimalMark::Point,
        opening: Some("0.00".parse().expect("an amount")),
        closing: Some("1300.00".parse().expect("an amount")),
    };
    let file = BankFile::one(table(file, &form).expect("a statement"), digest_of(file, "DE02"));
    import(&shell.app, &ann, file, false).await.expect("imported");
    let page = text(&shell, "en").await;
    for part in ["Users own $1,234.00; the bank holds $1,300.00.", "In the bank, by its statement of Jan 3, 2026</dt>"]
    {
        assert!(page.contains(part), "{part}: {page}");
    }

    let hiding = with(&test, &folder, Settings { log_totals_hidden: true, ..Settings::default() });
    let page = text(&hiding, "en").await;
    assert!(page.contains("does not publish the totals") && !page.contains("1,234.00"), "{page}");
    let description = get(&shell, "/log/PROOF.md").await;
    assert!(String::from_utf8(description.body).expect("text").contains("What it does not prove"));
});

/// Witnesses in this process, by their addresses; those that are away do not answer.
struct Nearby {
    clock: Clock,
    all: Mutex<BTreeMap<String, Witness>>,
    away: Mutex<Vec<String>>,
}

fn cosigner(name: &str) -> Cosigner {
    let seed = [name.as_bytes()[1]; 32];
    Cosigner::new(&format!("witness.example/{name}"), &seed).expect("a cosigner")
}

fn address(name: &str) -> String {
    format!("http://127.0.0.1:7380/{name}/add-checkpoint")
}

impl Nearby {
    fn answer(&self, address: &str, body: &str) -> Result<WitnessAnswer, String> {
        if self.away.lock().expect("open").iter().any(|away| away == address) {
            return Err("it is away".into());
        }
        let mut all = self.all.lock().expect("open");
        let witness = all.get_mut(address).ok_or("nobody")?;
        let seconds = u64::try_from(self.clock.now().seconds()).expect("after 1970");
        let cosigned = witness.decide(body, seconds).map_err(|refused| refused.to_string())?;
        witness.keep(cosigned.origin, cosigned.head);
        Ok(WitnessAnswer { status: 200, content_type: None, body: format!("{}\n", cosigned.line) })
    }
}

impl WitnessClient for Nearby {
    fn post<'a>(&'a self, address: &'a str, body: String) -> WitnessAnswering<'a> {
        Box::pin(async move { self.answer(address, &body) })
    }
}

on_both!(the_page_names_the_witnesses_and_says_since_when_too_few_cosign, |test| {
    funded(&test, "100.00").await;
    let folder = tempfile::tempdir().expect("a folder");
    let shell = named(&test, &folder);
    Sealer::default().round(&shell.app).await.expect("sealed");
    let page = async |shell: &Shell, language: &str| {
        String::from_utf8(get_in(shell, "/log/", language).await.body).expect("text")
    };
    let alone = page(&shell, "en").await;
    let begun = moment(Lang::En, &shell.app.now().to_string());
    for part in [format!("<dt>Newest checkpoint</dt><dd>{begun}</dd>"), "No independent witness signs this log".into()]
    {
        assert!(alone.contains(&part), "{part}: {alone}");
    }
    assert!(!alone.contains("co-signed"), "{alone}");

    let names = ["w1", "w2", "w3"];
    let mut policy: String =
        names.map(|name| format!("witness {name} {} http://127.0.0.1:7380/{name}\n", cosigner(name).public())).concat();
    policy += "group all 2 w1 w2 w3\nquorum all\n";
    let witnesses = Witnesses::parse(&policy).expect("a policy");
    let shell = with(&test, &folder, Settings { witnesses, ..Settings::default() });
    let listed = String::from_utf8(get(&shell, "/log/key").await.body).expect("text");
    let log: NoteKey = listed.lines().last().expect("a key").parse().expect("a key");
    let all = names.map(|name| (address(name), Witness::new(cosigner(name), vec![log.clone()])));
    let client = Arc::new(Nearby {
        clock: test.clock.clone(),
        all: Mutex::new(all.into()),
        away: Mutex::new(vec![address("w3")]),
    });
    let mut sealer = Sealer::witnessed(client.clone());
    test.clock.advance_seconds(60);
    sealer.round(&shell.app).await.expect("cosigned");
    let enough = page(&shell, "en").await;
    let then = moment(Lang::En, &shell.app.now().to_string());
    for part in [
        "<h2>Witnesses, and when each last co-signed</h2><dl>".to_owned(),
        format!("<code>witness.example/w1</code></dt><dd>{then}</dd>"),
        format!("<code>witness.example/w2</code></dt><dd>{then}</dd>"),
        "<code>witness.example/w3</code></dt><dd>Never</dd>".into(),
        "<dt>Co-signatures needed</dt><dd>2</dd>".into(),
        format!("<dt>Newest checkpoint</dt><dd>{begun}</dd>"),
    ] {
        assert!(enough.contains(&part), "{part}: {enough}");
    }
    assert!(!enough.contains("Not co-signed since") && !enough.contains("No independent witness"), "{enough}");

    // A new checkpoint, which only one of them sees.
    client.away.lock().expect("open").push(address("w2"));
    test.clock.advance_seconds(120);
    assert!(balances::make(&shell.app).await.expect("made"));
    sealer.round(&shell.app).await.expect("published without them");
    let late = page(&shell, "en").await;
    let now = moment(Lang::En, &shell.app.now().to_string());
    assert!(then != now && begun != then);
    for part in [
        format!("<strong>Not co-signed since {now}</strong>"),
        format!("<code>witness.example/w1</code></dt><dd>{now}</dd>"),
        format!("<code>witness.example/w2</code></dt><dd>{then}</dd>"),
        format!("<dt>Newest checkpoint</dt><dd>{now}</dd>"),
    ] {
        assert!(late.contains(&part), "{part}: {late}");
    }
    let german = page(&shell, "de").await;
    assert!(german.contains("Nicht mitsigniert seit") && !german.contains("publicLog."), "{german}");
});
