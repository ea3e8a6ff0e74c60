//! Progress of long work, for somebody who waits at a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::Output;

const COUNTED: &str = "{msg} [{bar:30}] {human_pos} of {human_len}, {eta} left";
const UNCOUNTED: &str = "{msg} {spinner} {human_pos}, {elapsed}";
/// Drawing costs more than most of the work.
const DRAWS_PER_SECOND: u8 = 10;
/// Without a count, a beat shows at least that work continues.
const BEAT: Duration = Duration::from_millis(250);

/// A bar on standard error; nothing if that is not a terminal, or if the output is for a
/// program. Clones are the same bar.
#[derive(Clone)]
pub struct Progress(ProgressBar);

impl Progress {
    /// `total` is the number of pieces, if known beforehand.
    pub fn new(out: Output, doing: &'static str, total: Option<u64>) -> Self {
        let target = match out.is_watched() {
            true => ProgressDrawTarget::stderr_with_hz(DRAWS_PER_SECOND),
            false => ProgressDrawTarget::hidden(),
        };
        let template = if total.is_some() { COUNTED } else { UNCOUNTED };
        let bar = ProgressBar::with_draw_target(total, target).with_message(doing);
        bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
        if total.is_none() && out.is_watched() {
            bar.enable_steady_tick(BEAT);
        }
        Self(bar)
    }

    /// Sets the number of pieces once it is known.
    pub fn of(&self, total: u64) {
        self.0.set_length(total);
    }

    /// The next of several steps.
    pub fn doing(&self, step: &'static str) {
        self.0.set_message(step);
    }

    /// Sets how many pieces are done.
    pub fn at(&self, done: u64) {
        self.0.set_position(done);
    }

    /// Removes the bar; the output follows.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}

impl demo::Progress for Progress {
    fn at(&self, done: u64) {
        Self::at(self, done);
    }
}
