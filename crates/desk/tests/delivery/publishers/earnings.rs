//! What publishers earn by plans' bills, slot by slot.

use base::PublisherId;
use campaigns::catalogue::products::{PutRuleFile, Targeting};
use campaigns::delivery::publishers;
use campaigns::delivery::recompute::recompute;
use campaigns::delivery::serve::{SlotAnswer, serve};
use campaigns::delivery::slots::{self, SlotFile};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use store::on_both;
use store::testing::TestDb;

use crate::intruder::{columns, keep};
use crate::support::{BASE, Market, market, market_with};

const BLOG: &str = "blog-side";

/// A second slot, of another publisher.
async fn blog(market: &Market) {
    let slot = SlotFile {
        key: BLOG.into(),
        publisher: "The Blog".into(),
        content_types: vec!["landing_page".into()],
        audience: Targeting { regions: vec!["DE".into()], ..Targeting::default() },
    };
    slots::add(&market.world.app, &market.world.bob, slot).await.expect("a slot");
}

async fn seen_in(market: &Market, slot: &str) {
    let answer: Option<SlotAnswer> =
        serve(&market.world.app, slot, None, BASE, i18n::Lang::En).await.expect("answered");
    market.see(&answer.expect("a creative")).await.expect("counts");
}

/// What each publisher has earned, by name.
async fn earned(market: &Market) -> Vec<String> {
    let all = publishers::list(&market.world.app).await.expect("listed");
    all.iter().rev().map(|of| format!("{} {}", of.publisher.name, of.unpaid)).collect()
}

pub async fn number(market: &Market, sql: &str) -> i64 {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = BigInt)]
        n: i64,
    }
    let sql = format!("SELECT CAST(COALESCE(({sql}), 0) AS BIGINT) AS n");
    let read =
        market.world.app.db.read(move |conn| Ok::<_, store::Error>(diesel::sql_query(sql).get_result::<Row>(conn)?));
    read.await.expect("read").n
}

/// A product at this price for a thousand impressions.
async fn at(price: &str, test: TestDb) -> Market {
    market_with(test, |product| product.put_rule = PutRuleFile { pricing: "cpm".into(), price: price.into(), days: 7 })
        .await
}

on_both!(every_publisher_earns_what_its_slots_delivered, |test| {
    let market = market(test).await;
    blog(&market).await;
    market.put("100.00").await;
    for slot in [crate::support::SLOT, BLOG, crate::support::SLOT] {
        seen_in(&market, slot).await;
    }
    market.work().await;
    // 5.00 an impression, of which 0.70 are the publisher's.
    assert_eq!(earned(&market).await, ["The Daily 7.00", "The Blog 3.50"]);
    let revenue = "SELECT SUM(amount) FROM entries WHERE account_kind = 403";
    assert_eq!(number(&market, revenue).await, 450);
    let payable = "SELECT COUNT(*) FROM entries WHERE account_kind = 404";
    assert_eq!(number(&market, payable).await, 0, "nothing goes to the account of all publishers");
    assert_eq!(number(&market, "SELECT SUM(amount) FROM entries").await, 0);
    market.check().await;
});

on_both!(small_bills_lose_nothing_to_rounding, |test| {
    let market = market_with(test, |product| {
        product.put_rule = PutRuleFile { pricing: "cpm".into(), price: "3.70".into(), days: 30 };
    })
    .await;
    blog(&market).await;
    let plan = market.put("100.00").await;
    for n in 0..23 {
        seen_in(&market, if n % 3 == 0 { BLOG } else { crate::support::SLOT }).await;
        market.close_day().await;
    }
    // 23 impressions at 0.37 of a minor unit: 8 of 8.51 are billed.
    assert_eq!(market.detail(&plan).await.plan.consumed.to_string(), "0.08");
    let bills = number(&market, "SELECT COUNT(*) FROM bills").await;
    assert_eq!(bills, 8, "one minor unit each");
    assert_eq!(number(&market, "SELECT SUM(billed) FROM plan_slots").await, 8);
    // Each bill's own share, rounded down, would be nothing.
    let due = number(&market, "SELECT SUM(billed * share_parts) FROM bill_parts").await;
    let booked = number(&market, "SELECT SUM(earned) FROM bill_parts").await;
    let carried = number(&market, "SELECT SUM(earned_carry) FROM plan_slots").await;
    assert_eq!((due, booked * 10_000 + carried), (56_000, 56_000));
    assert!(booked >= 4, "{booked}");
    market.check().await;
});

