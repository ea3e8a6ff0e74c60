//! The statement as a file.

use calendar::Zone;
use foundation::people::pay_password::Proof;
use i18n::Lang;
use money::wallet::deposit::{MoveDeposit, pay_deposit};
use money::wallet::statement_file::{CsvPosition, Export, StatementRequest, export};
use money::wallet::withdraw::{Withdraw, withdraw};
use money::wallet::withdrawals::{WithdrawalView, cancel_withdrawal};
use store::on_both;

use crate::support::{World, funded, money, why};

fn wanted(month: &str, zone: &str, lang: Lang) -> StatementRequest {
    StatementRequest { month: Some(month.into()), zone: Zone::from_header(zone), lang }
}

async fn csv(export: &Export) -> Vec<String> {
    let (mut whole, mut place) = (Vec::new(), CsvPosition::Head);
    while let Some((bytes, next)) = export.csv(place).await.expect("a part") {
        whole.extend(bytes);
        place = next;
    }
    let text = String::from_utf8(whole).expect("UTF-8");
    text.trim_start_matches('\u{feff}').trim_end().split("\r\n").map(str::to_owned).collect()
}

async fn take_out(w: &World, amount: &str) -> WithdrawalView {
    withdraw(&w.app, Proof::assumed(w.user), Withdraw { amount: amount.parse().expect("an amount"), key: None })
        .await
        .expect("asked")
}

on_both!(the_csv_has_every_line_between_its_balances, |test| {
    let w = funded(test, "100").await;
    take_out(&w, "30").await;
    let made = export(&w.app, w.user, wanted("2026-01", "", Lang::En)).await.expect("a statement");
    // Later lines are in another statement, even in the same month.
    take_out(&w, "1").await;
    let expected = [
        "Time (UTC),Kind,Amount (USD),Part,Available funds (USD),Remark,Reference",
        "2026-01-01 00:00:00,Opening balance,,,0.00,Simulated data – no real money,",
        "2026-01-05 12:00:00,System top-up,100.00,Available funds,100.00,first,Recharge 1",
        "2026-01-05 12:00:00,Manual withdrawal,-30.00,Available funds,70.00,,Withdrawal 1",
        // The month is not over: it is the balance of now.
        "2026-01-05 12:00:00,Closing balance,,,70.00,Simulated data – no real money,",
    ];
    assert_eq!(csv(&made).await, expected);
    assert_eq!(made.name(), "placard-2026-01-simulated");
});

on_both!(the_closing_balance_is_that_of_the_line_written_last, |test| {
    let w = funded(test, "100").await;
    w.test.clock.advance_seconds(600);
    take_out(&w, "30").await;
    // The clock is set back: by their times, this line comes before the other one.
    w.test.clock.advance_seconds(-300);
    take_out(&w, "20").await;
    let made = export(&w.app, w.user, wanted("2026-01", "", Lang::En)).await.expect("a statement");
    let lines = csv(&made).await;
    assert!(lines[5].contains("Closing balance,,,50.00,"), "{}", lines[5]);
    assert_eq!(w.property().await.available, money("50"));
});

on_both!(months_add_up_where_the_clocks_of_servers_differ_at_their_end, |test| {
    let w = funded(test, "100").await;
    w.test.clock.move_to("2026-02-01T00:00:01Z".parse().expect("a time"));
    take_out(&w, "30").await;
    // Another server, whose clock is behind.
    w.test.clock.advance_seconds(-3);
    take_out(&w, "20").await;
    w.test.clock.advance_seconds(60);
    let january = csv(&export(&w.app, w.user, wanted("2026-01", "", Lang::En)).await.expect("a statement")).await;
    assert_eq!(january.len(), 4, "{january:?}");
    assert!(january[3].contains("Closing balance,,,100.00,"), "{}", january[3]);
    let february = csv(&export(&w.app, w.user, wanted("2026-02", "", Lang::En)).await.expect("a statement")).await;
    assert!(february[1].contains("Opening balance,,,100.00,"), "{}", february[1]);
    let lines = ["2026-02-01 00:00:01,Manual withdrawal,-30.00", "2026-02-01 00:00:01,Manual withdrawal,-20.00"];
    assert!(lines.iter().zip(&february[2..4]).all(|(line, found)| found.starts_with(line)), "{february:?}");
    assert!(february[4].contains("Closing balance,,,50.00,"), "{}", february[4]);
});

