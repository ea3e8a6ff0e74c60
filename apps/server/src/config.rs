//! What the server is told, beyond what every program of an installation is.

use std::net::{SocketAddr, ToSocketAddrs};

use http_api::TrustedProxies;
use usecases::settings::{Installation, Values, Wrong};

use crate::log::Format;

#[derive(Clone, Debug)]
pub struct Config {
    pub installation: Installation,
    pub bind: SocketAddr,
    pub metrics_bind: Option<SocketAddr>,
    pub log: Format,
    pub proxies: TrustedProxies,
}

impl Config {
    /// # Errors
    /// The first variable whose value is wrong.
    pub fn read(values: &Values) -> Result<Self, Wrong> {
        Ok(Self {
            bind: address("PLACARD_BIND", values.or("PLACARD_BIND", "127.0.0.1:8080"))?,
            metrics_bind: values
                .get("PLACARD_METRICS_BIND")
                .map(|text| address("PLACARD_METRICS_BIND", text))
                .transpose()?,
            log: format(values.or("PLACARD_LOG", "json"))?,
            proxies: match values.get("PLACARD_TRUSTED_PROXIES") {
                None => TrustedProxies::default(),
                Some(text) => {
                    text.parse().map_err(|e| Wrong::new("PLACARD_TRUSTED_PROXIES", format!("{text}: {e}")))?
                }
            },
            installation: Installation::read(values)?,
        })
    }
}

fn address(variable: &'static str, text: &str) -> Result<SocketAddr, Wrong> {
    let found = text.to_socket_addrs().map_err(|e| Wrong::new(variable, format!("{text}: {e}")))?.next();
    found.ok_or_else(|| Wrong::new(variable, format!("{text} is no address")))
}

fn format(text: &str) -> Result<Format, Wrong> {
    match text {
        "json" => Ok(Format::Json),
        "text" => Ok(Format::Text),
        other => Err(Wrong::new("PLACARD_LOG", format!("{other} is neither json nor text"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Config, Wrong> {
        let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Config::read(&Values::from_pairs(pairs)?)
    }

    #[test]
    fn nothing_needs_to_be_told() {
        let config = read(&[]).expect("defaults");
        assert_eq!(config.bind.to_string(), "127.0.0.1:8080");
        assert_eq!((config.metrics_bind, config.log), (None, Format::Json));
    }

    #[test]
    fn a_wrong_value_is_named() {
        for (variable, value) in [
            ("PLACARD_BIND", "nowhere"),
            ("PLACARD_METRICS_BIND", "127.0.0.1"),
            ("PLACARD_LOG", "xml"),
            ("PLACARD_TRUSTED_PROXIES", "127.0.0.1,here"),
            ("PLACARD_REALM", "test"),
            ("PLACARD_REPLICA_URL", "here"),
            ("PLACARD_CURRENCY", "dollars"),
            ("PLACARD_CONTACTS", "/nowhere.toml"),
            ("PLACARD_SHELL_ORIGINS", "http://shell.example.com"),
            ("PLACARD_FILES_URL", "ftp://host/files"),
            ("PLACARD_CONFIG", "/nowhere.toml"),
        ] {
            assert_eq!(read(&[(variable, value)]).map(|_| ()).expect_err(variable).variable, variable);
        }
    }
}
