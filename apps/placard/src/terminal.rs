//! Where commands print: on this process's terminal, or on that of an operator who has a
//! server run them.
//!
//! It belongs to the task that runs the command, as standard output belongs to a process,
//! so commands print in the same way everywhere.

use std::future::Future;
use std::io::{ErrorKind, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anstream::{AutoStream, ColorChoice};
use terminal_size::{Width, terminal_size};
use tokio::sync::mpsc::Sender;

use crate::failure::Failure;
use crate::files::OutputFiles;
use crate::output::harmless_line;

/// The width if none is known, and the least used.
const LEAST: usize = 80;

tokio::task_local! {
    static DISTANT: Arc<RemoteTerminal>;
}

/// The terminal of an operator elsewhere.
pub struct RemoteTerminal {
    width: usize,
    /// Output since the last flush.
    printed: Mutex<Vec<OutputItem>>,
    wire: Sender<OutputItem>,
}

/// One item of a command's output, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputItem {
    /// Text on standard output, with colours.
    Text(String),
    /// Bytes on standard output.
    Bytes(Vec<u8>),
    /// Text on standard error.
    Error(String),
    /// Files to be written where the command was typed.
    Files(OutputFiles),
    /// The exit code, which comes last.
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

    /// Sends the output; false if nobody reads it any more.
    pub async fn flush(&self) -> bool {
        let printed = std::mem::take(&mut *self.lock());
        for one in printed {
            if self.wire.send(one).await.is_err() {
                return false;
            }
        }
        true
    }

    /// After a panic, the items are still complete.
    fn lock(&self) -> MutexGuard<'_, Vec<OutputItem>> {
        self.printed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn distant() -> Option<Arc<RemoteTerminal>> {
    DISTANT.try_with(Arc::clone).ok()
}

/// Whether somebody elsewhere reads the output.
pub fn is_distant() -> bool {
    DISTANT.try_with(|_| ()).is_ok()
}

/// The number of cells in a line.
pub fn room() -> usize {
    DISTANT.try_with(|distant| distant.width).unwrap_or_else(|_| own_room())
}

fn own_room() -> usize {
    terminal_size().map_or(LEAST, |(Width(columns), _)| LEAST.max(columns.into()))
}

/// Text on standard output.
///
/// # Errors
/// `Unwritten`.
pub fn print(text: String, color: ColorChoice) -> Result<(), Failure> {
    match distant() {
        Some(distant) => distant.print(OutputItem::Text(text)),
        None => {
            let mut stream = AutoStream::new(std::io::stdout(), color);
            is_read(write!(stream, "{text}").and_then(|()| stream.flush()))?;
        }
    }
    Ok(())
}

/// A part of a longer output; false if nobody reads it any more.
///
/// # Errors
/// `Unwritten`.
pub async fn print_bytes(bytes: &[u8]) -> Result<bool, Failure> {
    match distant() {
        Some(distant) => {
            distant.print(OutputItem::Bytes(bytes.to_vec()));
            Ok(distant.flush().await)
        }
        None => write_bytes(bytes),
    }
}

/// Writes bytes to this process's standard output; false if nobody reads them.
///
/// # Errors
/// `Unwritten`.
pub fn write_bytes(bytes: &[u8]) -> Result<bool, Failure> {
    let mut stdout = std::io::stdout();
    is_read(stdout.write_all(bytes).and_then(|()| stdout.flush()))
}

/// Whether the reader is still there. Closing a pipe is not an error, because the reader has seen enough; any other
/// failure to write is reported.
fn is_read(written: std::io::Result<()>) -> Result<bool, Failure> {
    match written {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Failure::Unwritten(error.to_string())),
    }
}

/// A line on standard error.
pub fn complain(line: &str) {
    let line = harmless_line(line);
    match distant() {
        Some(distant) => distant.print(OutputItem::Error(format!("{line}\n"))),
        // If nobody listens, there is nobody to tell.
        None => drop(writeln!(std::io::stderr(), "{line}")),
    }
}

/// Has files written where the command was typed; false if that is here.
pub fn hand_over(files: &OutputFiles) -> bool {
    let distant = distant();
    if let Some(distant) = &distant {
        distant.print(OutputItem::Files(files.clone()));
    }
    distant.is_some()
}
