//! Edits of the ledger that bypass the program are found and named.

use campaigns::AdServer;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use base::{PlanId, WithdrawalId};
use campaigns::plans::plan_control::{PlanCommand, control, reject};
use diesel::prelude::*;
use foundation::people::pay_password::Proof;
use money::offers::vip;
use money::wallet::deposit::{MoveDeposit, pay_deposit};
use money::wallet::ledger_heads::{NotedHeads, ledger_heads};
use money::wallet::verify::verify_since;
use money::wallet::withdraw::{Withdraw, withdraw};
use money::wallet::withdrawals::{approve_withdrawal, pay_withdrawal, reject_withdrawal};
use store::on_both;
use store::testing::TestDb;
use store::wallet::verify::{LedgerFindings, laws};

use crate::intruder::{after, columns, keep, keys};
use crate::money::why;
use crate::support::{Market, market};

/// A ledger with every kind of movement that a user's plans and money bring.
pub async fn history(test: TestDb) -> Market {
    let market = market(test).await;
    let (app, world) = (&market.world.app, &market.world);
    let settled = market.put("20.00").await;
    let first = market.visit().await;
    assert!(market.convert("order-1", &first.click_id).await.accepted);
    let second = market.visit().await;
    assert!(market.convert("order-2", &second.click_id).await.accepted);
    assert!(market.reverse("order-2").await.accepted);
    market.visit().await;
    market.visit().await;
    market.work().await;
    market.wait(3 * 86_400 + 60);
    market.work().await;
    assert_eq!(market.status(&settled).await, "settled");
    let stopped = market.put("30.00").await;
    market.visit().await;
    let id: PlanId = stopped.id;
    control(app, world.user, id, PlanCommand::Stop).await.expect("stopped");
    market.work().await;
    let refused = market.put("40.00").await;
    reject(app, &world.bob, &refused.plan_no).await.expect("rejected");
    let running = market.put("50.00").await;
    market.visit().await;
    market.add(&running, "10.00").await.expect("added");
    market.work().await;
    for n in 1..=3 {
        withdraw(
            app,
            Proof::assumed(world.user),
            Withdraw { amount: format!("{n}.00").parse().expect("an amount"), key: None },
        )
        .await
        .expect("asked");
    }
    approve_withdrawal(app, &world.ann, WithdrawalId(1)).await.expect("approved");
    pay_withdrawal(app, &world.bob, WithdrawalId(1), Some("B-1".into())).await.expect("paid");
    reject_withdrawal(app, &world.ann, WithdrawalId(2)).await.expect("rejected");
    pay_deposit(app, Proof::assumed(world.user), MoveDeposit { amount: "5.00".parse().expect("an amount"), key: None })
        .await
        .expect("paid");
    vip::subscribe(app, Proof::assumed(world.user), None).await.expect("subscribed");
    market.check().await;
    market
}

async fn found(app: &AdServer, edits: &[&str]) -> LedgerFindings {
    after(app, edits, laws).await.expect("walked").expect("something was edited")
}

fn is_ok(laws: &LedgerFindings) -> bool {
    laws.faults.is_empty() && laws.chain_ok && laws.balances_ok && laws.sum.is_zero()
}

/// Whether a fault names this row, and not one with the same beginning.
pub fn named(faults: &[String], what: &str, row: i64) -> bool {
    let name = format!("{what} {row}");
    faults.iter().any(|fault| {
        fault.match_indices(&name).any(|(at, name)| !fault[at + name.len()..].starts_with(|c: char| c.is_ascii_digit()))
    })
}

#[derive(Debug, PartialEq, Eq, QueryableByName)]
struct Named {
    #[diesel(sql_type = diesel::sql_types::Text)]
    ref_type: String,
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    ref_id: i64,
}

