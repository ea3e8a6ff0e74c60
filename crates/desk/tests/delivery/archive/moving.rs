//! Events of settled months are in files, and everything reads as before.

use campaigns::AdServer;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use base::{PlanId, Timestamp};
use campaigns::delivery::archive::{ArchiveError, ArchivedMonth, archive_month, archives, check_archives};
use campaigns::delivery::corrections::request_correction;
use campaigns::delivery::recompute::recompute;
use campaigns::delivery::replay::replay;
use campaigns::plans::plan_control::{PlanCommand, control};
use campaigns::plans::plan_events::{PlanEventKind, PlanEventQuery, list, show};
use campaigns::plans::plan_evidence;
use campaigns::plans::plan_views::PlanView;
use desk::requests::approve;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use foundation::ProgressCallback;
use foundation::staff::Staff;
use money::wallet::flow_list::{FlowQuery, FlowView, flow_list};
use objects::testing::FakeS3;
use objects::{ObjectLocation, Objects};
use serde_json::{Value, json};
use store::staff::audit;
use store::testing::TestDb;
use store::{Error as StoreError, PageRequest, on_both};
use tempfile::TempDir;

use crate::ai::{show as show_creatives, two_creatives};
use crate::intruder::keep;
use crate::support::{Market, market, second};

struct Storage(TempDir);

impl Storage {
    fn new() -> Self {
        Self(TempDir::new().expect("a folder"))
    }

    fn objects(&self) -> Objects {
        Objects::open(&ObjectLocation::Folder(self.0.path().to_owned())).expect("opens")
    }

    /// The files of archived events.
    fn files(&self) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(self.0.path().join("events")) else { return Vec::new() };
        entries.map(|entry| entry.expect("a file").path()).collect()
    }
}

async fn archive(app: &AdServer, by: &Staff, month: &str) -> Result<ArchivedMonth, ArchiveError> {
    let quiet: ProgressCallback = Arc::new(|_, _| ());
    archive_month(app, by, month.parse().expect("a month"), quiet).await
}

async fn refused(app: &AdServer, by: &Staff, month: &str) -> String {
    let error = archive(app, by, month).await.expect_err("refused");
    error.key().map_or_else(|| error.to_string(), |key| format!("{key}: {error}"))
}

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    n: i64,
}

/// Events in the database that were filed before a time.
async fn events_before(app: &AdServer, time: &str) -> i64 {
    let before = Timestamp::parse(time).expect("a time").millis();
    let sql = format!("SELECT COUNT(*) AS n FROM events WHERE filed_at < {before}");
    app.db
        .read(move |conn| Ok::<_, StoreError>(diesel::sql_query(sql).get_result::<Number>(conn)?.n))
        .await
        .expect("read")
}

fn id(plan: &PlanView) -> PlanId {
    plan.id
}

/// Everything that can be read about the events of plans, by the user and by staff.
async fn everything(app: &AdServer, market: &Market, plans: &[&PlanView]) -> Vec<Value> {
    let (mut all, user) = (Vec::new(), market.world.user);
    for plan in plans {
        for kind in PlanEventKind::ALL.iter().copied() {
            for (counted, limit) in [(None, 100), (None, 2), (Some(true), 2), (Some(false), 1)] {
                let mut page = PageRequest { before: None, limit };
                loop {
                    let query = PlanEventQuery { plan: id(plan), kind, counted, line: None, page };
                    let found = list(app, user, query).await.expect("events");
                    all.push(json!({ "events": found.items, "next": found.next }));
                    for event in found.items.iter().filter(|_| limit == 100) {
                        let number = event.id.parse().expect("a number");
                        let shown = show(app, user, id(plan), kind, number).await.expect("an event");
                        if let Some(bill) = &shown.bill {
                            let line = Some(bill.lines[0].id.parse().expect("a number"));
                            let of_line = PlanEventQuery { line, ..query };
                            all.push(json!(list(app, user, of_line).await.expect("events").items));
                        }
                        all.push(json!(shown));
                    }
                    page.before = found.next;
                    if page.before.is_none() {
                        break;
                    }
                }
            }
        }
        all.push(json!(plan_evidence::report(app, &plan.plan_no).await.expect("a report").delivery));
        for filtered in [None, Some(true), Some(false)] {
            let wanted = plan_evidence::EventFilter { kind: None, filtered };
            let mut page = PageRequest { before: None, limit: 3 };
            loop {
                let found = plan_evidence::events(app, &plan.plan_no, wanted, page).await.expect("events");
                all.push(json!({ "events": found.items, "next": found.next }));
                page.before = found.next;
                if page.before.is_none() {
                    break;
                }
            }
        }
    }
    all
}

