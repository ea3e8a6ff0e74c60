//! The server for staff's commands: at a separate address and a few at a time, so that
//! users never wait for staff.
//!
//! The caller is authenticated from the headers, before any of the body is stored.

mod call;
mod tls;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::Server;
use actix_web::http::StatusCode;
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use campaigns::AdServer;
use desk::installation::settings::InvalidSetting;
use http_api::Shell;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use staff::remote::PATH;
use tokio::sync::Semaphore;

use crate::config::StaffPlace;

/// Simultaneous commands; each may contain a file of 32 MiB.
const AT_ONCE: usize = 4;
const CONNECTIONS: usize = 64;
const WORKERS: usize = 2;
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
const GRACE_SECONDS: u64 = 8;

/// Whether certificate and key can be served with.
///
/// # Errors
/// The variable whose file is invalid or does not match.
pub(crate) fn check_tls(files: &(PathBuf, PathBuf)) -> Result<(), InvalidSetting> {
    tls::config(files).map(drop)
}

/// The data that every call needs.
#[derive(Clone)]
pub struct Door {
    /// With separate connections to the database.
    app: AdServer,
    /// Knows the trusted proxies.
    shell: Shell,
    turns: Arc<Semaphore>,
    figures: Figures,
    /// Whether only this machine and trusted proxies may call.
    plain: bool,
}

/// Counts of commands since the start, for `/metrics`. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    run: Counter,
    refused: Counter,
    under_way: Gauge,
}

/// A running command; counted until it is dropped.
struct CommandInProgress(Figures);

impl Figures {
    fn begin(&self) -> CommandInProgress {
        self.run.inc();
        self.under_way.inc();
        CommandInProgress(self.clone())
    }

    fn refuse(&self) {
        self.refused.inc();
    }

    pub fn register(&self, registry: &mut Registry) {
        registry.register("staff_commands", "Commands of staff that were run", self.run.clone());
        registry.register("staff_refused", "Calls of staff that were turned away", self.refused.clone());
        let under_way = "Commands of staff that are being run";
        registry.register("staff_commands_under_way", under_way, self.under_way.clone());
    }
}

impl Drop for CommandInProgress {
    fn drop(&mut self) {
        self.0.under_way.dec();
    }
}

/// Serves staff until it is stopped.
///
/// # Errors
/// The variable with an unusable value.
pub fn server(mut app: AdServer, shell: Shell, figures: Figures, place: &StaffPlace) -> Result<Server, InvalidSetting> {
    // A session that staff end here is not known to users' requests any more.
    app.app.memory = Arc::clone(&shell.app.memory);
    let turns = Arc::new(Semaphore::new(AT_ONCE));
    let door = Door { app, shell, turns, figures, plain: place.tls.is_none() };
    let server = HttpServer::new(move || {
        let door = web::Data::new(door.clone());
        App::new().app_data(door).route(PATH, web::post().to(call::answer)).default_service(web::to(nothing))
    })
    .workers(WORKERS)
    .client_request_timeout(HEAD_TIMEOUT)
    .max_connections(CONNECTIONS)
    .shutdown_timeout(GRACE_SECONDS)
    .disable_signals();
    let bound = match &place.tls {
        Some(files) => server.bind_rustls_0_23(place.bind, tls::config(files)?),
        None => server.bind(place.bind),
    };
    Ok(bound.map_err(|e| wrong(place.bind, e))?.run())
}

fn wrong(bind: SocketAddr, error: std::io::Error) -> InvalidSetting {
    InvalidSetting::new("PLACARD_STAFF_BIND", format!("{bind}: {error}"))
}

async fn nothing(_: HttpRequest) -> HttpResponse {
    HttpResponse::new(StatusCode::NOT_FOUND)
}
