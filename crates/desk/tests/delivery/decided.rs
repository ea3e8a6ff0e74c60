//! Everything that decides who may do what and what is paid is compared with the sealed
//! audit log or the ledger: edits that bypass the program are found and named.

mod agreed_terms;
mod made;
mod planted;
mod reasons;
mod written_over;

use campaigns::AdServer;
use std::collections::BTreeMap;

use ::coupons::{Benefit, Definition, Kind, Validity};
use auth::Role;
use base::Money;
use foundation::staff::limits::set_limit;
use serde_json::json;
use sha2::{Digest, Sha256};
use store::installation::protected::{BY_AUDIT, BY_USERS};
use store::staff::audit;
use store::wallet::verify::laws;
use store::{Conn, Error, on_both};

use crate::intruder::{after, columns, keep, keys};
use crate::proof::{history, named};
use crate::publishers::bidding;

use made::coupons;
pub use made::more;
use reasons::{ELSEWHERE, FOLLOWS, NOT_VOUCHED_FOR, PARTS};

/// What finds an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    Audit,
    Ledger,
}

impl By {
    fn look(self, conn: &mut Conn) -> Result<Vec<String>, Error> {
        match self {
            Self::Audit => Ok(audit::verify(conn, None, None)?.faults),
            Self::Ledger => Ok(laws(conn)?.faults),
        }
    }
}

pub fn faults(conn: &mut Conn) -> Result<Vec<String>, Error> {
    Ok([By::Audit.look(conn)?, By::Ledger.look(conn)?].concat())
}

