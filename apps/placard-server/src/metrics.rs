//! Figures about the running program in Prometheus' text format, on a separate port so
//! that strangers cannot read them.

use std::fmt::Display;

use actix_web::{App, HttpResponse, HttpServer, Responder, get, web};
use http_api::Figures;
use usecases::delivery::ssp::outcomes::OutcomeTotal;
use usecases::{App as Placard, Reports};

/// The sources of the figures.
struct Sources {
    app: Placard,
    requests: Figures,
    staff: crate::staff_door::Figures,
}

#[get("/metrics")]
async fn metrics(sources: web::Data<Sources>) -> impl Responder {
    let (queue, requests, hashing) = (sources.app.db.queue(), sources.requests.seen(), sources.app.hashing());
    let [run, refused, under_way] = sources.staff.seen();
    let mut text = vec![
        counter("placard_staff_commands_total", "Commands of staff that were run.", run),
        counter("placard_staff_refused_total", "Calls of staff that were turned away.", refused),
        gauge("placard_staff_commands_under_way", "Commands of staff that are being run.", under_way),
        counter("placard_requests_answered_total", "Requests with a status below 400.", requests.answered),
        counter("placard_requests_turned_away_total", "Requests with a status of 4xx.", requests.turned_away),
        counter("placard_requests_failed_total", "Requests with a status of 5xx.", requests.failed),
        counter("placard_requests_microseconds_total", "What all requests took together.", requests.micros),
        gauge("placard_requests_under_way", "Requests that are being answered.", requests.under_way),
        gauge("placard_queued_writes", "Writes that wait for the database.", queue.writes),
        gauge("placard_queued_reads", "Reads that wait for the database.", queue.reads),
        counter("placard_passwords_hashed_total", "Passwords that were hashed with Argon2.", hashing.begun),
        gauge("placard_passwords_waiting", "Passwords that wait for a core.", hashing.waiting),
        counter(
            "placard_events_unkept_total",
            "Refused events beyond the bound of their network or plan, which are not written.",
            sources.app.unkept_events(),
        ),
        gauge("placard_resident_bytes", "Memory the process holds.", resident_bytes().unwrap_or(0)),
    ];
    text.extend(sources.app.db.reports().map(reports));
    text.push(bids(&sources.app.ssp_outcomes()));
    HttpResponse::Ok().content_type("text/plain; version=0.0.4; charset=utf-8").body(text.concat())
}

/// How the requests of ad exchanges ended; empty without any.
fn bids(totals: &[OutcomeTotal]) -> String {
    let name = "placard_ssp_outcomes_total";
    let line = |total: &OutcomeTotal| {
        let OutcomeTotal { ssp, outcome, number } = total;
        format!("{name}{{ssp=\"{ssp}\",outcome=\"{outcome}\"}} {number}\n")
    };
    let lines: String = totals.iter().map(line).collect();
    if lines.is_empty() {
        return lines;
    }
    format!("# HELP {name} Requests of ad exchanges, by what came of them.\n# TYPE {name} counter\n{lines}")
}

/// Empty without a replica.
fn reports(seen: Reports) -> String {
    let lag = seen.lag_millis.map_or_else(|| "NaN".to_owned(), |lag| lag.to_string());
    [
        counter("placard_reports_from_replica_total", "Reports that the replica answered.", seen.from_replica),
        counter("placard_reports_from_primary_total", "Reports that the replica did not answer.", seen.from_primary),
        gauge("placard_replica_lag_milliseconds", "How old the replica's figures are.", lag),
    ]
    .concat()
}

fn counter(name: &str, help: &str, value: impl Display) -> String {
    figure(name, "counter", help, &value)
}

fn gauge(name: &str, help: &str, value: impl Display) -> String {
    figure(name, "gauge", help, &value)
}

fn figure(name: &str, kind: &str, help: &str, value: &dyn Display) -> String {
    format!("# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}\n")
}

/// From the system's statistics of this process, if it has them.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

pub fn server(
    app: Placard,
    requests: Figures,
    staff: crate::staff_door::Figures,
    bind: std::net::SocketAddr,
) -> std::io::Result<actix_web::dev::Server> {
    let data = web::Data::new(Sources { app, requests, staff });
    let server = HttpServer::new(move || App::new().app_data(data.clone()).service(metrics));
    Ok(server.workers(1).disable_signals().bind(bind)?.run())
}