on_both!(a_share_counts_from_the_next_bill_on, |test| {
    let market = market(test).await;
    market.put("100.00").await;
    seen_in(&market, crate::support::SLOT).await;
    market.work().await;
    keep(&market.world.app, &["UPDATE publishers SET share_parts = 5000"]).await;
    seen_in(&market, crate::support::SLOT).await;
    market.work().await;
    assert_eq!(earned(&market).await, ["The Daily 6.00"]);
    assert_eq!(number(&market, "SELECT COUNT(DISTINCT share_parts) FROM bill_parts").await, 2);
    let counted = recompute(&market.world.app).await.expect("recomputed");
    assert!(counted.ok, "{counted:?}");
});

on_both!(what_does_not_count_is_kept_by_reason_and_day, |test| {
    let market = market(test).await;
    market.put("100.00").await;
    let answer = market.serve().await.expect("a creative");
    market.see(&answer).await.expect("counts");
    assert!(market.see(&answer).await.is_err(), "only once");
    market.work().await;
    assert_eq!(number(&market, "SELECT impressions FROM slot_days").await, 1);
    let twice = delivery::Reason::Duplicate.code();
    assert_eq!(number(&market, &format!("SELECT number FROM slot_day_filtered WHERE reason = {twice}")).await, 1);
    market.check().await;
});

on_both!(whatever_somebody_edits_in_a_slots_figures_is_found, |test| {
    let market = at("5000.37", test).await;
    blog(&market).await;
    market.put("100.00").await;
    for slot in [BLOG, crate::support::SLOT, BLOG, crate::support::SLOT, crate::support::SLOT] {
        seen_in(&market, slot).await;
        market.work().await;
    }
    let answer = market.serve().await.expect("a creative");
    market.see(&answer).await.expect("counts");
    assert!(market.see(&answer).await.is_err(), "only once");
    market.work().await;
    market.check().await;
    let app = &market.world.app;
    for table in ["plan_slots", "bill_parts", "slot_days", "slot_day_filtered"] {
        for column in columns(app, table).await {
            let name = &column.name;
            // Which publisher, day or reason it was is what statements show; what is paid is
            // held against the entries.
            if matches!((table, name.as_str()), ("slot_days" | "slot_day_filtered", "day" | "publisher_id" | "reason"))
            {
                continue;
            }
            let (wrong, right) = (
                format!("UPDATE {table} SET {name} = {name} + 1000"),
                format!("UPDATE {table} SET {name} = {name} - 1000"),
            );
            let done = app.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(&wrong)?)).await;
            if done.is_err() {
                continue;
            }
            let counted = recompute(app).await.expect("recomputed");
            assert!(!counted.ok, "{table}.{name}");
            keep(app, &[&right]).await;
        }
        assert!(recompute(app).await.expect("recomputed").ok, "{table}");
    }
    keep(app, &["DELETE FROM bill_parts"]).await;
    assert!(!recompute(app).await.expect("recomputed").ok);
});

// A plan from before there were parts of bills goes on: what it was not billed for yet is
// carried.
on_both!(plans_from_before_go_on, |test| {
    let market = at("3.70", test).await;
    let plan = market.put("100.00").await;
    for _ in 0..5 {
        seen_in(&market, crate::support::SLOT).await;
    }
    market.close_day().await;
    assert_eq!(market.detail(&plan).await.plan.consumed.to_string(), "0.01", "of 1.85");
    let folder = if market.world.app.db.sqlite_path().is_some() { "sqlite" } else { "postgres" };
    // Undone and done again, with what came later.
    let migrations =
        ["41_exchange_views", "40_won_offers", "32_ssps", "31_viewable_and_publisher_keys", "29_publisher_earnings"];
    let down = migrations.iter().map(|name| (name, "down"));
    for (name, step) in down.chain(migrations.iter().rev().map(|name| (name, "up"))) {
        let root = env!("CARGO_MANIFEST_DIR");
        let file = format!("{root}/../../migrations/{folder}/000000000000{name}/{step}.sql");
        let sql = std::fs::read_to_string(file).expect("a migration");
        let run = market.world.app.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(&sql)?));
        run.await.expect("migrated");
    }
    assert_eq!(number(&market, "SELECT cost_milli FROM plan_slots").await, 850);
    market.check().await;
    seen_in(&market, crate::support::SLOT).await;
    market.close_day().await;
    assert_eq!(market.detail(&plan).await.plan.consumed.to_string(), "0.02", "of 2.22");
    assert_eq!(number(&market, "SELECT billed FROM plan_slots").await, 1);
    market.check().await;
    let shown = publishers::show(&market.world.app, PublisherId(1)).await.expect("shown");
    assert_eq!(shown.publisher.share, "0.7");
});
