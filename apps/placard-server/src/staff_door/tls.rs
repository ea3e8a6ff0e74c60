//! The server certificate for staff.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use desk::installation::settings::InvalidSetting;
use rustls::ServerConfig;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

const CERTIFICATE: &str = "PLACARD_STAFF_TLS_CERT";
const KEY: &str = "PLACARD_STAFF_TLS_KEY";

/// # Errors
/// The variable whose file is invalid or does not match.
pub fn config((certificate, key): &(PathBuf, PathBuf)) -> Result<ServerConfig, InvalidSetting> {
    let wrong = |variable, path: &Path, problem: String| {
        InvalidSetting::new(variable, format!("{}: {problem}", path.display()))
    };
    let in_file = |problem: pem::Error| wrong(CERTIFICATE, certificate, problem.to_string());
    let chain = CertificateDer::pem_file_iter(certificate).map_err(in_file)?;
    let chain = chain.collect::<Result<Vec<_>, _>>().map_err(in_file)?;
    if chain.is_empty() {
        return Err(wrong(CERTIFICATE, certificate, "there is no certificate in it".to_owned()));
    }
    // Errors about a key are reported without the key.
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|problem| match problem {
        pem::Error::NoItemsFound => wrong(KEY, key, "there is no private key in it without encryption".to_owned()),
        other => wrong(KEY, key, other.to_string()),
    })?;
    let builder = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|e| wrong(CERTIFICATE, certificate, e.to_string()))?;
    let served = builder.with_no_client_auth().with_single_cert(chain, secret);
    served.map_err(|e| wrong(KEY, key, e.to_string()))
}
