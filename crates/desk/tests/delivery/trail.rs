//! Edits of the audit log that bypass the program are found and described.

use auth::{Sealer, Secrets};
use campaigns::AdServer;
use campaigns::delivery::publishers::{self, PublisherFile};
use foundation::staff::audit_log::{AuditFilter, audit_head, audit_lines, audit_record, verify_audit};
use money::wallet::verify::verify;
use store::staff::audit::{self, ChainReport};
use store::{Conn, Error, on_both};

use crate::intruder::{after, columns, keep, keys};
use crate::money::{World, why, world};
use crate::proof::named;

fn sealer() -> Sealer {
    Secrets::new([1; 32], [2; 32], [3; 32]).sealer()
}

fn check(conn: &mut Conn) -> Result<ChainReport, Error> {
    audit::verify(conn, Some(&sealer()), None)
}

async fn deeds(w: &World, names: impl IntoIterator<Item = usize>) {
    for n in names {
        let (name, domain) = (format!("Publisher {n}"), format!("p{n}.example"));
        let file = PublisherFile { name, domain, contact: "ads@p.example".into() };
        publishers::add(&w.app, &w.bob, file).await.expect("added");
    }
}

async fn found(app: &AdServer, edits: &[&str]) -> ChainReport {
    after(app, edits, check).await.expect("walked").expect("something was edited")
}

on_both!(whatever_somebody_edits_in_a_record_is_found_and_named, |t| {
    let w = world(t).await;
    deeds(&w, 1..=10).await;
    for column in columns(&w.app, "audit").await {
        let mut tried = 0;
        for (row, _) in keys(&w.app, "audit", "id", "id").await {
            for edit in column.edits("audit", "id", row) {
                let Ok(Some(told)) = after(&w.app, &[&edit], check).await else { continue };
                tried += 1;
                let near = told.broken_at.is_some_and(|at| (row - 1..=row + 1).contains(&at));
                let cut = row == 10 && column.name == "id";
                assert!(near || cut, "{edit}: {told:?}");
                assert!(named(&told.faults, "record", row) || column.name == "id", "{edit}: {told:?}");
            }
        }
        assert!(tried >= 10, "audit.{} was hardly edited", column.name);
    }
    for column in columns(&w.app, "audit_head").await {
        for edit in column.edits("audit_head", "id", 1) {
            let Ok(Some(told)) = after(&w.app, &[&edit], check).await else { continue };
            assert!(told.faults.len() == 1 && told.faults[0].contains("head was changed by hand"), "{edit}: {told:?}");
        }
    }
    assert!(verify_audit(&w.app, None).await.expect("checked").ok);
});

on_both!(it_is_told_what_was_done, |t| {
    let w = world(t).await;
    deeds(&w, 1..=10).await;
    let swap = |a: i64, b: i64| {
        let to = |from: i64, to: i64| format!("UPDATE audit SET id = {to} WHERE id = {from}");
        [to(a, -1), to(b, a), to(-1, b)]
    };
    let cases: Vec<(Vec<String>, &str, i64)> =
        vec![
        (vec!["UPDATE audit SET reason = 'another' WHERE id = 7".into()], "record 7 was edited", 7),
        (vec!["DELETE FROM audit WHERE id = 8".into()], "record 8 is missing: record 9 does not follow record 7", 8),
        (vec!["DELETE FROM audit WHERE id IN (3, 4, 5)".into()], "records 3 to 5 are missing", 3),
        (vec!["DELETE FROM audit WHERE id = 1".into()], "record 1 is missing", 1),
        (swap(4, 5).into(), "records 4 and 5 stand in each other's place", 4),
        (swap(2, 9).into(), "records 2 and 9 stand in each other's place", 2),
        (vec!["DELETE FROM audit WHERE id > 7".into()], "the last 3 records were cut off, up to record 10 of 2026", 8),
        (vec!["DELETE FROM audit".into()], "the last 10 records were cut off", 1),
        (vec!["DELETE FROM audit_head".into()], "the audit's head was removed", 10),
        (
            vec!["INSERT INTO audit (id, at, operator_id, operator_name, action, subject, details, reason, prev_hash, \
                  hash, version) SELECT 11, at, operator_id, operator_name, action, subject, details, reason, \
                  prev_hash, hash, version FROM audit WHERE id = 10".into()],
            "record 11 was edited",
            11,
        ),
    ];
    for (edits, told, at) in cases {
        let edits: Vec<&str> = edits.iter().map(String::as_str).collect();
        let verdict = found(&w.app, &edits).await;
        assert!(verdict.faults[0].contains(told), "{edits:?}: {verdict:?}");
        assert_eq!(verdict.broken_at, Some(at), "{edits:?}: {verdict:?}");
        assert!(verdict.faults.len() <= 2, "{edits:?}: {verdict:?}");
    }
    assert!(verify_audit(&w.app, None).await.expect("checked").ok);
});

