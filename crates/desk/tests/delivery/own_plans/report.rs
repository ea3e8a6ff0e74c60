//! Reports: whatever they are divided by, their rows add up to the totals, which are the overview's.

use base::{Money, Timestamp};
use calendar::Zone;
use campaigns::plans::overview::Span;
use campaigns::plans::report::{Report, ReportBy, ReportFigures, ReportQuery, ReportRow, file, report};
use desk::installation::upgrade::bring_up_to_date;
use i18n::Lang;
use plans::{Dimension, PartCounts};
use store::delivery::stats::report::{Both, Compared, parts};
use store::on_both;
use store::testing::execute;

use crate::money::why;
use crate::publishers::bidding::{ask, banner, burl, one, ssp};
use crate::publishers::refunds::{corrected, promote};
use crate::support::{Market, market, market_with};

fn day(at: Timestamp) -> String {
    at.to_string().chars().take(10).collect()
}

impl Market {
    fn asked(&self, by: ReportBy, days: i64) -> ReportQuery {
        let now = self.world.app.now();
        let (from, to) = (Some(day(now.plus_days(1 - days))), Some(day(now)));
        ReportQuery { from, to, by, zone: Zone::UTC, lang: Lang::En }
    }

    /// Of the last days, today included.
    async fn report(&self, by: ReportBy, days: i64) -> Report {
        report(&self.world.app, self.world.user, self.asked(by, days)).await.expect("a report")
    }

    async fn rows(&self, by: ReportBy) -> Vec<ReportRow> {
        self.report(by, 7).await.rows
    }

    /// Every report of the days has the overview's totals, and rows that add up to them.
    async fn adds_up(&self) {
        for (span, days) in [(Span::Today, 1), (Span::Week, 7), (Span::Month, 30)] {
            let shown = self.overview(span).await;
            let told = [shown.consumed, shown.platform_paid, shown.revenue, shown.profit];
            for by in ReportBy::ALL {
                let Report { totals, before, rows, .. } = self.report(*by, days).await;
                assert_eq!([totals.consumed, totals.platform_paid, totals.revenue, totals.profit], told, "{by} {days}");
                assert_eq!((totals.impressions, totals.clicks), (shown.impressions, shown.clicks), "{by} {days}");
                assert_eq!(sum(rows.iter().map(|row| &row.figures)), numbers(&totals), "{by} {days}");
                assert_eq!(sum(rows.iter().map(|row| &row.before)), numbers(&before), "{by} {days}");
            }
        }
    }
}

fn numbers(of: &ReportFigures) -> [i64; 7] {
    let money = [of.consumed, of.platform_paid, of.revenue, of.profit].map(Money::minor);
    [of.impressions, of.clicks, of.conversions, money[0], money[1], money[2], money[3]]
}

fn sum<'a>(of: impl Iterator<Item = &'a ReportFigures>) -> [i64; 7] {
    of.map(numbers).fold([0; 7], |all, one| std::array::from_fn(|n| all[n] + one[n]))
}

fn named(rows: &[ReportRow]) -> Vec<(&str, Option<&str>)> {
    rows.iter().map(|row| (row.name.as_str(), row.detail.as_deref())).collect()
}

on_both!(rows_add_up_with_coupons_corrections_and_refunds, |test| {
    // A price that leaves parts of cents, and a fee that does.
    let market = market_with(test, |file| {
        file.put_rule.price = "1333.33".into();
        file.fee_rate = "0.0777".into();
        file.payout = "3.33".into();
    })
    .await;
    promote(&market, "3.00").await;
    market.put("50.00").await;
    let ssp = ssp(&market).await;
    for n in 0..5 {
        let visited = market.visit().await;
        assert!(market.convert(&format!("order-{n}"), &visited.click_id).await.accepted);
    }
    market.work().await;
    market.adds_up().await;
    market.wait(2 * 86_400);
    market.put("20.00").await;
    for _ in 0..3 {
        let bid = one(ask(&market, &ssp.key, &banner(0.0)).await.expect("a bid"));
        burl(&market.world.app, &bid, "").await.expect("kept").expect("counts");
        market.visit().await;
    }
    market.close_day().await;
    market.adds_up().await;
    // One is taken back, and what slots had shown is given back.
    assert!(market.reverse("order-1").await.accepted);
    market.work().await;
    market.adds_up().await;
    corrected(&market, "kind = \"impression\"").await;
    market.adds_up().await;
    market.visit().await;
    market.wait(9 * 86_400);
    market.work().await;
    market.adds_up().await;
    market.check().await;
});

