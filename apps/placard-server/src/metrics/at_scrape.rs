//! Figures that are read when Prometheus asks, because no event of the server marks their changes.

use std::fmt::{Debug, Error, Formatter};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base::Timestamp;
use campaigns::AdServer;
use desk::installation::backlogs::{LogFigures, Waiting, WaitingFigures, waiting_figures};
use desk::installation::copying::CopiedUntil;
use foundation::Reports;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeGaugeValue, EncodeMetric};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Unit;

/// However often it is asked, the database is asked once in this time.
const FRESH_MILLIS: i64 = 10_000;

/// The last answer of the database about waiting work and people. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Waits(Arc<Mutex<Option<Asked>>>);

/// When the database was asked, and its answer, if it gave one.
type Asked = (Timestamp, Option<WaitingFigures>);

impl Waits {
    /// Asks the database, unless that was done a moment ago. While it does not answer, these
    /// figures are absent.
    pub async fn refresh(&self, app: &AdServer) {
        let now = app.now();
        if self.0.lock().unwrap_or_else(PoisonError::into_inner).as_ref().is_some_and(|(at, _)| is_fresh(*at, now)) {
            return;
        }
        let found = waiting_figures(app).await;
        let found = found.inspect_err(|error| tracing::warn!(%error, "waiting work was not read for /metrics")).ok();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, found));
    }

    fn seen(&self) -> Option<WaitingFigures> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).as_ref()?.1.clone()
    }
}

fn is_fresh(at: Timestamp, now: Timestamp) -> bool {
    (0..FRESH_MILLIS).contains(&now.since(at))
}

pub struct AtScrape {
    pub app: AdServer,
    pub waits: Waits,
    /// Only if the database is copied.
    pub copied: Option<CopiedUntil>,
}

impl Debug for AtScrape {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result<(), Error> {
        f.write_str("AtScrape")
    }
}

impl Collector for AtScrape {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> Result<(), Error> {
        let mut told = Told(encoder);
        let app = &self.app;
        told.labelled("queue_depth", "Work that waits for a thread of the database", None, "queue", || {
            app.db.queues().into_iter().map(|queue| (queue.queue, queue.depth as i64))
        })?;
        let hashing = app.hashing();
        told.counter("passwords_hashed", "Passwords hashed with Argon2", hashing.begun)?;
        told.gauge("passwords_waiting", "Passwords that wait for a core", None, hashing.waiting as i64)?;
        let unkept = "Refused events beyond the limit of their network or plan, which are not stored";
        told.counter("events_unkept", unkept, app.unkept_events())?;
        told.exchanges(app)?;
        if let Some(copied) = &self.copied {
            told.moment("copied_timestamp", "Everything answered before is copied", copied.get())?;
        }
        app.db.reports().map_or(Ok(()), |reports| told.replica(reports))?;
        self.waits.seen().map_or(Ok(()), |seen| told.waits(&seen))
    }
}

struct Told<'a>(DescriptorEncoder<'a>);

