//! Where the database is continuously copied to another place, nothing is published before it is copied: it could be
//! lost with the machine.
//!
//! Otherwise a server that goes on from the copy would sign a different tree of a size that somebody has already seen.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use store::wallet::public_log::LogHead;
use tokio::time::sleep;

use super::trouble::LogError;

/// How often it is checked whether a copy has come far enough, and the pause between two checks. Copies are two seconds
/// apart.
const LOOKS: usize = 50;
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// How far a database is copied, in passes that follow each other.
pub trait CopyProgress: Send + Sync {
    /// The number of passes that have begun.
    fn begun(&self) -> u64;
    /// The number of the last pass that copied all that had been committed before it began; 0 before there was one.
    fn whole(&self) -> u64;
}

/// Lets the heads of the log pass once they are in a copy; lets all pass where nothing is copied.
#[derive(Clone, Default)]
pub(super) struct CopyGate {
    progress: Option<Arc<dyn CopyProgress>>,
    /// A head that waits, and the number of the pass that will copy it.
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

    /// Waits until the committed head, or an earlier one that waits already, is copied. An earlier one goes first so
    /// that the log goes on however slow the copies are and however much is added meanwhile.
    pub(super) async fn pass(&mut self, committed: LogHead) -> Result<LogHead, LogError> {
        let Some(progress) = &self.progress else { return Ok(committed) };
        let (head, needed) = match self.held.take() {
            Some(held) if held.0.number == committed.number => held,
            // A pass that has begun may have read before this head was committed.
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
