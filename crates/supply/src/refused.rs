//! The reasons for refusing.

use crate::publisher::PublisherStatus;

/// A refusal. It changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The publisher's status does not lead there.
    #[error("{from} does not become {to}")]
    StatusNotPossible { from: PublisherStatus, to: PublisherStatus },
}