on_both!(documents_are_kept_by_the_names_and_numbers_of_ever, |t| {
    let market = history(t).await;
    let (app, user) = (&market.world.app, market.world.user.0);
    let sql = "SELECT DISTINCT ref_type, ref_id FROM transactions ORDER BY ref_type, ref_id";
    let kept = app.db.read(move |conn| Ok::<_, store::Error>(diesel::sql_query(sql).load::<Named>(conn)?)).await;
    let kept: Vec<(String, i64)> = kept.expect("read").into_iter().map(|n| (n.ref_type, n.ref_id)).collect();
    let names: Vec<&str> = kept.iter().map(|(name, _)| name.as_str()).collect::<BTreeSet<_>>().into_iter().collect();
    assert_eq!(names, ["advertiser_fund", "conversion", "deposit", "plan", "recharge", "vip", "withdrawal"]);
    let numbers = |of: &str| kept.iter().filter(|(name, _)| name == of).map(|(_, n)| *n).collect::<Vec<i64>>();
    assert_eq!((numbers("deposit"), numbers("vip")), (vec![user], vec![user]));
    assert_eq!((numbers("withdrawal"), numbers("plan")), (vec![1, 2, 3], vec![1, 2, 3, 4]));
    assert_eq!(numbers("conversion"), [1, 2]);
    assert!(is_ok(&app.db.snapshot(laws).await.expect("walked")));
});

/// In every column some rows are edited, one at a time; different rows for each column.
const EVERY: usize = 7;

on_both!(whatever_somebody_edits_in_a_row_is_found_and_named, |t| {
    let market = history(t).await;
    let app = &market.world.app;
    for (table, of) in [("entries", "transaction_id"), ("transactions", "id")] {
        let rows = keys(app, table, "id", of).await;
        for (n, column) in columns(app, table).await.into_iter().enumerate() {
            let mut tried = 0;
            for (row, of) in rows.iter().skip(n % EVERY).step_by(EVERY) {
                for edit in column.edits(table, "id", *row) {
                    // What the database itself refuses cannot be edited this way.
                    let Ok(Some(laws)) = after(app, &[&edit], laws).await else { continue };
                    tried += 1;
                    assert!(!is_ok(&laws), "not found: {edit}");
                    let told = named(&laws.faults, "entry", *row) && table == "entries";
                    assert!(told || named(&laws.faults, "transaction", *of), "{edit}\n{:#?}", laws.faults);
                }
            }
            assert!(tried > 0, "{table}.{} was never edited", column.name);
        }
    }
    market.check().await;
});

/// Columns that do not concern money.
const NO_MONEY: [&str; 6] = ["name", "key_version", "created_at", "postback_key", "daily_cap", "key_origin"];

on_both!(whatever_is_kept_beside_the_entries_is_checked, |t| {
    let market = history(t).await;
    let app = &market.world.app;
    for (table, key) in [("wallets", "user_id"), ("holds", "plan_id"), ("advertisers", "id")] {
        let rows = keys(app, table, key, key).await;
        for column in columns(app, table).await {
            if table == "advertisers" && NO_MONEY.contains(&column.name.as_str()) {
                continue;
            }
            let mut tried = 0;
            for (row, _) in &rows {
                for edit in column.edits(table, key, *row) {
                    let Ok(Some(laws)) = after(app, &[&edit], laws).await else { continue };
                    tried += 1;
                    assert!(!is_ok(&laws), "not found: {edit}");
                }
            }
            assert!(tried > 0, "{table}.{} was never edited", column.name);
        }
    }
    for document in [
        "UPDATE withdrawals SET amount = amount + 1 WHERE id = 1",
        "UPDATE withdrawals SET status = 3 WHERE id = 1",
        "UPDATE withdrawals SET user_id = user_id + 1 WHERE id = 2",
        "DELETE FROM withdrawals WHERE id = 2",
        "UPDATE conversions SET payout = payout + 1 WHERE accepted",
        "UPDATE conversions SET reversed_at = NULL",
        "DELETE FROM conversions",
        "UPDATE plans SET billed = billed - 1, returned = returned + 1 WHERE returned > 0 AND billed > 0",
        "UPDATE plans SET fee = fee + 1 WHERE settled_at IS NOT NULL",
        "DELETE FROM wallets",
        "DELETE FROM holds",
    ] {
        let laws = found(app, &[document]).await;
        assert!(!is_ok(&laws) && !laws.balances_ok, "not found: {document}");
    }
    for totals in [
        "UPDATE user_stats SET clicks = clicks + 1",
        "UPDATE user_stats SET settled = settled + 1 WHERE quarter = (SELECT MAX(quarter) FROM user_stats)",
        "UPDATE user_stats SET invested = invested - 1 WHERE quarter = (SELECT MIN(quarter) FROM user_stats)",
        "UPDATE plan_stats SET revenue = revenue + 1",
        "UPDATE plan_stats SET used = used + 1",
        "UPDATE plan_stats SET fee = fee - 1",
        "UPDATE user_profits SET settled_profit = settled_profit + 1",
        "UPDATE user_profits SET corrected = corrected + 1",
        "DELETE FROM user_profits WHERE quarter = (SELECT MIN(quarter) FROM user_profits)",
        "DELETE FROM user_stats WHERE quarter = (SELECT MIN(quarter) FROM user_stats)",
        "UPDATE plans SET paid_amount = paid_amount + 1 WHERE put_at IS NOT NULL",
    ] {
        assert!(!is_ok(&found(app, &[totals]).await), "not found: {totals}");
    }
});

