//! Serves until asked to stop, and stops without losing anything.

use std::time::Duration;

use actix_web::dev::Server;
use actix_web::{App, HttpServer, rt};
use base::Clock;
use campaigns::AdServer;
use campaigns::work;
use desk::installation::copying::CopiedUntil;
use desk::installation::examine;
use desk::installation::settings::InvalidSetting;
use desk::installation::upgrade::bring_up_to_date;
use http_api::{Shell, configure};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use crate::config::Config;
use crate::push::Sender;
use crate::witnesses::Witnesses;
use crate::{metrics, public_log, push, staff_door};

/// How long running requests may take after the server was asked to stop.
const GRACE_SECONDS: u64 = 8;
/// Connections beyond this wait in the system's queue.
const CONNECTIONS: usize = 4_096;
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);

/// How long checking the database may delay the start; after that, it continues in the
/// background.
const EXAMINED: Duration = Duration::from_secs(1);

pub async fn serve(app: AdServer, config: &Config, copied: Option<CopiedUntil>) -> Result<(), InvalidSetting> {
    outlive_hangups();
    examine(&app, config).await?;
    bring_up_to_date(&app).await.map_err(|e| InvalidSetting::new("PLACARD_DATABASE_URL", e))?;
    let sender = app.settings.push.as_ref().map(|_| Sender::open()).transpose()?;
    let witnesses = app.settings.witnesses.policy().map(|_| Witnesses::open()).transpose()?;
    // Even the first request sees the content that staff maintain.
    app.follow_content().await;
    let shell = Shell::new(app.clone(), config.proxies.clone());
    let in_workers = shell.clone();
    let server = HttpServer::new(move || App::new().configure(configure(in_workers.clone())))
        .client_request_timeout(HEAD_TIMEOUT)
        .max_connections(CONNECTIONS)
        .shutdown_timeout(GRACE_SECONDS)
        .disable_signals()
        .bind(config.bind)
        .map_err(|e| InvalidSetting::new("PLACARD_BIND", format!("{}: {e}", config.bind)))?
        .run();
    let staff = staff_door::Figures::default();
    let door = match &config.staff {
        // It has its own connections, so that users never wait for staff.
        Some(place) => {
            Some(staff_door::server(config.installation.open(Clock::system())?, shell.clone(), staff.clone(), place)?)
        }
        None => None,
    };
    let door_handle = door.as_ref().map(Server::handle);
    let answering = door.map(rt::spawn);
    if let Some(bind) = config.metrics_bind {
        let metrics = metrics::server(&shell, &staff, copied.clone(), bind);
        rt::spawn(metrics.map_err(|e| InvalidSetting::new("PLACARD_METRICS_BIND", format!("{bind}: {e}")))?);
    }
    let (stop, stopped) = watch::channel(false);
    let sending = rt::spawn(push::run(app.app.clone(), sender, stopped.clone()));
    let logging = rt::spawn(public_log::run(app.app.clone(), witnesses, copied, stopped.clone()));
    let reading_balances = rt::spawn(public_log::read_balances(app.app.clone(), stopped.clone()));
    let (drained, answered) = watch::channel(false);
    let working = rt::spawn(work::run(app, answered));
    let handle = server.handle();
    rt::spawn(async move {
        wait_for_signal().await;
        shell.drain();
        tracing::info!("stopping: answering what is under way");
        // If the receiver is gone, it has stopped already.
        let _ = stop.send(true);
        let staff = async {
            if let Some(handle) = door_handle {
                handle.stop(true).await;
            }
        };
        tokio::join!(handle.stop(true), staff);
    });
    tracing::info!(bind = %config.bind, realm = config.installation.realm.name(), "placard-server answers");
    let ended = server.await;
    // The last requests changed counts and promises too, so the memory is stored after they have ended.
    let _ = drained.send(true);
    let _ = working.await;
    let _ = sending.await;
    let _ = logging.await;
    let _ = reading_balances.await;
    if let Some(answering) = answering {
        let _ = answering.await;
    }
    ended.map_err(|e| InvalidSetting::new("PLACARD_BIND", e))
}

/// Refuses a damaged database if that is found in time; later findings are reported by
/// the readiness probe.
async fn examine(app: &AdServer, config: &Config) -> Result<(), InvalidSetting> {
    let (app, url) = (app.clone(), config.installation.database_url.clone());
    let mut looking = rt::spawn(async move { examine::examine(&app, url).await });
    match tokio::time::timeout(EXAMINED, &mut looking).await {
        Ok(Ok(Err(damage))) => Err(InvalidSetting::refused("PLACARD_DATABASE_URL", format!("it is damaged: {damage}"))),
        Ok(_) => Ok(()),
        Err(_) => {
            rt::spawn(async move {
                if let Ok(Err(damage)) = looking.await {
                    tracing::error!(damage, "the database is damaged");
                }
            });
            Ok(())
        }
    }
}

/// SIGHUP comes from a terminal that closes, and from whoever expects that it reloads something; neither wants the
/// requests under way cut off.
pub fn outlive_hangups() {
    match signal(SignalKind::hangup()) {
        Ok(mut hangup) => drop(tokio::spawn(async move {
            while hangup.recv().await.is_some() {
                tracing::warn!("SIGHUP reloads nothing; what was changed counts after a restart");
            }
        })),
        Err(error) => tracing::error!(%error, "SIGHUP cannot be received, and would end the process"),
    }
}

/// Returns at the first SIGTERM or SIGINT.
async fn wait_for_signal() {
    let (Ok(mut terminate), Ok(mut interrupt)) = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        tracing::error!("signals cannot be received; end the process to stop it");
        return std::future::pending().await;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}