/// A market whose files are in `storage`.
async fn stored(test: TestDb, storage: &Storage) -> Market {
    let mut market = market(test).await;
    market.world.app = market.world.app.clone().with_objects(storage.objects());
    market
}

/// Views, clicks, a conversion that counts, one that was taken back, and refused ones.
async fn visits(market: &Market, name: &str) {
    let first = market.visit().await;
    assert!(market.convert(&format!("{name}-1"), &first.click_id).await.accepted);
    let second = market.visit().await;
    assert!(market.convert(&format!("{name}-2"), &second.click_id).await.accepted);
    assert!(market.reverse(&format!("{name}-2")).await.accepted);
    let answer = market.serve().await.expect("a creative");
    market.see(&answer).await.expect("counts");
    market.look(&answer).await.expect("in view");
    assert!(market.see(&answer).await.is_err(), "a view twice");
    market.work().await;
}

async fn until(market: &Market, time: &str) {
    let until = Timestamp::parse(time).expect("a time");
    market.wait(until.seconds() - market.world.app.now().seconds());
    market.work().await;
}

async fn settle(market: &Market, plan: &PlanView) {
    control(&market.world.app, market.world.user, id(plan), PlanCommand::Stop).await.expect("stopped");
    market.wait(3 * 3_600);
    market.work().await;
    market.wait(3 * 86_400 + 60);
    market.work().await;
    assert_eq!(market.status(plan).await, "settled");
}

/// One plan that was settled in January, and one that ran over the end of it.
async fn two_months(market: &Market) -> [PlanView; 2] {
    let first = market.put("100.00").await;
    visits(market, "first").await;
    settle(market, &first).await;
    until(market, "2026-01-30T12:00:00Z").await;
    let over = market.put("100.00").await;
    visits(market, "january").await;
    until(market, "2026-02-01T06:00:00Z").await;
    visits(market, "february").await;
    [first, over]
}

on_both!(a_month_moves_into_a_file_and_everything_reads_as_before, |test| {
    let storage = Storage::new();
    let market = stored(test, &storage).await;
    let (app, bob) = (&market.world.app, &market.world.bob);
    let [first, over] = two_months(&market).await;

    // What is refused, and why.
    let said = refused(app, bob, "2026-01").await;
    assert!(said.starts_with("month_not_over: 2026-01 can be archived from 2026-02-03T00:00:00"), "{said}");
    until(&market, "2026-02-03T12:00:00Z").await;
    let open = format!("plans_open: plans with events in 2026-01 are not settled: {}", over.plan_no);
    assert_eq!(refused(app, bob, "2026-01").await, open);
    settle(&market, &over).await;
    assert_eq!(refused(app, bob, "2025-12").await, "no_events: there are no events in 2025-12");
    assert!(refused(app, &market.world.ann, "2026-01").await.contains("not_permitted"));
    assert!(refused(app, &market.world.carl, "2026-01").await.contains("not_permitted"));
    assert_eq!((storage.files().len(), archives(app).await.expect("listed").len()), (0, 0));

    market.check().await;
    let before = everything(app, &market, &[&first, &over]).await;
    assert!(before.len() > 80, "{}", before.len());
    let in_january = events_before(app, "2026-02-01T00:00:00Z").await;
    let of_both = events_before(app, "2027-01-01T00:00:00Z").await;
    let archived = archive(app, bob, "2026-01").await.expect("archived");
    assert_eq!((archived.month.as_str(), archived.events), ("2026-01", in_january));
    assert_eq!(events_before(app, "2026-02-01T00:00:00Z").await, 0);
    assert_eq!(events_before(app, "2027-01-01T00:00:00Z").await, of_both - in_january);
    assert!(of_both > in_january, "February is still in the database");

    let after = everything(app, &market, &[&first, &over]).await;
    assert_eq!(after, before);
    market.check().await;
    // Another process, with nothing in memory.
    let other = second(&market).with_objects(storage.objects());
    assert_eq!(everything(&other, &market, &[&first, &over]).await, before);
    let listed = check_archives(&other).await.expect("checked");
    assert_eq!((listed.len(), &listed[0].archived, &listed[0].problem), (1, &archived, &None));

    let again = refused(app, bob, "2026-01").await;
    assert_eq!(again, "month_archived: 2026-01 is archived already");
    let faults = app.db.read(|conn| audit::verify(conn, None, None)).await.expect("verified").faults;
    assert_eq!(faults, [""; 0]);

    until(&market, "2026-03-04T00:00:00Z").await;
    archive(app, bob, "2026-02").await.expect("archived");
    assert_eq!(events_before(app, "2027-01-01T00:00:00Z").await, 0);
    assert_eq!(everything(app, &market, &[&first, &over]).await, before, "a list goes on from month to month");
    market.check().await;
    // Ids go on.
    let next = market.put("100.00").await;
    market.visit().await;
    market.work().await;
    market.check().await;
    settle(&market, &next).await;
});

