//! The state of a process that serves ads.

use std::ops::Deref;
use std::sync::Arc;

use foundation::App;
use objects::Objects;

use crate::delivery::archive::EventFiles;
use crate::delivery::auction::bodies::BodyRoom;
use crate::delivery::market::Market;
use crate::delivery::postback::ListTurns;
use crate::delivery::refused_events::RefusedEvents;
use crate::delivery::senders::Senders;
use crate::delivery::ssp::outcomes::OutcomeCounts;

/// An installation that serves ads: its state, and what this process knows of the market. Clones share it. Use cases
/// that serve no ads take an [`App`].
#[derive(Clone)]
pub struct AdServer {
    pub app: App,
    pub market: Arc<Market>,
    pub(crate) senders: Arc<Senders>,
    pub(crate) list_turns: Arc<ListTurns>,
    pub(crate) refused_events: Arc<RefusedEvents>,
    pub ssp_outcomes: Arc<OutcomeCounts>,
    pub(crate) auction_bodies: Arc<BodyRoom>,
    pub(crate) event_files: Arc<EventFiles>,
}

impl AdServer {
    pub fn new(app: App) -> Self {
        Self {
            app,
            market: Arc::default(),
            senders: Arc::default(),
            list_turns: Arc::default(),
            refused_events: Arc::default(),
            ssp_outcomes: Arc::default(),
            auction_bodies: Arc::default(),
            event_files: Arc::default(),
        }
    }

    /// Adds a file storage; without one, no files are accepted.
    pub fn with_objects(self, objects: Objects) -> Self {
        Self { app: self.app.with_objects(objects), ..self }
    }

    /// The same installation, with every write undone: use cases return what they would do.
    /// Caches in memory are not affected.
    #[must_use]
    pub fn rehearsing(&self) -> Self {
        Self { app: self.app.rehearsing(), ..self.clone() }
    }

    /// The number of refused events since the start that were counted but not stored.
    pub fn unkept_events(&self) -> u64 {
        self.refused_events.unkept()
    }
}

impl Deref for AdServer {
    type Target = App;

    fn deref(&self) -> &App {
        &self.app
    }
}