on_both!(a_cut_shows_for_ever_whatever_is_written_after_it, |t| {
    let w = world(t).await;
    deeds(&w, 1..=6).await;
    let noted = audit_head(&w.app).await.expect("a head");
    assert_eq!((noted.records, noted.last.as_deref(), noted.sealed), (6, Some("6"), true));
    let checked = verify_audit(&w.app, Some(&noted.head)).await.expect("checked");
    assert!(checked.ok && checked.noted.as_deref() == Some("6"), "{checked:?}");
    assert_eq!(why(verify_audit(&w.app, Some("12")).await), "head=invalid");
    let other = verify_audit(&w.app, Some(&"ab".repeat(32))).await.expect("checked");
    assert!(!other.ok && other.faults[0].contains("no record has the hash that was noted"), "{other:?}");

    if w.app.db.sqlite_path().is_some() {
        keep(&w.app, &["DROP TRIGGER audit_no_delete"]).await;
    }
    keep(&w.app, &["DELETE FROM audit WHERE id > 4"]).await;
    deeds(&w, 7..=8).await;
    let told = verify_audit(&w.app, None).await.expect("checked");
    assert!(!told.ok && told.faults[0].contains("records 5 to 6 are missing"), "{told:?}");
    let told = verify_audit(&w.app, Some(&noted.head)).await.expect("checked");
    assert!(told.faults.iter().any(|fault| fault.contains("noted")), "{told:?}");
});