on_both!(archived_events_are_corrected_like_others_and_each_once, |test| {
    let storage = Storage::new();
    let market = stored(test, &storage).await;
    let (app, user) = (&market.world.app, market.world.user);
    let [first, over] = two_months(&market).await;
    settle(&market, &over).await;
    archive(app, &market.world.bob, "2026-01").await.expect("archived");
    let ask = async || {
        let file = "publisher = 1\nfrom = 2026-01-01\nuntil = 2026-12-31\nkind = \"impression\"";
        request_correction(app, &market.world.ann, toml::from_str(file).expect("a file")).await
    };
    // Three views of 5.00 each, in January, at the end of it, and in February.
    let asked = ask().await.expect("requested");
    assert_eq!(
        (&*asked.amount.to_string(), &asked.proposal.as_ref().expect("seen")["events"]["to"]),
        ("45.00", &json!(9))
    );
    approve(app, &market.world.bob, asked.id.into()).await.expect("approved");
    assert!(ask().await.expect_err("refused").to_string().contains("nothing_found"));
    let lines = flow_list(app, user, FlowQuery::default()).await.expect("a statement").lines.items;
    for (plan, number) in [(&first, 3), (&over, 6)] {
        let remark = |line: &&FlowView| line.reference.kind.name() == "delivery_refund";
        let mut found = 0;
        for line in lines.iter().filter(remark) {
            let query = PlanEventQuery {
                plan: id(plan),
                kind: PlanEventKind::Impression,
                counted: None,
                line: line.id.parse().ok(),
                page: PageRequest { before: None, limit: 10 },
            };
            // The other plan's line is not this one's.
            found += list(app, user, query).await.map_or(0, |page| page.items.len());
        }
        assert_eq!(found, number);
    }
    market.check().await;
});

on_both!(what_ends_in_between_is_finished_by_the_next_run, |test| {
    let storage = Storage::new();
    let market = stored(test, &storage).await;
    let (app, bob) = (&market.world.app, &market.world.bob);
    let [first, over] = two_months(&market).await;
    settle(&market, &over).await;
    let before = everything(app, &market, &[&first, &over]).await;
    // The file is stored, and the transaction is undone.
    archive(&app.rehearsing(), bob, "2026-01").await.expect("undone");
    assert_eq!((storage.files().len(), archives(app).await.expect("listed").len()), (1, 0));
    assert_eq!(everything(app, &market, &[&first, &over]).await, before);
    market.check().await;
    archive(app, bob, "2026-01").await.expect("archived");
    assert_eq!(storage.files().len(), 1, "the same file again");
    assert_eq!(everything(app, &market, &[&first, &over]).await, before);
    market.check().await;
});

on_both!(a_month_moves_into_a_bucket_and_everything_reads_as_before, |test| {
    let fake = FakeS3::start();
    let mut market = market(test).await;
    market.world.app = market.world.app.clone().with_objects(fake.open("s3://placard/files"));
    let (app, bob) = (&market.world.app, &market.world.bob);
    let [first, over] = two_months(&market).await;
    settle(&market, &over).await;
    let before = everything(app, &market, &[&first, &over]).await;
    archive(app, bob, "2026-01").await.expect("archived");
    assert_eq!(fake.seen().objects.len(), 1);
    assert_eq!(fake.seen().uploads.len(), 0, "all of its parts are in it");
    // Another process, with nothing in memory.
    let other = second(&market).with_objects(fake.open("s3://placard/files"));
    assert_eq!(everything(&other, &market, &[&first, &over]).await, before);
    market.check().await;

    let whole = fake.seen().objects.values().next().expect("the file").clone();
    for changed in [whole[..whole.len() - 1].to_vec(), [&whole[..10], &[whole[10] ^ 1], &whole[11..]].concat()] {
        fake.seen().objects.values_mut().for_each(|file| file.clone_from(&changed));
        let found =
            recompute(&second(&market).with_objects(fake.open("s3://placard/files"))).await.expect("recomputed");
        assert_eq!(found.archives[0].problem, "the file is not as it was written");
    }
    fake.seen().objects.clear();
    let found = recompute(&second(&market).with_objects(fake.open("s3://placard/files"))).await.expect("recomputed");
    assert_eq!((found.ok, found.archives[0].problem.as_str()), (false, "the file is missing"));
});

