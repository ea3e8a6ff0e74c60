//! `/metrics` for Prometheus, on a separate port so that strangers cannot read it. The
//! names follow Prometheus' conventions; the format is that of OpenMetrics 1.0.

mod at_scrape;
mod process;

use actix_web::dev::Server;
use actix_web::{App, HttpResponse, HttpServer, get, web};
use campaigns::AdServer;
use desk::installation::copying::CopiedUntil;
use http_api::Shell;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use crate::staff_door;
use at_scrape::{AtScrape, Waits};
use process::Process;

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

struct Sources {
    app: AdServer,
    waits: Waits,
    registry: Registry,
}

#[get("/metrics")]
async fn metrics(sources: web::Data<Sources>) -> HttpResponse {
    sources.waits.refresh(&sources.app).await;
    let mut text = String::new();
    match encode(&mut text, &sources.registry) {
        Ok(()) => HttpResponse::Ok().content_type(OPEN_METRICS).body(text),
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}

/// Serves the figures at `bind` until the process ends.
///
/// # Errors
/// If the address cannot be bound.
pub fn server(
    shell: &Shell,
    staff: &staff_door::Figures,
    copied: Option<CopiedUntil>,
    bind: std::net::SocketAddr,
) -> std::io::Result<Server> {
    let (app, waits) = (shell.app.clone(), Waits::default());
    let mut registry = Registry::default();
    registry.register_collector(Box::new(Process));
    let own = registry.sub_registry_with_prefix("placard");
    build_info(own);
    shell.figures.register(own);
    app.register_figures(own);
    staff.register(own);
    own.register_collector(Box::new(AtScrape { app: app.clone(), waits: waits.clone(), copied }));
    let data = web::Data::new(Sources { app, waits, registry });
    let server = HttpServer::new(move || App::new().app_data(data.clone()).service(metrics));
    Ok(server.workers(1).disable_signals().bind(bind)?.run())
}

/// Always 1: its label tells the versions of an installation's servers apart.
fn build_info(registry: &mut Registry) {
    let info = Family::<[(&str, &str); 1], Gauge>::default();
    info.get_or_create(&[("version", env!("CARGO_PKG_VERSION"))]).set(1);
    registry.register("build_info", "The version of the server", info);
}
