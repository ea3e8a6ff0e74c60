use std::sync::Arc;

/// The current step, and how many rows or files are done.
pub type ProgressCallback = Arc<dyn Fn(&'static str, u64) + Send + Sync>;
