//! The server's own configuration, besides that of every program of an installation.

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

use base::typed::folded;
use desk::installation::settings::{Installation, InvalidSetting, Values};
use http_api::TrustedProxies;

use crate::log::Format;

#[derive(Clone, Debug)]
pub struct Config {
    pub installation: Installation,
    pub bind: SocketAddr,
    pub metrics_bind: Option<SocketAddr>,
    pub staff: Option<StaffPlace>,
    pub log: Format,
    /// Where traces of requests are sent.
    pub traces: Option<String>,
    pub proxies: TrustedProxies,
}

/// The address for staff's commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaffPlace {
    pub bind: SocketAddr,
    /// The files of certificate and key; without them, the server does not use TLS there.
    pub tls: Option<(PathBuf, PathBuf)>,
}

impl Config {
    /// # Errors
    /// The first variable with an invalid value.
    pub fn read(values: &Values) -> Result<Self, InvalidSetting> {
        Ok(Self {
            bind: address("PLACARD_BIND", values.or("PLACARD_BIND", "127.0.0.1:8080"))?,
            metrics_bind: values
                .get("PLACARD_METRICS_BIND")
                .map(|text| address("PLACARD_METRICS_BIND", text))
                .transpose()?,
            staff: staff(values)?,
            log: format(values.or("PLACARD_LOG", "json"))?,
            traces: values.get("PLACARD_TRACES_URL").map(traces).transpose()?,
            proxies: match values.get("PLACARD_TRUSTED_PROXIES") {
                None => TrustedProxies::default(),
                Some(text) => {
                    text.parse().map_err(|e| InvalidSetting::new("PLACARD_TRUSTED_PROXIES", format!("{text}: {e}")))?
                }
            },
            installation: Installation::read(values)?,
        })
    }
}

fn address(variable: &'static str, text: &str) -> Result<SocketAddr, InvalidSetting> {
    let found = text.to_socket_addrs().map(|mut all| all.next());
    found.ok().flatten().ok_or_else(|| {
        InvalidSetting::new(
            variable,
            format!("{text} is no address of this machine with a port, such as 127.0.0.1:8080"),
        )
    })
}

/// Answers contain keys, so nothing leaves the machine unless the server or a configured
/// proxy encrypts it.
fn staff(values: &Values) -> Result<Option<StaffPlace>, InvalidSetting> {
    let file = |variable| values.get(variable).map(PathBuf::from);
    let tls = match (file("PLACARD_STAFF_TLS_CERT"), file("PLACARD_STAFF_TLS_KEY")) {
        (Some(certificate), Some(key)) => Some((certificate, key)),
        (None, None) => None,
        (Some(_), None) => {
            return Err(InvalidSetting::new("PLACARD_STAFF_TLS_CERT", "PLACARD_STAFF_TLS_KEY is missing"));
        }
        (None, Some(_)) => {
            return Err(InvalidSetting::new("PLACARD_STAFF_TLS_KEY", "PLACARD_STAFF_TLS_CERT is missing"));
        }
    };
    let Some(text) = values.get("PLACARD_STAFF_BIND") else { return Ok(None) };
    let bind = address("PLACARD_STAFF_BIND", text)?;
    if tls.is_none() && !bind.ip().is_loopback() && values.get("PLACARD_TRUSTED_PROXIES").is_none() {
        let problem = "not without PLACARD_STAFF_TLS_CERT and _KEY, or a proxy in PLACARD_TRUSTED_PROXIES";
        return Err(InvalidSetting::new("PLACARD_STAFF_BIND", format!("{text}: {problem}")));
    }
    Ok(Some(StaffPlace { bind, tls }))
}

fn traces(url: &str) -> Result<String, InvalidSetting> {
    let begins = ["http://", "https://"].iter().any(|scheme| url.starts_with(scheme));
    if begins && reqwest::Url::parse(url).is_ok() {
        return Ok(url.to_owned());
    }
    let problem = format!(
        "{url}: it is no address that begins with http:// or https://, as http://127.0.0.1:4318/v1/traces does"
    );
    Err(InvalidSetting::new("PLACARD_TRACES_URL", problem))
}