on_both!(nothing_follows_a_clock_that_was_far_ahead, |test| {
    let w = funded(test, "100").await;
    w.test.clock.move_to("2026-02-01T00:01:01Z".parse().expect("a time"));
    take_out(&w, "30").await;
    w.test.clock.move_to("2026-01-31T23:59:59Z".parse().expect("a time"));
    take_out(&w, "20").await;
    let lines = csv(&export(&w.app, w.user, wanted("2026-01", "", Lang::En)).await.expect("a statement")).await;
    assert!(lines[3].starts_with("2026-01-31 23:59:59,Manual withdrawal,-20.00"), "{}", lines[3]);
});

on_both!(a_document_without_a_number_of_its_own_is_named_by_its_kind, |test| {
    let w = funded(test, "100").await;
    pay_deposit(&w.app, Proof::assumed(w.user), MoveDeposit { amount: money("7"), key: None }).await.expect("paid");
    let lines = csv(&export(&w.app, w.user, wanted("2026-01", "", Lang::En)).await.expect("a statement")).await;
    // Not the number of its user, which would look like the first deposit's.
    assert_eq!(lines[3], "2026-01-05 12:00:00,Deposit,-7.00,Available funds,93.00,,Deposit");
});

on_both!(months_are_the_users_and_so_is_the_language, |test| {
    let w = funded(test, "100").await;
    w.test.clock.advance_seconds(26 * 86_400 + 5 * 3_600);
    take_out(&w, "30").await;
    let zone = "Asia/Shanghai GMT+08:00";
    let february = export(&w.app, w.user, wanted("2026-02", zone, Lang::De)).await.expect("a statement");
    let lines = csv(&february).await;
    assert!(lines[0].starts_with("Datum und Uhrzeit (Asia/Shanghai),Art,Betrag (USD),"), "{}", lines[0]);
    assert!(lines[1].starts_with("2026-02-01 00:00:00,Anfangssaldo,,,100.00,"), "{}", lines[1]);
    assert!(lines[2].starts_with("2026-02-01 01:00:00,") && lines[2].ends_with(",Auszahlung 1"), "{}", lines[2]);
    assert_eq!(lines.len(), 4);
    let japanese = csv(&export(&w.app, w.user, wanted("2026-02", zone, Lang::Jp)).await.expect("a statement")).await;
    assert!(japanese[0].starts_with("日時（Asia/Shanghai）,種類,金額（USD）,"), "{}", japanese[0]);
    let everything = StatementRequest { month: None, ..wanted("", zone, Lang::En) };
    // From the first recharge on: that, and what was taken out.
    let all = csv(&export(&w.app, w.user, everything).await.expect("a statement")).await;
    assert_eq!(all.len(), 5);
    // No time is said of what was before everything, rather than one in 1970, or in 1969 west of London.
    assert!(all[1].starts_with(",Opening balance,,,0.00,"), "{}", all[1]);
});