on_both!(what_is_removed_slipped_in_or_moved_is_found_and_named, |t| {
    let market = history(t).await;
    let app = &market.world.app;
    let entry_columns = joined(app, "entries").await;
    let transaction_columns = joined(app, "transactions").await;
    let transactions = keys(app, "transactions", "id", "book").await;
    let entries = keys(app, "entries", "id", "transaction_id").await;
    for (entry, of) in entries.iter().step_by(11) {
        let laws = found(app, &[&format!("DELETE FROM entries WHERE id = {entry}")]).await;
        assert!(!is_ok(&laws) && named(&laws.faults, "transaction", *of), "{:#?}", laws.faults);
        let slipped = format!(
            "INSERT INTO entries (id, {entry_columns}) SELECT id + 40, {} FROM entries WHERE id = {entry}",
            entry_columns.replacen("position", "position + 40", 1)
        );
        let laws = found(app, &[&slipped]).await;
        assert!(!is_ok(&laws) && named(&laws.faults, "entry", entry + 40), "{:#?}", laws.faults);
    }
    for (transaction, book) in transactions.iter().step_by(5) {
        let only = format!("DELETE FROM transactions WHERE id = {transaction}");
        let laws = found(app, &[&only]).await;
        assert!(!is_ok(&laws) && named(&laws.faults, "transaction", *transaction), "{:#?}", laws.faults);
        let all = format!("DELETE FROM entries WHERE transaction_id = {transaction}");
        let laws = found(app, &[&only, &all]).await;
        assert!(!laws.chain_ok && named(&laws.faults, "book", *book), "{:#?}", laws.faults);
        let slipped = format!(
            "INSERT INTO transactions (id, {transaction_columns}) SELECT id + 1000, {} FROM transactions \
             WHERE id = {transaction}",
            transaction_columns.replacen("book_seq", "book_seq + 1000", 1).replace("idempotency_key", "NULL")
        );
        let laws = found(app, &[&slipped]).await;
        assert!(!laws.chain_ok && named(&laws.faults, "transaction", transaction + 1000), "{:#?}", laws.faults);
    }
    for two in transactions.windows(2).step_by(4) {
        let (one, other) = (two[0].0, two[1].0);
        let swap = |table: &str, key: &str| {
            let to = |from: i64, to: i64| format!("UPDATE {table} SET {key} = {to} WHERE {key} = {from}");
            [to(one, -1), to(other, one), to(-1, other)]
        };
        let rows = swap("transactions", "id");
        let laws = found(app, &rows.each_ref().map(String::as_str)).await;
        assert!(!is_ok(&laws) && named(&laws.faults, "transaction", one), "{:#?}", laws.faults);
        // Together with their entries, their positions in the books still differ.
        let both: Vec<String> = rows.into_iter().chain(swap("entries", "transaction_id")).collect();
        let laws = found(app, &both.iter().map(String::as_str).collect::<Vec<_>>()).await;
        assert!(!is_ok(&laws) && named(&laws.faults, "transaction", one), "{:#?}", laws.faults);
    }
    market.check().await;
});

/// All of a table's columns except its id.
async fn joined(app: &AdServer, table: &'static str) -> String {
    let names: Vec<String> = columns(app, table).await.into_iter().map(|column| column.name).collect();
    names.into_iter().filter(|name| name != "id").collect::<Vec<_>>().join(", ")
}

