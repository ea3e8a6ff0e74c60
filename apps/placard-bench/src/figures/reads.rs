//! Pages of a user with a thousand rows and of one with a million, which should take the
//! same time.

use std::time::Duration;

use base::Clock;

use crate::installation::Kind;
use crate::load::{Figure, Load, Requests, drive, medians};
use crate::table::{Table, latency};
use crate::test_bed::TestBed;
use crate::wire::get;

/// Half the time is enough for such fast requests.
fn lasting(place: &TestBed) -> Duration {
    place.scale.run / 2
}

const PAGES: [(&str, &str); 12] = [
    ("overview", "/api/ad/order/data_statistics/list?type=3"),
    ("flow", "/api/transaction_flow/list"),
    ("plans", "/api/plan/order/list"),
    ("plans_profit", "/api/plan/order/list?sort=profit"),
    ("plans_roi", "/api/plan/order/list?sort=roi&order=asc"),
    ("plans_consumed", "/api/plan/order/list?sort=consumed"),
    ("plans_conversions", "/api/plan/order/list?sort=conversions"),
    ("plans_status", "/api/plan/order/list?sort=profit&status=settled"),
    ("plans_search", "/api/plan/order/list?sort=profit&search=coffee"),
    // The plans are of the last year: all but the last month's.
    ("plans_before", "/api/plan/order/list?to="),
    ("report_day", "/api/report?by=day&from={year}&to="),
    ("report_placement", "/api/report?by=placement&from={year}&to="),
];

pub async fn measure(place: &TestBed, table: &mut Table) {
    let database = if place.installation.kind == Kind::Postgres { "_pg" } else { "" };
    let day = |ago: i64| {
        let then = Clock::system().now().plus_days(-ago).to_string();
        then.split('T').next().unwrap_or_default().to_owned()
    };
    let (month, year) = (day(30), day(30 + 364));
    for (page, path) in PAGES {
        let path = path.replace("{year}", &year);
        let path = if path.ends_with('=') { format!("{path}{month}") } else { path };
        let (few, many) = (format!("{page}_1e3{database}"), format!("{page}_1e6{database}"));
        let [of_few, of_many] = medians(place.scale.runs, async || {
            [run(place, &path, &place.few.token).await, run(place, &path, &place.many.token).await]
        })
        .await;
        table.add(few.clone(), latency(&of_few));
        table.add(many, latency(&of_many).against(&few, table.value(&few)));
    }
}

async fn run(place: &TestBed, path: &str, token: &str) -> Figure {
    let requests: Requests = [get(path, &[("X-CT", token)])].into_iter().collect();
    let load = Load::again(1, &requests, lasting(place));
    drive(place.server.address, &load, |_, answer| answer.has("\"code\":200")).await
}
