//! Loads rows of old versions into a current database.

use base::{Clock, CouponDefinitionId, Timestamp, UserId};
use store::installation::copy::{self, CopyTarget, NotLoaded, Table};
use store::offers::coupons;
use store::testing::TestDb;
use store::{Db, Options, Realm, on_both};

fn wanted(url: &str, migrations: &[String], tables: Vec<Table>) -> CopyTarget {
    CopyTarget { url: url.to_owned(), realm: Realm::Simulated, migrations: migrations.to_vec(), tables }
}

on_both!(a_database_goes_back_to_take_rows_and_forward_again, |t| {
    let TestDb { url, .. } = &t;
    let known = copy::known_migrations().expect("known");
    let first = &known[..1];
    let folder = tempfile::tempdir().expect("a folder");
    let old = format!("sqlite://{}", folder.path().join("old.db").display());
    // A database of that version: its tables are read from it.
    copy::load(&wanted(&old, first, Vec::new()), |_| Ok::<_, NotLoaded>(())).expect("made");
    let tables = store::testing::catalog(&old);
    assert!(!tables.iter().any(|table| table.name == "files"), "files came later");
    let mut given = wanted(url, first, tables);
    let codes = given.tables.iter_mut().find(|table| table.name == "authorization_codes").expect("a table");
    codes.last_id = Some(41);
    let names: Vec<&str> = codes.columns.iter().map(|column| column.name.as_str()).collect();
    let row: Vec<serde_json::Value> = names
        .iter()
        .map(|name| match *name {
            "id" => 9.into(),
            "code" => "A-CODE \"of\" the past\n".into(),
            "issued_at" => 1_700_000_000_000_i64.into(),
            _ => serde_json::Value::Null,
        })
        .collect();
    let rows = serde_json::to_string(&[row]).expect("JSON");
    copy::load(&given, |loader| Ok::<_, NotLoaded>(loader.take("authorization_codes", &rows)?)).expect("loaded");
    let db = Db::open(&Options { url: url.clone(), realm: Realm::Simulated, clock: Clock::system() }).expect("opens");
    let had = db.read(copy::migrations).await.expect("read");
    assert_eq!(had, known, "the rest was run when it was opened");
    let now = db.read(copy::catalog).await.expect("read");
    let codes = now.iter().find(|table| table.name == "authorization_codes").expect("a table");
    assert_eq!(codes.last_id, Some(41), "ids go on above those given out");
});

on_both!(slots_that_named_one_publisher_belong_to_it, |t| {
    let known = copy::known_migrations().expect("known");
    let before = &known[..known.iter().position(|version| version.contains("28")).expect("the migration")];
    let folder = tempfile::tempdir().expect("a folder");
    let old = format!("sqlite://{}", folder.path().join("old.db").display());
    copy::load(&wanted(&old, before, Vec::new()), |_| Ok::<_, NotLoaded>(())).expect("made");
    let tables = store::testing::catalog(&old);
    let slots = tables.iter().find(|table| table.name == "slots").expect("a table").clone();
    let row = |(id, publisher): (i64, &str)| -> Vec<serde_json::Value> {
        let value = |name: &str| match name {
            "id" | "created_at" => id.into(),
            "key" => format!("slot-{id}").into(),
            "publisher" => publisher.into(),
            "active" => 1.into(),
            _ => "[]".into(),
        };
        slots.columns.iter().map(|column| value(&column.name)).collect()
    };
    let named = [(1, "The Daily"), (2, " the daily"), (3, ""), (4, "Weekly")].map(row);
    let rows = serde_json::to_string(&named).expect("JSON");
    copy::load(&wanted(&t.url, before, tables.clone()), |loader| Ok::<_, NotLoaded>(loader.take("slots", &rows)?))
        .expect("loaded");
    let db = Db::open(&Options { url: t.url.clone(), realm: Realm::Simulated, clock: Clock::system() }).expect("opens");
    let (slots, names) = db.snapshot(store::delivery::slot::all_with_publishers).await.expect("read");
    let owners: Vec<&str> = slots.iter().rev().map(|slot| names[&slot.publisher_id].as_str()).collect();
    assert_eq!(owners, ["The Daily", "The Daily", "Publisher of slot-3", "Weekly"]);
    let served = db.read(store::delivery::market::slots).await.expect("read");
    assert!(served.len() == 4 && served.iter().all(|slot| slot.row.active), "{served:?}");
    let ids: Vec<i64> = slots.iter().rev().map(|slot| slot.publisher_id.0).collect();
    assert_eq!(ids, [1, 1, 2, 3]);
});

