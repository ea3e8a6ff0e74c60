//! Where commands print: on this process's terminal, or on that of whoever has
//! a server run them.
//!
//! It belongs to the task that runs the command, as standard output belongs to
//! a process; so a command prints in one way wherever it runs.

use std::future::Future;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anstream::{AutoStream, ColorChoice};
use terminal_size::{Width, terminal_size};
use tokio::sync::mpsc::Sender;

use crate::files::OutputFiles;

/// What fits where nobody says how wide the terminal is, and the least used.
const LEAST: usize = 80;

tokio::task_local! {
    static DISTANT: Arc<RemoteTerminal>;
}

/// The terminal of somebody elsewhere.
pub struct RemoteTerminal {
    width: usize,
    /// What was printed since the last flush.
    printed: Mutex<Vec<OutputItem>>,
    wire: Sender<OutputItem>,
}

/// One thing that a command leaves, in the order in which it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputItem {
    /// Text on standard output, with colours in it.
    Text(String),
    /// Bytes on standard output.
    Bytes(Vec<u8>),
    /// Text on standard error.
    Error(String),
    /// Files to be written where the command was typed.
    Files(OutputFiles),
    /// The exit code, after which nothing comes.
    Code(u8),
}

impl RemoteTerminal {
    pub fn new(width: usize, wire: Sender<OutputItem>) -> Arc<Self> {
        Arc::new(Self { width: width.max(LEAST), printed: Mutex::default(), wire })
    }

    /// Runs a command that prints here.
    pub async fn show<F: Future>(self: Arc<Self>, command: F) -> F::Output {
        DISTANT.scope(self, command).await
    }

    pub fn print(&self, printed: OutputItem) {
        self.lock().push(printed);
    }

    /// Sends what was printed; false where nobody reads it any more.
    pub async fn flush(&self) -> bool {
        let printed = std::mem::take(&mut *self.lock());
        for one in printed {
            if self.wire.send(one).await.is_err() {
                return false;
            }
        }
        true
    }

    /// A panic while it was held has left whole pieces.
    fn lock(&self) -> MutexGuard<'_, Vec<OutputItem>> {
        self.printed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn distant() -> Option<Arc<RemoteTerminal>> {
    DISTANT.try_with(Arc::clone).ok()
}

/// Whether somebody elsewhere reads what is printed.
pub fn is_distant() -> bool {
    DISTANT.try_with(|_| ()).is_ok()
}

/// How many cells a line may have.
pub fn room() -> usize {
    DISTANT.try_with(|distant| distant.width).unwrap_or_else(|_| own_room())
}

fn own_room() -> usize {
    terminal_size().map_or(LEAST, |(Width(columns), _)| LEAST.max(columns.into()))
}

/// Text on standard output.
pub fn print(text: String, color: ColorChoice) {
    match distant() {
        Some(distant) => distant.print(OutputItem::Text(text)),
        // Whoever closed the pipe has seen enough.
        None => drop(write!(AutoStream::new(std::io::stdout(), color), "{text}")),
    }
}

/// A part of much; false where nobody wants more.
pub async fn print_bytes(bytes: &[u8]) -> bool {
    match distant() {
        Some(distant) => {
            distant.print(OutputItem::Bytes(bytes.to_vec()));
            distant.flush().await
        }
        None => std::io::stdout().write_all(bytes).is_ok(),
    }
}

/// A line on standard error.
pub fn complain(line: &str) {
    match distant() {
        Some(distant) => distant.print(OutputItem::Error(format!("{line}\n"))),
        // Nobody can be told that nobody listens.
        None => drop(writeln!(std::io::stderr(), "{line}")),
    }
}

/// Has files written where the command was typed; false where that is here.
pub fn hand_over(files: &OutputFiles) -> bool {
    let distant = distant();
    if let Some(distant) = &distant {
        distant.print(OutputItem::Files(files.clone()));
    }
    distant.is_some()
}