/// Its key, the name of a row, and its columns.
type Vouched = (&'static str, &'static str, Vec<(&'static str, By)>);

/// Every table with its key, the name of a row, and the protected columns.
fn tables() -> BTreeMap<&'static str, Vouched> {
    let staff = BY_AUDIT.iter().map(|protected| (protected, By::Audit));
    let users = BY_USERS.iter().map(|(_, protected)| (protected, By::Ledger));
    let mut all = BTreeMap::new();
    for (protected, by) in staff.chain(users) {
        let known = all.entry(protected.table).or_insert((protected.key, protected.name, Vec::new()));
        known.2.extend(protected.columns.iter().map(|column| (column.name(), by)));
    }
    for (table, key, name, columns, by) in PARTS {
        all.insert(*table, (*key, *name, columns.iter().map(|column| (*column, *by)).collect()));
    }
    for (table, columns) in FOLLOWS {
        if let Some((.., known)) = all.get_mut(table) {
            known.extend(columns.iter().map(|column| (*column, By::Ledger)));
        }
    }
    all
}

fn is_elsewhere(table: &str, column: &str) -> bool {
    ELSEWHERE.iter().any(|(of, columns, _)| *of == table && columns.contains(&column))
}

on_both!(whatever_decides_is_found_and_named_when_somebody_edits_it, |t| {
    let market = history(t).await;
    more(&market).await;
    bidding::ssp(&market).await;
    let app = &market.world.app;
    sound(app).await;
    for (table, (key, name, vouched)) in tables() {
        let rows = keys(app, table, key, key).await;
        assert!(!rows.is_empty(), "there is nothing in {table}");
        for (n, column) in columns(app, table).await.into_iter().enumerate() {
            let by = vouched.iter().find(|(vouched, _)| *vouched == column.name).map(|(_, by)| *by);
            if column.name == key && by.is_none() {
                continue;
            }
            assert!(
                by.is_some() != is_elsewhere(table, &column.name),
                "{table}.{}: is it vouched for, or why need it not be?",
                column.name
            );
            let Some(by) = by else { continue };
            // A look takes longer than all the rest: one row that can be edited, and another in the next column.
            let mut tried = 0;
            for (row, _) in rows.iter().cycle().skip(n).take(rows.len()) {
                for edit in column.edits(table, key, *row) {
                    // What the database itself refuses cannot be edited this way.
                    let Ok(Some(found)) = after(app, &[&edit], move |conn| by.look(conn)).await else {
                        continue;
                    };
                    // A plan that was offered and never put has moved nothing.
                    if found.is_empty() && table == "plans" {
                        continue;
                    }
                    tried += 1;
                    assert!(named(&found, name, *row), "not found, or not named: {edit}\n{found:#?}");
                }
                if tried > 0 {
                    break;
                }
            }
            assert!(tried > 0, "{table}.{} was never edited", column.name);
        }
    }
    sound(app).await;
});

/// The tables of the schema, from the database itself.
async fn all_tables(app: &AdServer) -> Vec<String> {
    let read = app.db.read(|conn| {
        let tables = store::installation::copy::catalog(conn)?;
        Ok::<_, Error>(tables.into_iter().map(|table| table.name).collect())
    });
    read.await.expect("tables")
}

on_both!(every_table_is_vouched_for_or_says_why_not, |t| {
    let world = crate::money::world(t).await;
    let app = &world.app;
    let vouched = tables();
    let reasons: Vec<&str> = NOT_VOUCHED_FOR.iter().flat_map(|(tables, _)| tables.iter().copied()).collect();
    for table in all_tables(app).await {
        let table = table.as_str();
        assert!(
            vouched.contains_key(table) != reasons.contains(&table),
            "{table}: is it vouched for, or what could somebody gain by an edit?"
        );
    }
});

// Its reference could be credited a second time.
on_both!(a_reference_that_nobody_has_is_found, |t| {
    let market = history(t).await;
    let app = &market.world.app;
    for edit in ["DELETE FROM payment_references", "UPDATE payment_references SET holder = 999"] {
        let found = after(app, &[edit], faults).await.expect("walked").expect("there are references");
        assert!(found.iter().any(|fault| fault.starts_with("the reference of ")), "{edit}: {found:#?}");
    }
});

// It would keep its money, or never settle.
on_both!(a_plan_that_never_ends_is_found, |t| {
    let market = history(t).await;
    let app = &market.world.app;
    let year = 365 * 86_400_000_i64;
    let mut tried = Vec::new();
    for column in ["due_at", "next_at", "settles_at"] {
        let edit = format!("UPDATE plans SET {column} = {column} + {year} WHERE {column} IS NOT NULL");
        if let Some(found) = after(app, &[&edit], faults).await.expect("walked") {
            assert!(found.iter().any(|fault| fault.starts_with("plan ")), "{column}: {found:#?}");
            tried.push(column);
        }
    }
    assert!(tried.contains(&"next_at"), "{tried:?}");
    let open = "UPDATE plans SET next_at = NULL WHERE next_at IS NOT NULL";
    let found = after(app, &[open], faults).await.expect("walked").expect("a plan that goes on");
    assert!(found.iter().any(|fault| fault.contains("next step")), "{found:#?}");
});

pub async fn sound(app: &AdServer) {
    let found = app.db.snapshot(faults).await.expect("walked");
    assert!(found.is_empty(), "{found:#?}");
}

on_both!(rows_put_in_or_taken_away_and_older_ones_are_found, |t| {
    let market = history(t).await;
    let app = &market.world.app;
    set_limit(app, &market.world.bob, Role::Finance, "40000.00", "200000.00").await.expect("set");
    for (edit, name) in [
        // As it was before its last record.
        (
            "UPDATE role_limits SET at_once = 5000000, daily = 20000000 WHERE role = 2".to_owned(),
            "the limits of role 2",
        ),
        ("DELETE FROM role_limits WHERE role = 2".to_owned(), "the limits of role 2"),
        (
            "INSERT INTO operators (name, role, key_hash, created_at) SELECT 'eve', 3, hash, 0 FROM audit WHERE id = 1"
                .to_owned(),
            "operator ",
        ),
    ] {
        let found = after(app, &[&edit], |conn| Ok(audit::verify(conn, None, None)?.faults)).await.expect("walked");
        let found = found.expect("edited");
        assert!(found.iter().any(|fault| fault.starts_with(name)), "{edit}\n{found:#?}");
    }
    sound(app).await;
});

/// Turns the audit log into one of an older version.
fn of_version(app: &AdServer, version: i16) -> String {
    match app.db.sqlite_path() {
        // Undoing edits removes the trigger again.
        Some(_) => format!(
            "DROP TRIGGER audit_no_update; UPDATE audit SET version = {version}; \
             CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT 1; END"
        ),
        None => format!("UPDATE audit SET version = {version}"),
    }
}

// A log from before it named accounts and coupons: these are protected once, and what was
// named before is not protected again.
on_both!(accounts_and_coupons_that_were_there_before_are_vouched_for_once, |t| {
    let market = history(t).await;
    coupons(&market).await;
    let app = &market.world.app;
    keep(app, &[&of_version(app, 3)]).await;
    let nobody = || audit::Actor { id: None, name: "installation".into() };
    let named = app.db.write(move |tx| audit::baseline(tx, &nobody())).await.expect("vouched for");
    // Two coupons, a payout account, and all users.
    assert!(named >= 4, "{named}");
    assert_eq!(app.db.write(move |tx| audit::baseline(tx, &nobody())).await.expect("nothing"), 0);
    let wanted = audit::AuditFilter { action: Some("audit.baseline".into()), ..audit::AuditFilter::default() };
    let found = app.db.read(move |conn| audit::page(conn, &wanted, store::PageRequest::default())).await.expect("read");
    for row in ["users:1", "coupons:1", "coupons:2", "bank_cards:1", "operators:1", "products:1"] {
        let is_named = found.items[0].details.contains(&format!("\"{row}\":"));
        // What users see of products has been protected since a later version.
        assert_eq!(is_named, !row.starts_with("operators"), "{row}");
    }
});

// An installation from before the audit log named rows: existing rows are protected at
// the first start of a new version, and only then.
on_both!(what_was_there_before_is_vouched_for_once, |t| {
    let market = history(t).await;
    let app = &market.world.app;
    let nobody = || audit::Actor { id: None, name: "installation".into() };
    let baseline = || app.db.write(move |tx| audit::baseline(tx, &nobody()));
    assert_eq!(baseline().await.expect("nothing to do"), 0, "records name rows already");
    keep(app, &[&of_version(app, 2)]).await;
    assert!(baseline().await.expect("vouched for") > 5);
    assert_eq!(baseline().await.expect("nothing to do"), 0, "not a second time");
    let wanted = audit::AuditFilter { action: Some("audit.baseline".into()), ..audit::AuditFilter::default() };
    let found = app.db.read(move |conn| audit::page(conn, &wanted, store::PageRequest::default())).await.expect("read");
    assert_eq!(found.items.len(), 1);
    for row in ["operators:1", "operators:2", "role_limits:2", "products:1", "money_requests:1"] {
        let named = found.items[0].details.contains(&format!("\"{row}\":"));
        assert_eq!(named, row != "role_limits:2", "{row}: {}", found.items[0].details);
    }
});

/// The record of such a coupon before version 20 of the schema.
const FROM_BEFORE: &str = "1:3,1:2,-,4:1000,-,1:0,2:30,-,-,-,";

// A record from then has no quantity, and the coupon still matches it: none can be given
// until two people have agreed on one.
on_both!(a_coupon_from_before_there_were_numbers_is_as_its_record_left_it, |t| {
    let market = history(t).await;
    let (app, by) = (&market.world.app, market.world.bob.clone());
    let old = Definition {
        name: "Old".into(),
        kind: Kind::Deduction,
        benefit: Benefit::Deduction(Money::from_minor(1_000)),
        min_amount: Money::ZERO,
        validity: Validity::Days(30),
        operated_id: None,
        activity: None,
        quantity: 0,
    };
    let made = app.db.write(move |tx| {
        let id = store::offers::coupons::define(tx, &old)?.id;
        store::offers::coupons::redefine(tx, id, &old, false)?;
        by.record(tx, "coupon.define", format!("coupon_definition:{id}"), &json!({}))?;
        Ok::<_, foundation::Error>(id.0)
    });
    let id = made.await.expect("made");
    let wanted =
        audit::AuditFilter { subject: Some(format!("coupon_definition:{id}")), ..audit::AuditFilter::default() };
    let records =
        app.db.read(move |conn| audit::page(conn, &wanted, store::PageRequest::default())).await.expect("read");
    let digest = Sha256::digest(format!("placard row 1|coupon_definitions|{id}|{FROM_BEFORE}"));
    assert!(records.items[0].details.contains(&auth::hex::encode(&digest)), "{}", records.items[0].details);
    sound(app).await;
    for edit in ["quantity = 1", "draft = TRUE", "quantity = 9000000000000000000", "given = 1"] {
        let edit = format!("UPDATE coupon_definitions SET {edit} WHERE id = {id}");
        let found = after(app, &[&edit], faults).await.expect("walked").expect("edited");
        assert!(named(&found, "coupon definition", id), "{edit}: {found:#?}");
    }
});