fn format(text: &str) -> Result<Format, InvalidSetting> {
    match folded(text).as_str() {
        "json" => Ok(Format::Json),
        "text" => Ok(Format::Text),
        _ => Err(InvalidSetting::new("PLACARD_LOG", format!("{text} is neither json nor text"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Config, InvalidSetting> {
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
    fn a_word_is_known_however_it_is_written() {
        for (text, format) in [("TEXT", Format::Text), (" text\r", Format::Text), ("Json ", Format::Json)] {
            assert_eq!(read(&[("PLACARD_LOG", text)]).expect(text).log, format);
        }
        let config = read(&[("PLACARD_BIND", " 127.0.0.1:9000\n"), ("PLACARD_METRICS_BIND", "  ")]).expect("read");
        assert_eq!((config.bind.port(), config.metrics_bind), (9000, None));
    }

    #[test]
    fn staff_are_answered_in_the_clear_on_this_machine_alone_or_behind_a_proxy() {
        let bind = ("PLACARD_STAFF_BIND", "0.0.0.0:9443");
        assert_eq!(read(&[]).expect("defaults").staff, None);
        assert!(read(&[("PLACARD_STAFF_BIND", "127.0.0.1:9443")]).expect("here").staff.is_some());
        assert!(read(&[bind, ("PLACARD_TRUSTED_PROXIES", "10.0.0.1")]).expect("a proxy").staff.is_some());
        let (cert, key) = (("PLACARD_STAFF_TLS_CERT", "c.pem"), ("PLACARD_STAFF_TLS_KEY", "k.pem"));
        assert!(read(&[bind, cert, key]).expect("encrypted").staff.is_some_and(|staff| staff.tls.is_some()));
        assert_eq!(read(&[bind, cert]).map(|_| ()).expect_err("no key").variable, "PLACARD_STAFF_TLS_CERT");
    }

    #[test]
    fn a_wrong_value_is_named() {
        for (variable, value) in [
            ("PLACARD_BIND", "nowhere"),
            ("PLACARD_BIND", ":8080"),
            ("PLACARD_BIND", "127.0.0.1:99999"),
            ("PLACARD_METRICS_BIND", "127.0.0.1"),
            ("PLACARD_STAFF_BIND", "127.0.0.1"),
            ("PLACARD_STAFF_BIND", "0.0.0.0:9443"),
            ("PLACARD_LOG", "xml"),
            ("PLACARD_TRACES_URL", "127.0.0.1:4318"),
            ("PLACARD_TRACES_URL", "http://"),
            ("PLACARD_TRACES_URL", "http://a b"),
            ("PLACARD_TRUSTED_PROXIES", "127.0.0.1,here"),
            ("PLACARD_REALM", "test"),
            ("PLACARD_REPLICA_URL", "here"),
            ("PLACARD_CURRENCY", "dollars"),
            ("PLACARD_DOMAIN", "https://ads.example.com"),
            ("PLACARD_LOG_TOTALS", "no"),
            ("PLACARD_PAYOUT_MINIMUM", "0"),
            ("PLACARD_PAYOUT_NETWORKS", "BTC"),
            ("PLACARD_PAYOUT_DELAY_DAYS", "0"),
            ("PLACARD_CONTACTS", "/nowhere.toml"),
            ("PLACARD_WITNESSES", "/nowhere"),
            ("PLACARD_PUSH_SUBJECT", "ops"),
            ("PLACARD_PUSH_TEST_SERVICE", "http://127.0.0.1:8090"),
            ("PLACARD_SHELL_ORIGINS", "http://shell.example.com"),
            ("PLACARD_FILES_URL", "ftp://host/files"),
            ("PLACARD_COPY_URL", "/backups"),
            ("PLACARD_CONFIG", "/nowhere.toml"),
        ] {
            assert_eq!(read(&[(variable, value)]).map(|_| ()).expect_err(variable).variable, variable);
        }
    }
}