on_both!(a_long_month_is_written_in_parts_and_loses_nothing, |test| {
    let w = funded(test, "100").await;
    let user = w.user;
    let many = w.app.db.write(move |tx| {
        let mut books = store::wallet::books::Books::lock_user(tx, user)?;
        for n in 0..2_500_i64 {
            let postings = wallet::recharge(books.wallet()?, base::Money::from_minor(1))?;
            let (event_at, actor, reason) = (tx.now(), "system".to_owned(), format!("={n}"));
            let note = store::wallet::books::Note {
                document: wallet::Document::Request(wallet::RequestDocument::Recharge, base::RequestId(n)),
                event_at,
                actor,
                reason,
                idempotency_key: None,
            };
            books.enter(&postings, note)?;
        }
        books.flush(tx)?;
        Ok::<_, foundation::Error>(())
    });
    many.await.expect("posted");
    let made = export(&w.app, w.user, wanted("2026-01", "", Lang::En)).await.expect("a statement");
    let lines = csv(&made).await;
    assert_eq!(lines.len(), 2_504);
    assert!(lines[3].contains(",'=0,") && lines[2_502].contains(",'=2499,"), "{} {}", lines[3], lines[2_502]);
    assert!(lines[2_503].contains("Closing balance,,,125.00,"), "{}", lines[2_503]);
    assert!(made.pdf().await.expect("within its limit").starts_with(b"%PDF-"));
});

on_both!(the_document_says_what_the_wallet_says_in_the_readers_language, |test| {
    let w = funded(test, "100").await;
    take_out(&w, "30").await;
    // What comes back is neither income nor expense.
    let asked = take_out(&w, "20").await;
    cancel_withdrawal(&w.app, w.user, asked.id, None).await.expect("cancelled");
    let document = async |lang| {
        let made = export(&w.app, w.user, wanted("2026-01", "", lang)).await.expect("a statement");
        made.document().await.expect("a document")
    };
    let shown = document(Lang::De).await;
    assert_eq!(shown.head.subtitle, "01.01.2026 – 31.01.2026");
    let figures: Vec<_> = shown.head.figures.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let expected = [
        ("Anfangssaldo", "0,00 USD"),
        ("Eingänge", "100,00 USD"),
        ("Ausgänge", "30,00 USD"),
        ("Endsaldo (05.01.2026 12:00)", "70,00 USD"),
    ];
    assert_eq!(figures, expected);
    // Income is without what came back, as on the wallet's page; that is said beside it.
    let refunds = ("Erstattungen (nicht enthalten)".to_owned(), "20,00 USD".to_owned());
    assert!(shown.head.facts.contains(&refunds), "{:?}", shown.head.facts);
    assert_eq!(shown.lines[0].time, "05.01.2026 12:00");
    assert_eq!(document(Lang::En).await.lines[0].time, "Jan 5, 2026 12:00");
    // Once the month is over, its closing balance is that of its end.
    w.test.clock.advance_seconds(30 * 86_400);
    assert_eq!(document(Lang::De).await.head.figures[3], ("Endsaldo".to_owned(), "70,00 USD".to_owned()));
});

on_both!(every_language_can_be_printed, |test| {
    let w = funded(test, "100").await;
    for lang in Lang::ALL {
        let made = export(&w.app, w.user, wanted("2026-01", "Asia/Tokyo GMT+09:00", lang)).await.expect("a statement");
        let document = made.pdf().await.expect("a document");
        assert!(document.starts_with(b"%PDF-") && document.len() < 300_000, "{lang:?} {}", document.len());
        // For people who want to look at them.
        if let Some(folder) = std::env::var_os("PLACARD_TEST_DOCUMENTS") {
            std::fs::write(std::path::Path::new(&folder).join(format!("{}.pdf", lang.code())), document)
                .expect("written");
        }
    }
});

on_both!(what_is_no_month_is_told, |test| {
    let w = funded(test, "1").await;
    assert_eq!(why(export(&w.app, w.user, wanted("2026-13", "", Lang::En)).await.map(|_| ())), "month=invalid");
    // In Kiritimati it has begun.
    w.test.clock.advance_seconds(26 * 86_400);
    assert_eq!(why(export(&w.app, w.user, wanted("2026-02", "", Lang::En)).await.map(drop)), "month=in_the_future");
    export(&w.app, w.user, wanted("2026-02", "Pacific/Kiritimati GMT+14:00", Lang::En)).await.expect("a statement");
    let everything = StatementRequest { month: None, ..wanted("", "", Lang::En) };
    let made = export(&w.app, w.user, everything).await.expect("a statement");
    assert_eq!(why(made.pdf().await), "month=required");
});