// Nothing needs to have been edited yet.
on_both!(a_trigger_that_is_gone_or_refuses_nothing_is_named, |t| {
    let w = world(t).await;
    let found = async || {
        let (ledger, audit) =
            (verify(&w.app).await.expect("verified"), verify_audit(&w.app, None).await.expect("checked"));
        let all = [ledger.faults, audit.faults].concat();
        assert_eq!(ledger.ok && audit.ok, all.is_empty(), "{all:?}");
        all
    };
    assert_eq!(found().await, Vec::<String>::new());
    let edits: &[(&str, &str)] = match w.app.db.sqlite_path() {
        Some(_) => &[
            ("DROP TRIGGER audit_no_update", "audit_no_update, which keeps audit append-only, is missing"),
            ("DROP TRIGGER events_no_delete", "events_no_delete, which keeps events append-only, is missing"),
            (
                "DROP TRIGGER entries_no_delete; \
                 CREATE TRIGGER entries_no_delete BEFORE DELETE ON entries BEGIN SELECT 1; END",
                "entries_no_delete, which keeps entries append-only, was changed or disabled",
            ),
            (
                "DROP TRIGGER transactions_no_update; \
                 CREATE TRIGGER transactions_no_update BEFORE UPDATE ON transactions WHEN 0 \
                 BEGIN SELECT RAISE(ABORT, 'transactions are append-only'); END",
                "transactions_no_update, which keeps transactions append-only, was changed or disabled",
            ),
            (
                "DROP TRIGGER staff_notes_no_change; \
                 CREATE TRIGGER staff_notes_no_change BEFORE UPDATE ON staff_notes WHEN OLD.withdrawn_at IS NOT NULL \
                 BEGIN SELECT RAISE(ABORT, 'staff_notes are append-only'); END",
                "staff_notes_no_change, which keeps staff_notes append-only, was changed or disabled",
            ),
            (
                "CREATE TRIGGER planted AFTER UPDATE ON operators BEGIN SELECT 1; END",
                "the trigger planted of operators was put in: no migration made it",
            ),
            (
                "ALTER TABLE coupons RENAME TO hidden; CREATE VIEW coupons AS SELECT * FROM hidden",
                "coupons is a view: somebody put it in the place of the table",
            ),
        ],
        None => &[
            ("DROP TRIGGER audit_no_change ON audit", "audit_no_change, which keeps audit append-only, is missing"),
            (
                "ALTER TABLE entries_rest DISABLE TRIGGER entries_no_change",
                "entries_no_change, which keeps entries_rest append-only, was changed or disabled",
            ),
            (
                "DROP TRIGGER transactions_no_change ON transactions; CREATE TRIGGER transactions_no_change \
                 BEFORE UPDATE ON transactions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()",
                "transactions_no_change, which keeps transactions append-only, was changed or disabled",
            ),
            (
                "DROP TRIGGER staff_notes_no_change ON staff_notes; CREATE TRIGGER staff_notes_no_change \
                 BEFORE UPDATE ON staff_notes FOR EACH ROW WHEN (OLD.withdrawn_at IS NOT NULL) \
                 EXECUTE FUNCTION refuse_change()",
                "staff_notes_no_change, which keeps staff_notes append-only, was changed or disabled",
            ),
            (
                "CREATE TABLE entries_2050_01 PARTITION OF entries FOR VALUES FROM (2524608000000) TO (2527286400000)",
                "entries_2050_01_no_truncate, which keeps entries_2050_01 append-only, is missing",
            ),
            (
                "CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$; \
                 CREATE TRIGGER planted BEFORE UPDATE ON operators FOR EACH ROW EXECUTE FUNCTION planted()",
                "the trigger planted of operators was put in: no migration made it",
            ),
            (
                "CREATE RULE planted AS ON UPDATE TO operators DO ALSO NOTHING",
                "the rule planted of operators was put in: no migration made it",
            ),
            (
                "CREATE POLICY planted ON operators USING (revoked_at IS NULL)",
                "the policy planted of operators was put in: no migration made it",
            ),
            (
                "CREATE OR REPLACE FUNCTION is_archived(moment BIGINT) RETURNS BOOLEAN LANGUAGE sql STABLE RETURN TRUE",
                "the function is_archived, which says what of events may be removed, was changed",
            ),
            (
                "CREATE FUNCTION create_partitions(moment BIGINT, months BIGINT) RETURNS INTEGER LANGUAGE sql RETURN 0",
                "the function create_partitions, with which the program makes tables, was changed",
            ),
            (
                "ALTER TABLE coupons RENAME TO hidden; CREATE VIEW coupons AS SELECT * FROM hidden",
                "coupons is a view: somebody put it in the place of the table",
            ),
            (
                "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql \
                 AS $$ BEGIN RETURN NEW; END $$",
                "events_no_delete, which keeps events append-only, was changed or disabled",
            ),
        ],
    };
    for (edit, told) in edits {
        let is_told = |found: &[String]| found.iter().any(|fault| fault.contains(told));
        assert!(!is_told(&found().await), "{told}");
        keep(&w.app, &[*edit]).await;
        let found = found().await;
        assert!(is_told(&found), "{edit}: {found:#?}");
    }
});

on_both!(a_head_written_by_hand_is_never_sealed_again, |t| {
    let w = world(t).await;
    deeds(&w, 1..=6).await;
    keep(&w.app, &["UPDATE audit_head SET last_at = last_at + 1"]).await;
    deeds(&w, 7..=8).await;
    let told = verify_audit(&w.app, None).await.expect("checked");
    assert!(!told.ok && told.faults[0].contains("head was changed by hand"), "{told:?}");
    assert!(!audit_head(&w.app).await.expect("a head").sealed);
});

/// The head after two records of the first version, whose hash leaves out the id.
const FIRST: &str = "7a0484e0a38d6875eac3ab758f3e847f2e6bd9d63bb65ae193e545c7b1e08a0a";
const SECOND: &str = "e69e276e4ac0c27d5bbbe62f06600fbc63acf143e8bb6b4f5402a28d3f21a3d0";

