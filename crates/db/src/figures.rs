//! How long work waits and how long commits take, as histograms of Prometheus.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

/// Since this database was opened. Clones share them.
#[derive(Clone, Debug)]
pub struct Figures {
    /// The duration of the COMMIT alone, including the flush.
    pub(crate) commit: Histogram,
    /// The pieces of work in one commit.
    pub(crate) commands: Histogram,
    waits: Family<OfQueue, Histogram, fn() -> Histogram>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfQueue {
    queue: &'static str,
}

impl Default for Figures {
    fn default() -> Self {
        Self { commit: seconds(), commands: Histogram::new(exponential_buckets(1.0, 2.0, 9)), waits: by_queue() }
    }
}

/// From a tenth of a millisecond to 6.5 seconds.
fn seconds() -> Histogram {
    Histogram::new(exponential_buckets(0.000_1, 2.0, 17))
}

fn by_queue() -> Family<OfQueue, Histogram, fn() -> Histogram> {
    Family::new_with_constructor(seconds)
}

impl Figures {
    /// How long work waits in a queue.
    pub(crate) fn wait(&self, queue: &'static str) -> Histogram {
        self.waits.get_or_create_owned(&OfQueue { queue })
    }

    pub fn register(&self, registry: &mut Registry) {
        let seconds = || Unit::Seconds;
        registry.register_with_unit("commit_duration", "What a COMMIT took", seconds(), self.commit.clone());
        registry.register("commit_commands", "Pieces of work in one commit", self.commands.clone());
        let waits = "How long work waited for a thread of the database";
        registry.register_with_unit("queue_wait", waits, seconds(), self.waits.clone());
    }
}