on_both!(it_is_checked_while_others_write, |t| {
    let market = Arc::new(market(t).await);
    let stop = Arc::<AtomicBool>::default();
    let writers: Vec<_> = (0..4)
        .map(|_| {
            let (market, stop) = (market.clone(), stop.clone());
            tokio::spawn(async move {
                let (app, user) = (&market.world.app, market.world.user);
                let mut done = 0_i64;
                while !stop.load(Ordering::Relaxed) {
                    let asked = withdraw(
                        app,
                        Proof::assumed(user),
                        Withdraw { amount: "0.01".parse().expect("an amount"), key: None },
                    )
                    .await;
                    let id = asked.expect("asked").id;
                    reject_withdrawal(app, &market.world.ann, id).await.expect("rejected");
                    done += 2;
                }
                done
            })
        })
        .collect();
    let (mut seen, mut rounds) = (0, 0);
    // The writers may be slow to start.
    while rounds < 12 || (seen <= 4 && rounds < 2_000) {
        rounds += 1;
        let found = money::wallet::verify::verify(&market.world.app).await.expect("verified");
        assert!(found.ok && found.transactions >= seen, "{found:?}");
        seen = found.transactions;
        let audited = foundation::staff::audit_log::verify_audit(&market.world.app, None).await.expect("verified");
        assert!(audited.ok, "{audited:?}");
    }
    stop.store(true, Ordering::Relaxed);
    let mut written = 0;
    for writer in writers {
        written += writer.await.expect("no fault");
    }
    assert!(written > 0 && seen > 4);
});

on_both!(who_noted_the_ends_finds_what_the_database_no_longer_tells, |t| {
    let market = history(t).await;
    let (app, user) = (&market.world.app, market.world.user);
    let save =
        ["CREATE TABLE saved AS SELECT * FROM wallets", "CREATE TABLE saved_users AS SELECT id, vip_until FROM users"];
    keep(app, &save).await;
    let deposit = MoveDeposit { amount: "7.00".parse().expect("an amount"), key: None };
    pay_deposit(app, Proof::assumed(user), deposit).await.expect("paid");
    let heads = ledger_heads(app).await.expect("ends");
    let noted = || NotedHeads::read(app, &heads.file).expect("what was written");
    vip::subscribe(app, Proof::assumed(user), None).await.expect("subscribed");
    let told = verify_since(app, Some(noted()), Box::new(|_, _| ())).await.expect("verified");
    assert!(told.ok && told.noted_books == Some(heads.head.books), "{told:?}");

    // Somebody removes the last two movements, with everything that refers to them.
    let cut =
        "SELECT id FROM transactions t WHERE t.book_seq > (SELECT book_seq FROM saved s WHERE s.user_id = t.book)";
    let edits = [
        format!("DELETE FROM entries WHERE transaction_id IN ({cut})"),
        format!("DELETE FROM transactions WHERE id IN ({cut})"),
        "DELETE FROM wallets".to_owned(),
        "INSERT INTO wallets SELECT * FROM saved".to_owned(),
        "UPDATE users SET vip_until = (SELECT s.vip_until FROM saved_users s WHERE s.id = users.id)".to_owned(),
    ];
    let edits: Vec<&str> = edits.iter().map(String::as_str).collect();
    assert!(is_ok(&found(app, &edits).await), "the chains alone cannot tell");
    let (_, books) = noted().into_parts();
    let looked =
        move |conn: &mut store::Conn| store::wallet::verify::laws_since(conn, books.clone(), Box::new(|_, _| ()));
    let laws = after(app, &edits, looked).await.expect("walked").expect("edited");
    assert!(!laws.chain_ok && named(&laws.faults, "book", user.0), "{:?}", laws.faults);

    let changed = heads.file.replacen(" 1 ", " 2 ", 1);
    assert_eq!(why(NotedHeads::read(app, &changed)), "heads=changed");
    for other in ["", "placard ledger heads 1\n", "something else"] {
        assert_eq!(why(NotedHeads::read(app, other)), "heads=invalid");
    }
    let ended = heads.file.lines().count();
    assert_eq!(i64::try_from(ended).expect("few"), heads.head.books + 4);
});