on_both!(nothing_is_loaded_when_something_fails, |t| {
    let known = copy::known_migrations().expect("known");
    let tables = t.db.read(copy::catalog).await.expect("read");
    let given = wanted(&t.url, &known, tables.clone());
    let codes = tables.iter().find(|table| table.name == "authorization_codes").expect("a table");
    let row: Vec<serde_json::Value> = codes
        .columns
        .iter()
        .map(|column| match column.name.as_str() {
            "id" | "issued_at" => 9.into(),
            "code_hash" => "one".into(),
            "ending" => "".into(),
            _ => serde_json::Value::Null,
        })
        .collect();
    let once = serde_json::to_string(&[&row]).expect("JSON");
    let twice = serde_json::to_string(&[&row, &row]).expect("JSON");
    let failed = copy::load(&given, |loader| {
        loader.take("authorization_codes", &once)?;
        Ok::<_, NotLoaded>(loader.take("authorization_codes", &twice)?)
    });
    assert!(matches!(failed, Err(NotLoaded::Store(_))), "{failed:?}");
    let unknown = copy::load(&given, |loader| Ok::<_, NotLoaded>(loader.take("nonsense; DROP", &once)?));
    assert!(matches!(unknown, Err(NotLoaded::Store(store::Error::Corrupt(_)))), "{unknown:?}");
    let mut rows = 0;
    let codes = codes.clone();
    let counted = t.db.snapshot(move |conn| {
        copy::read_rows(conn, &codes, |_| {
            rows += 1;
            Ok::<_, store::Error>(())
        })?;
        Ok::<_, store::Error>(rows)
    });
    assert_eq!(counted.await.expect("read"), 0);
});

on_both!(what_this_program_does_not_know_is_refused, |t| {
    let mut newer = copy::known_migrations().expect("known");
    newer.push("99999999999999".to_owned());
    let refused = copy::load(&wanted(&t.url, &newer, Vec::new()), |_| Ok::<_, NotLoaded>(()));
    assert!(matches!(refused, Err(NotLoaded::Newer(_))), "{refused:?}");
    let known = copy::known_migrations().expect("known");
    let other = Table { name: "users".to_owned(), columns: Vec::new(), last_id: None };
    let refused = copy::load(&wanted(&t.url, &known, vec![other]), |_| Ok::<_, NotLoaded>(()));
    assert!(matches!(refused, Err(NotLoaded::OtherTable(_))), "{refused:?}");
    let live = CopyTarget { realm: Realm::Live, ..wanted(&t.url, &known, Vec::new()) };
    let refused = copy::load(&live, |_| Ok::<_, NotLoaded>(()));
    assert!(matches!(refused, Err(NotLoaded::OtherRealm("simulated"))), "{refused:?}");
});

/// Nothing checks here whether these users exist.
const GIVEN: &str = "INSERT INTO coupon_definitions (id, name, kind, effect, amount, min_amount, days, activity, created_at) \
     VALUES (7, 'Old', 3, 2, 1000, 0, 30, 'newcomer', 0), (8, 'Never given', 3, 2, 1000, 0, 30, NULL, 0); \
     INSERT INTO coupons (user_id, definition_id, received_at, expires_at) VALUES (1, 7, 0, 1), (2, 7, 0, 1)";

// One person had defined them, without a quantity.
on_both!(coupons_from_before_there_were_numbers_are_given_out_no_more, |t| {
    let known = copy::known_migrations().expect("known");
    let before = known.iter().position(|version| version == "00000000000020").expect("the migration");
    copy::load(&wanted(&t.url, &known[..before], Vec::new()), |_| Ok::<_, NotLoaded>(())).expect("as it was");
    let unchecked = match t.db.sqlite_path() {
        Some(_) => "PRAGMA foreign_keys = OFF",
        None => "SET session_replication_role = replica",
    };
    store::testing::execute(&t.url, &format!("{unchecked}; {GIVEN}")).expect("written");
    let options = Options { url: t.url.clone(), realm: Realm::Simulated, clock: Clock::system() };
    let db = Db::open(&options).expect("migrated");
    let find = |id| db.read(move |conn| coupons::find_definition(conn, CouponDefinitionId(id)));
    for (id, given) in [(7, 2), (8, 0)] {
        let old = find(id).await.expect("read").expect("there");
        assert_eq!((old.draft, old.definition.quantity, old.given, old.is_left()), (false, 0, given, false));
        let user = UserId(3);
        let more = db.write(move |tx| coupons::give(tx, user, &old, None, Timestamp::from_seconds(1)));
        assert_eq!(more.await.expect("asked"), None);
        assert_eq!(find(id).await.expect("read").expect("there").given, given);
    }
});