on_both!(a_part_is_where_it_happened_and_a_conversion_is_where_its_click_was, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let ssp = ssp(&market).await;
    market.ripen().await;
    let visited = market.visit().await;
    market.visit().await;
    assert!(market.convert("order-1", &visited.click_id).await.accepted);
    let bid = one(ask(&market, &ssp.key, &banner(0.0)).await.expect("a bid"));
    burl(&market.world.app, &bid, "").await.expect("kept").expect("counts");
    market.work().await;
    let placements = market.rows(ReportBy::Placement).await;
    let exchange = placements[1].detail.as_deref();
    assert_eq!(named(&placements), [("The Daily", Some("news-top")), ("news.example", exchange)]);
    assert!(exchange.is_some());
    assert_eq!(numbers(&placements[0].figures)[..4], [2, 2, 1, 10_00]);
    assert_eq!(numbers(&placements[1].figures)[..4], [1, 0, 0, 5_00]);
    assert_eq!(placements[0].figures.revenue.to_string(), "12.50");
    assert_eq!(placements[0].figures.return_on_spend.as_deref(), Some("0.125000"), "11.25 of 10.00");
    let devices = market.rows(ReportBy::Device).await;
    assert_eq!((devices[0].key.as_str(), devices[0].name.as_str()), ("desktop", "Computers"));
    assert_eq!(numbers(&devices[0].figures)[..3], [2, 2, 1]);
    let forms = market.rows(ReportBy::Form).await;
    assert_eq!(named(&forms), [("Landing page", None)]);
    let regions = market.rows(ReportBy::Region).await;
    assert_eq!(regions.iter().map(|row| row.key.as_str()).collect::<Vec<_>>(), ["DE", "unknown"]);
    let plans = market.rows(ReportBy::Plan).await;
    assert_eq!(plans[0].key, plan.id.to_string());
    assert_eq!(named(&plans), [("Aurora Coffee", Some(plan.plan_no.as_str()))]);
    assert_eq!(named(&market.rows(ReportBy::Product).await), [("Aurora Coffee", None)]);
    // What is taken back is taken from where it was.
    assert!(market.reverse("order-1").await.accepted);
    market.work().await;
    let placements = market.rows(ReportBy::Placement).await;
    assert_eq!((placements[0].figures.conversions, placements[0].figures.revenue), (0, Money::ZERO));
    assert_eq!(market.rows(ReportBy::Device).await[0].figures.conversions, 0);
});

on_both!(what_is_shown_by_its_arms_is_divided_by_their_forms, |test| {
    let market = market_with(test, |file| {
        let mut film = file.content.landing_page.clone().expect("a page");
        film.video = Some("/products/a.mp4".into());
        file.content.video = Some(film);
    })
    .await;
    let plan = market.put_learning("200.00").await;
    for _ in 0..12 {
        market.visit().await;
        // Its budget lasts for its days.
        market.wait(6 * 3_600);
    }
    market.work().await;
    let forms = market.rows(ReportBy::Form).await;
    let arms = market.detail(&plan).await.ai.expect("AI delivery").arms;
    for form in ["video", "landing_page"] {
        let by_arms: i64 = arms.iter().filter(|arm| arm.creative.name() == form).map(|arm| arm.impressions).sum();
        let shown = forms.iter().find(|row| row.key == form).map_or(0, |row| row.figures.impressions);
        assert_eq!(shown, by_arms, "{form}: {forms:?}");
    }
    assert_eq!(sum(forms.iter().map(|row| &row.figures))[0], 12);
    market.adds_up().await;
});

on_both!(what_no_part_was_kept_of_is_unknown, |test| {
    let market = market(test).await;
    market.put("100.00").await;
    let visited = market.visit().await;
    assert!(market.convert("order-1", &visited.click_id).await.accepted);
    market.work().await;
    // As a server of the version before leaves it.
    execute(&market.world.test.url, "DELETE FROM user_parts").expect("as of the version before");
    market.visit().await;
    market.work().await;
    bring_up_to_date(&market.world.app).await.expect("counted");
    let devices = market.rows(ReportBy::Device).await;
    assert_eq!(devices.iter().map(|row| row.key.as_str()).collect::<Vec<_>>(), ["desktop", "unknown"]);
    assert_eq!(devices.iter().map(|row| row.figures.impressions).collect::<Vec<_>>(), [1, 1]);
    assert_eq!(devices[1].figures.conversions, 1);
    market.adds_up().await;
});