on_both!(a_changed_or_missing_file_is_found, |test| {
    let storage = Storage::new();
    let market = stored(test, &storage).await;
    let (app, bob) = (&market.world.app, &market.world.bob);
    let [first, over] = two_months(&market).await;
    settle(&market, &over).await;
    archive(app, bob, "2026-01").await.expect("archived");
    let file = storage.files().remove(0);
    let whole = fs::read(&file).expect("read");
    for place in [10, whole.len() / 2, whole.len() - 12] {
        let mut changed = whole.clone();
        changed[place] ^= 1;
        fs::write(&file, &changed).expect("written");
        let other = second(&market).with_objects(storage.objects());
        let query = PlanEventQuery {
            plan: id(&first),
            kind: PlanEventKind::Impression,
            counted: None,
            line: None,
            page: PageRequest::default(),
        };
        let told = list(&other, market.world.user, query).await.expect_err("damaged").to_string();
        assert!(told.contains("is not as it was written"), "{told}");
        let found = recompute(&other).await.expect("recomputed");
        assert!(!found.ok && found.differences.is_empty(), "{found:?}");
        assert_eq!(found.archives[0].problem, "the file is not as it was written");
        let listed = check_archives(&other).await.expect("checked");
        assert_eq!(listed[0].problem.as_deref(), Some("the file is not as it was written"));
    }
    fs::remove_file(&file).expect("removed");
    let other = second(&market).with_objects(storage.objects());
    let found = recompute(&other).await.expect("recomputed");
    assert_eq!((found.ok, found.archives[0].problem.as_str()), (false, "the file is missing"));
    fs::write(&file, &whole).expect("put back");
    assert!(recompute(&other).await.expect("recomputed").ok);

    // Somebody who edits the record is found by the audit, one who forgets plans by the recount.
    keep(app, &["UPDATE event_archives SET events = events - 1"]).await;
    let faults = app.db.read(|conn| audit::verify(conn, None, None)).await.expect("verified").faults;
    assert!(faults[0].starts_with("the archive of events of 202601 was edited"), "{faults:?}");
    keep(app, &["UPDATE event_archives SET events = events + 1"]).await;
    keep(app, &["DELETE FROM archived_plans"]).await;
    let found = recompute(&other).await.expect("recomputed");
    assert!(!found.ok && found.differences.iter().any(|wrong| wrong.figure == "impressions"), "{found:?}");
});

on_both!(only_events_in_a_file_can_be_removed, |test| {
    let storage = Storage::new();
    let market = stored(test, &storage).await;
    two_months(&market).await;
    let removed = market
        .world
        .app
        .db
        .write(|tx| diesel::sql_query("DELETE FROM events").execute(&mut **tx).map_err(StoreError::from));
    let refused = removed.await.expect_err("refused").to_string();
    assert!(refused.contains("are append-only"), "{refused}");
});

on_both!(choices_are_repeated_from_a_file, |test| {
    let storage = Storage::new();
    let mut market = two_creatives(test).await;
    market.world.app = market.world.app.clone().with_objects(storage.objects());
    let app = market.world.app.clone();
    let plan = market.put_learning("10.00").await;
    for _ in 0..6 {
        show_creatives(&market, &app, 20).await;
    }
    settle(&market, &plan).await;
    let before = replay(&app, &plan.plan_no).await.expect("repeated");
    assert!(before.ok && before.choices == 120, "{before:?}");
    until(&market, "2026-02-04T00:00:00Z").await;
    archive(&app, &market.world.bob, "2026-01").await.expect("archived");
    assert_eq!(replay(&app, &plan.plan_no).await.expect("repeated"), before);
    market.check().await;
});
