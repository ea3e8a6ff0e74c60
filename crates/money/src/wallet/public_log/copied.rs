//! Where a database is copied to another place all the time: nothing is shown to anybody that would be lost with the machine.
//!
//! A server that goes on from a copy would else sign another tree of the size that somebody has seen.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use store::wallet::public_log::LogHead;
use tokio::time::sleep;

use super::trouble::LogError;

/// How often it is looked whether a copy has come so far, and how long it is waited in between. Copies are two seconds apart.
const LOOKS: usize = 50;
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// How far a database is copied, in passes that follow each other.
pub trait CopyProgress: Send + Sync {
    /// How many passes have begun.
    fn begun(&self) -> u64;
    /// The number of the last pass that copied all that had been committed before it began; 0 before there was one.
    fn whole(&self) -> u64;
}

/// Lets the ends of the log through that are in a copy; all of them where nothing is copied.
#[derive(Clone, Default)]
pub(super) struct CopyGate {
    progress: Option<Arc<dyn CopyProgress>>,
    /// One that waits, and the pass with which it is copied.
    held: Option<(LogHead, u64)>,
}

impl fmt::Debug for CopyGate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CopyGate").field("held", &self.held).finish_non_exhaustive()
    }
}

impl CopyGate {
    pub(super) fn of(progress: Arc<dyn CopyProgress>) -> Self {
        Self { progress: Some(progress), held: None }
    }

    /// Waits until the end of the log is copied that was committed, or an earlier one that waits already: however slow the
    /// copies are, and however much is added meanwhile, the log goes on.
    pub(super) async fn pass(&mut self, committed: LogHead) -> Result<LogHead, LogError> {
        let Some(progress) = &self.progress else { return Ok(committed) };
        let (head, needed) = match self.held.take() {
            Some(held) if held.0.number == committed.number => held,
            // A pass that has begun may have read before it was committed.
            _ => (committed, progress.begun().saturating_add(1)),
        };
        for look in 0..LOOKS {
            if look > 0 {
                sleep(BETWEEN_LOOKS).await;
            }
            if progress.whole() >= needed {
                return Ok(head);
            }
        }
        self.held = Some((head, needed));
        Err(LogError::NotCopied)
    }
}