/// An old database, and what the migration makes of it.
fn of_before(bytes: impl Fn(&str) -> String) -> [String; 4] {
    let (none, zero) = (bytes(""), bytes(&"0".repeat(64)));
    let (first, second) = (bytes(FIRST), bytes(SECOND));
    let insert =
        "INSERT INTO audit (id, at, operator_id, operator_name, action, subject, details, reason, prev_hash, hash)";
    [
        format!(
            "{insert} VALUES (1, 1767614400000, NULL, 'installation', 'operator.add', 'operator:1', \
             '{{\"name\":\"ann\",\"role\":\"admin\"}}', 'the first operator', {zero}, {first})"
        ),
        format!(
            "{insert} VALUES (4, 1767614400500, 1, 'ann', 'account.status', 'user:7', \
             '{{\"from\":\"active\",\"to\":\"disabled\"}}', 'asked by \"the user\"', {first}, {second})"
        ),
        "DELETE FROM audit_head".to_owned(),
        format!(
            "INSERT INTO audit_head (id, records, last_id, last_at, hash, seal) \
             SELECT 1, COUNT(*), MAX(id), MAX(at), {second}, {none} FROM audit"
        ),
    ]
}

on_both!(records_of_before_go_on_being_verified, |t| {
    let w = world(t).await;
    let sqlite = w.app.db.sqlite_path().is_some();
    let old = of_before(|hex| if sqlite { format!("x'{hex}'") } else { format!("decode('{hex}', 'hex')") });
    keep(&w.app, &old.each_ref().map(String::as_str)).await;
    let told = verify_audit(&w.app, None).await.expect("checked");
    assert!(told.ok && told.rows == 2, "{told:?}");
    deeds(&w, 1..=2).await;
    let told = verify_audit(&w.app, None).await.expect("checked");
    assert!(told.ok && told.rows == 4, "{told:?}");
    assert!(audit_head(&w.app).await.expect("a head").sealed);
    let edited = found(&w.app, &["UPDATE audit SET reason = 'x' WHERE id = 4"]).await;
    assert_eq!(edited.broken_at, Some(4));
    let removed = found(&w.app, &["DELETE FROM audit WHERE id = 4"]).await;
    assert!(!removed.faults.is_empty(), "{removed:?}");
});

on_both!(records_are_found_by_who_what_and_when, |t| {
    let w = world(t).await;
    deeds(&w, 1..=2).await;
    w.test.clock.advance_seconds(86_400);
    w.recharge("5.00", "R-1").await;
    let list = async |wanted: AuditFilter| {
        let found = audit_lines(&w.app, wanted, store::PageRequest::default()).await.expect("a list");
        found.items.into_iter().map(|line| format!("{} {}", line.operator, line.action)).collect::<Vec<_>>()
    };
    let some = |text: &str| Some(text.to_owned());
    let all = list(AuditFilter::default()).await;
    assert_eq!(all.len(), 4);
    assert_eq!(list(AuditFilter { operator: some("ann"), ..AuditFilter::default() }).await, ["ann recharge.request"]);
    assert_eq!(list(AuditFilter { action: some("publisher.add"), ..AuditFilter::default() }).await.len(), 2);
    assert_eq!(
        list(AuditFilter { subject: some("publisher:2"), ..AuditFilter::default() }).await,
        ["bob publisher.add"]
    );
    let now = w.app.now();
    assert_eq!(list(AuditFilter { since: Some(now), ..AuditFilter::default() }).await.len(), 2);
    let both = AuditFilter { since: Some(now), operator: some("bob"), ..AuditFilter::default() };
    assert_eq!(list(both).await, ["bob recharge.approve"]);
    assert!(list(AuditFilter { since: Some(now.plus_days(1)), ..AuditFilter::default() }).await.is_empty());
    let shown = audit_record(&w.app, 2).await.expect("a record");
    assert!(shown.whole && shown.line.details["name"]["to"] == "Publisher 2", "{shown:?}");
    assert_eq!(shown.follows, audit_record(&w.app, 1).await.expect("the one before").hash);
    assert_eq!(why(audit_record(&w.app, 99).await), "not_found");
});
