//! Figures about the running program, in Prometheus' text format, on a port of
//! their own so that no stranger reads them.

use actix_web::{App, HttpResponse, HttpServer, Responder, get, web};
use usecases::App as Placard;

#[get("/metrics")]
async fn metrics(app: web::Data<Placard>) -> impl Responder {
    let queue = app.db.queue();
    let body = format!(
        "# HELP placard_queue Work that waits for the database.\n# TYPE placard_queue gauge\n\
         placard_queue{{kind=\"write\"}} {}\nplacard_queue{{kind=\"read\"}} {}\n\
         # HELP placard_resident_bytes Memory the process holds.\n# TYPE placard_resident_bytes gauge\n\
         placard_resident_bytes {}\n",
        queue.writes,
        queue.reads,
        resident_bytes().unwrap_or(0)
    );
    HttpResponse::Ok().content_type("text/plain; version=0.0.4").body(body)
}

/// Read from the system's own account of this process, where it keeps one.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

pub fn server(app: Placard, bind: std::net::SocketAddr) -> std::io::Result<actix_web::dev::Server> {
    let data = web::Data::new(app);
    let server = HttpServer::new(move || App::new().app_data(data.clone()).service(metrics));
    Ok(server.workers(1).disable_signals().bind(bind)?.run())
}