/// Five thousand places, of slots that there are not, whose names come before all others.
const PLACES: &str = "INSERT INTO user_parts (user_id, dimension, part, quarter, impressions, clicks, conversions, revenue, used_milli) \
     WITH RECURSIVE n(i) AS (SELECT 100001 UNION ALL SELECT i + 1 FROM n WHERE i < 105000) \
     SELECT p.user_id, 1, '0' || i, 1, 0, 0, 0, 0, 0 FROM n CROSS JOIN (SELECT MIN(user_id) AS user_id FROM plans) p";

// Those whose names come first were read, and what had used most was of others, or of no place.
on_both!(of_more_places_than_are_read_those_that_used_most_are_shown_and_the_rest_is_of_others, |test| {
    let market = market(test).await;
    market.put("100.00").await;
    market.visit().await;
    market.work().await;
    execute(&market.world.test.url, PLACES).expect("places that used nothing");
    assert_eq!(named(&market.rows(ReportBy::Placement).await), [("The Daily", Some("news-top"))]);
    market.adds_up().await;
    let quarter = market.world.app.now().millis() / 900_000;
    let more = format!(
        "INSERT INTO user_parts (user_id, dimension, part, quarter, impressions, clicks, conversions, revenue, used_milli) \
         SELECT user_id, 1, part, {quarter}, 0, 0, 0, 0, 1000000000 FROM user_parts WHERE dimension = 1 AND quarter = 1"
    );
    execute(&market.world.test.url, &more).expect("each of which used more");
    let placements = market.rows(ReportBy::Placement).await;
    assert_eq!(placements.iter().map(|row| row.key.as_str()).collect::<Vec<_>>(), ["unknown", "others"]);
    assert_eq!(placements.iter().map(|row| row.figures.impressions).collect::<Vec<_>>(), [0, 1]);
    market.adds_up().await;
});

on_both!(parts_come_by_what_they_used_in_the_days_and_before, |test| {
    let market = market(test).await;
    market.put("100.00").await;
    let (app, user) = (&market.world.app, market.world.user);
    let now = app.now();
    let quarter = |days: i64| now.plus_days(days).millis() / 900_000;
    let mut rows = Vec::new();
    // Totals run on: b used most in all, and c in the days.
    for (part, past, used) in [("a", 0, 1), ("b", 900, 901), ("c", 0, 5), ("d", 7, 7), ("e", 9, 9)] {
        for (quarter, used) in [(quarter(-3), past), (quarter(0), used)] {
            rows.push(format!("({}, 1, '{part}', {quarter}, 1, 0, 0, 0, {used})", user.0));
        }
    }
    let insert = format!(
        "INSERT INTO user_parts (user_id, dimension, part, quarter, impressions, clicks, conversions, revenue, used_milli) \
         VALUES {}",
        rows.join(", ")
    );
    execute(&market.world.test.url, &insert).expect("parts");
    let of = Compared { before: now.plus_days(-4), from: now.plus_days(-2), until: now.plus_days(1) };
    let read = async |limit: i64| {
        let found =
            app.db.snapshot(move |conn| parts(conn, user, Dimension::Placement, &of, limit)).await.expect("parts");
        let told = |part: Both<String, PartCounts>| (part.key, part.now.used_milli, part.before.used_milli);
        (found.found.into_iter().map(told).collect::<Vec<_>>(), found.is_cut)
    };
    let told = |key: &str, now: i64, before: i64| (key.to_owned(), now, before);
    let all = vec![told("c", 5, 0), told("b", 1, 900), told("a", 1, 0), told("e", 0, 9), told("d", 0, 7)];
    assert_eq!(read(2).await, (all[..2].to_vec(), true));
    assert_eq!(read(6).await, (all, false));
});

