//! A bucket in any S3-compatible store.

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{ObjectStore, RetryConfig};

use crate::traced::TracedConnector;

/// Somebody waits for the answer, so it gives up soon.
const RETRIES: usize = 3;
const RETRY_FOR: Duration = Duration::from_secs(6);

pub fn open(
    name: &str,
    prefix: &Path,
    settings: &[(AmazonS3ConfigKey, String)],
) -> Result<Arc<dyn ObjectStore>, String> {
    // If it fails, the same provider was installed before.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let retry = RetryConfig { max_retries: RETRIES, retry_timeout: RETRY_FOR, ..RetryConfig::default() };
    let configured = settings
        .iter()
        .fold(AmazonS3Builder::new(), |builder, (key, value)| builder.with_config(*key, value))
        .with_bucket_name(name)
        .with_http_connector(TracedConnector::default())
        .with_retry(retry);
    let store = configured.build().map_err(|error| crate::one_line(&error.to_string()))?;
    Ok(Arc::new(PrefixStore::new(store, prefix.clone())))
}
