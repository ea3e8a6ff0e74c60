//! Numbers and durations of requests, for `/metrics`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use actix_web::http::StatusCode;

/// Counts since the start. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Figures(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    answered: AtomicU64,
    turned_away: AtomicU64,
    failed: AtomicU64,
    micros: AtomicU64,
    under_way: AtomicU64,
}

/// The counts at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestCounts {
    pub answered: u64,
    /// With a status of 4xx, such as an unknown path or too many attempts.
    pub turned_away: u64,
    /// With a status of 5xx.
    pub failed: u64,
    /// The total duration of all finished requests.
    pub micros: u64,
    pub under_way: u64,
}

/// A request in progress.
pub struct RequestInProgress {
    counts: Arc<Counts>,
    begun: Instant,
}

impl Figures {
    pub fn begin(&self) -> RequestInProgress {
        self.0.under_way.fetch_add(1, Ordering::Relaxed);
        RequestInProgress { counts: Arc::clone(&self.0), begun: Instant::now() }
    }

    pub fn seen(&self) -> RequestCounts {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let counts = &self.0;
        RequestCounts {
            answered: read(&counts.answered),
            turned_away: read(&counts.turned_away),
            failed: read(&counts.failed),
            micros: read(&counts.micros),
            under_way: read(&counts.under_way),
        }
    }
}

impl RequestInProgress {
    pub fn end(self, status: StatusCode) {
        let count = match status {
            status if status.is_server_error() => &self.counts.failed,
            status if status.is_client_error() => &self.counts.turned_away,
            _ => &self.counts.answered,
        };
        count.fetch_add(1, Ordering::Relaxed);
        let micros = u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.counts.micros.fetch_add(micros, Ordering::Relaxed);
    }
}

/// Counts requests whose client left before the answer, too.
impl Drop for RequestInProgress {
    fn drop(&mut self) {
        self.counts.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_request_is_counted_once() {
        let figures = Figures::default();
        figures.begin().end(StatusCode::OK);
        figures.begin().end(StatusCode::NOT_FOUND);
        figures.begin().end(StatusCode::SERVICE_UNAVAILABLE);
        drop(figures.begin());
        let open = figures.begin();
        let seen = figures.seen();
        assert_eq!((seen.answered, seen.turned_away, seen.failed, seen.under_way), (1, 1, 1, 1));
        drop(open);
    }
}