on_both!(days_are_held_against_as_many_before, |test| {
    let market = market(test).await;
    market.put("100.00").await;
    market.visit().await;
    market.work().await;
    market.wait(2 * 86_400);
    market.visit().await;
    market.visit().await;
    market.work().await;
    let Report { from, to, before_from, before_to, totals, before, rows, .. } = market.report(ReportBy::Day, 2).await;
    assert_eq!([from, to, before_from, before_to], ["2026-01-06", "2026-01-07", "2026-01-04", "2026-01-05"]);
    assert_eq!((totals.impressions, before.impressions), (2, 1));
    let views = |of: fn(&ReportRow) -> i64| rows.iter().map(of).collect::<Vec<_>>();
    assert_eq!(rows.iter().map(|row| row.name.as_str()).collect::<Vec<_>>(), ["2026-01-06", "2026-01-07"]);
    assert_eq!((views(|row| row.figures.impressions), views(|row| row.before.impressions)), (vec![0, 2], vec![0, 1]));
    // A row that has nothing now is shown for what it had.
    market.wait(86_400);
    market.work().await;
    let plans = market.report(ReportBy::Plan, 1).await.rows;
    assert_eq!((plans[0].figures.impressions, plans[0].before.impressions), (0, 2));
    // It is noon, so the day is another one where the clock shows tomorrow.
    let zone = Zone::from_header("Pacific/Kiritimati GMT+14:00");
    let asked = ReportQuery { zone, ..market.asked(ReportBy::Day, 2) };
    let shifted = report(&market.world.app, market.world.user, asked).await.expect("a report");
    assert_eq!(shifted.rows.iter().map(|row| row.figures.impressions).collect::<Vec<_>>(), [0, 2]);
});

on_both!(reports_are_their_users_alone, |test| {
    let market = market(test).await;
    market.put("100.00").await;
    market.visit().await;
    market.work().await;
    let stranger = market.world.test.user("stranger").await;
    for by in ReportBy::ALL {
        let shown = report(&market.world.app, stranger, market.asked(*by, 1)).await.expect("a report");
        assert_eq!(numbers(&shown.totals), [0; 7]);
        assert_eq!(sum(shown.rows.iter().map(|row| &row.figures)), [0; 7], "{by}");
        assert!(*by == ReportBy::Day || shown.rows.is_empty(), "{by}");
    }
});

on_both!(a_report_is_written_in_the_readers_language, |test| {
    let market = market_with(test, |file| file.name = "=1+1".into()).await;
    let plan = market.put("100.00").await;
    market.visit().await;
    market.work().await;
    let made = async |by, lang| {
        let asked = ReportQuery { lang, ..market.asked(by, 2) };
        file(&market.world.app, market.world.user, asked).await.expect("a file")
    };
    let plans = made(ReportBy::Plan, Lang::De).await;
    assert_eq!(plans.name(), "placard-plan-2026-01-04-2026-01-05-simulated");
    let csv = String::from_utf8(plans.csv().expect("written")).expect("UTF-8");
    let lines: Vec<&str> = csv.lines().collect();
    assert!(
        lines[0].starts_with("\u{feff}Kampagne,Nummer oder Quelle,Impressionen,Klicks,Conversions,Verbraucht (USD),")
    );
    let figures = "1,1,0,5.00,0.00,0.00,-5.00,-1.000000,0,0,0,0.00,0.00,0.00,0.00,";
    assert_eq!(lines[1], format!("'=1+1,{},{figures}", plan.plan_no), "no spreadsheet calculates it");
    assert!(lines[2].starts_with("Summe,") && lines[2].ends_with(figures), "{}", lines[2]);
    let table = plans.table();
    assert_eq!(table.head.subtitle, "04.01.2026 – 05.01.2026");
    assert_eq!(table.rows[0].cells, ["Summe", "1", "1", "0", "5,00", "0,00", "-5,00", "-100,0\u{a0}%"]);
    assert_eq!(table.rows.len(), 2);
    // Days stay what a spreadsheet sorts; on paper they are the reader's.
    let days = made(ReportBy::Day, Lang::Fr).await;
    assert!(String::from_utf8(days.csv().expect("written")).expect("UTF-8").contains("\r\n2026-01-05,,1,1,0,5.00,"));
    for lang in Lang::ALL {
        for by in ReportBy::ALL {
            let pdf = made(*by, lang).await.pdf().await.expect("printed");
            assert!(pdf.starts_with(b"%PDF-1."), "{by} {}", lang.code());
        }
    }
});

on_both!(a_report_of_no_days_is_refused, |test| {
    let market = market(test).await;
    for (from, to, field) in [
        (None, Some("2026-01-05"), "from=required"),
        (Some("2026-01-05"), None, "to=required"),
        (Some("2026-01-05"), Some("2026-01-04"), "to=invalid"),
        (Some("2026-01-05"), Some("2027-01-06"), "to=invalid"),
        (Some("5.1.2026"), Some("2026-01-06"), "from=invalid"),
    ] {
        let days = (from.map(str::to_owned), to.map(str::to_owned));
        let asked = ReportQuery { from: days.0, to: days.1, ..market.asked(ReportBy::Plan, 1) };
        let refused = report(&market.world.app, market.world.user, asked).await;
        assert_eq!(why(refused), field);
    }
});