impl Told<'_> {
    fn counter(&mut self, name: &str, help: &str, value: u64) -> Result<(), Error> {
        let counter = ConstCounter::new(value);
        counter.encode(self.0.encode_descriptor(name, help, None, counter.metric_type())?)
    }

    fn gauge<N: EncodeGaugeValue>(&mut self, name: &str, help: &str, unit: Option<&Unit>, value: N) -> Result<(), Error>
    where
        ConstGauge<N>: EncodeMetric,
    {
        ConstGauge::new(value).encode(self.0.encode_descriptor(name, help, unit, MetricType::Gauge)?)
    }

    /// A gauge for each value of one label.
    fn labelled<I: Iterator<Item = (&'static str, i64)>>(
        &mut self,
        name: &str,
        help: &str,
        unit: Option<&Unit>,
        label: &'static str,
        values: impl Fn() -> I,
    ) -> Result<(), Error> {
        let mut family = self.0.encode_descriptor(name, help, unit, MetricType::Gauge)?;
        for (name, value) in values() {
            ConstGauge::new(value).encode(family.encode_family(&[(label, name)])?)?;
        }
        Ok(())
    }

    /// How the requests of ad exchanges ended. Staff register exchanges, so there are few.
    fn exchanges(&mut self, app: &AdServer) -> Result<(), Error> {
        let help = "Requests of ad exchanges, by what came of them";
        let mut family = self.0.encode_descriptor("ssp_outcomes", help, None, MetricType::Counter)?;
        for of in app.ssp_outcomes() {
            let labels = [("ssp", of.ssp.to_string()), ("outcome", of.outcome.to_owned())];
            ConstCounter::new(of.number).encode(family.encode_family(&labels)?)?;
        }
        Ok(())
    }

    /// Without a lag, the replica is not used.
    fn replica(&mut self, reports: Reports) -> Result<(), Error> {
        let answered = "Reports that the replica answered";
        self.counter("reports_from_replica", answered, reports.from_replica)?;
        self.counter("reports_from_primary", "Reports that the replica did not answer", reports.from_primary)?;
        let used = i64::from(reports.lag_millis.is_some());
        self.gauge("replica_used", "Whether reports are read from the replica", None, used)?;
        reports.lag_millis.map_or(Ok(()), |millis| {
            let help = "How old the replica's figures are";
            let lag = Duration::from_millis(u64::try_from(millis).unwrap_or(0));
            self.gauge("replica_lag", help, Some(&Unit::Seconds), lag.as_secs_f64())
        })
    }

    fn waits(&mut self, seen: &WaitingFigures) -> Result<(), Error> {
        let seconds = Some(&Unit::Seconds);
        let counts = |of: &[Waiting; 3]| of.map(|of| (of.what, of.count)).into_iter();
        let ages = |of: &[Waiting; 3]| of.map(|of| (of.what, of.oldest_seconds)).into_iter();
        self.labelled("staff_waiting", "Cases that staff must decide", None, "what", || counts(&seen.staff))?;
        let oldest = "How long the oldest case waits for staff";
        self.labelled("staff_waiting_oldest", oldest, seconds, "what", || ages(&seen.staff))?;
        let overdue = "Steps that a server should have done five minutes ago";
        self.labelled("overdue", overdue, None, "what", || counts(&seen.overdue))?;
        self.labelled("overdue_oldest", "How late the oldest is", seconds, "what", || ages(&seen.overdue))?;
        let backup = "When the last backup was made";
        self.moment("backup_timestamp", backup, seen.backup)?;
        let verified = "When the whole ledger was last found right";
        self.moment("ledger_verified_timestamp", verified, seen.ledger_verified)?;
        let cosigned = "When enough witnesses last cosigned the public log";
        seen.log_cosigned.map_or(Ok(()), |at| self.moment("log_cosigned_timestamp", cosigned, at))?;
        seen.log.map_or(Ok(()), |log| self.log(log))
    }

    fn log(&mut self, log: LogFigures) -> Result<(), Error> {
        let size = i64::try_from(log.size).unwrap_or(i64::MAX);
        self.gauge("log_size", "Transactions in the public log", None, size)?;
        self.moment("log_checkpoint_timestamp", "When its last checkpoint was signed", Some(log.signed_at))?;
        self.gauge("log_unsealed", "Transactions that are not in it yet", None, log.unsealed.count)?;
        let oldest = "How long the oldest of them waits";
        self.gauge("log_unsealed_oldest", oldest, Some(&Unit::Seconds), log.unsealed.oldest_seconds)?;
        self.gauge("log_stopped", "Whether it does not go on as it was published", None, i64::from(log.stopped))
    }

    /// Seconds since 1970; 0 for never.
    fn moment(&mut self, name: &str, help: &str, at: Option<Timestamp>) -> Result<(), Error> {
        self.gauge(name, help, Some(&Unit::Seconds), at.map_or(0, Timestamp::seconds))
    }
}
