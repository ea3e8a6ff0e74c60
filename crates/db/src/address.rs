//! How the address of a PostgreSQL server says to connect: libpq's connection URI, PostgreSQL's documentation, section
//! 34.1.1.2.

use std::net::IpAddr;

use crate::Error;

/// Passwords and money pass over the connection, so another machine is reached only as the
/// address says: libpq would otherwise connect without encryption, and say nothing.
///
/// # Errors
/// For a host that is not this machine, in an address without `sslmode`.
pub fn says_how_it_is_encrypted(url: &str) -> Result<(), Error> {
    says_how(url, |name| std::env::var(name).ok())
}

/// How long to wait for a machine that does not answer, in libpq's parameters (section 34.1.2). The default would be
/// the kernel's two hours, during which all writers would wait for a dead primary.
const PATIENCE: [(&str, u32); 5] = [
    ("connect_timeout", 5),
    ("keepalives_idle", 5),
    ("keepalives_interval", 2),
    ("keepalives_count", 3),
    // Milliseconds.
    ("tcp_user_timeout", 10_000),
];

/// The address of another machine, with what it does not say itself about being patient.
pub fn with_patience(url: &str) -> String {
    patient(url, |name| std::env::var(name).ok())
}

fn patient(url: &str, variable: impl Fn(&str) -> Option<String>) -> String {
    if service(url, &variable).is_none() && hosts(url, &variable).iter().all(|host| is_here(host)) {
        return url.to_owned();
    }
    let missing = PATIENCE.iter().filter(|(name, _)| parameter(url, name).is_none());
    missing.fold(url.to_owned(), |url, (name, value)| {
        let joint = if url.contains('?') { '&' } else { '?' };
        format!("{url}{joint}{name}={value}")
    })
}

/// libpq's error without a password: libpq quotes the parts of an address that it cannot parse.
pub fn without_password(url: &str, told: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let named = rest.rsplit_once('@').is_some_and(|(who, _)| who.contains(':'));
    match told.split_once('"') {
        // libpq could parse the address, and names only a server.
        _ if told.starts_with("connection to server") => told.to_owned(),
        Some((before, _)) if named || parameter(url, "password").is_some() => format!("{before}…"),
        _ => told.to_owned(),
    }
}

/// libpq takes from its own environment variables what the address does not say.
fn says_how(url: &str, variable: impl Fn(&str) -> Option<String>) -> Result<(), Error> {
    if parameter(url, "sslmode").is_some() {
        return Ok(());
    }
    let service = service(url, &variable).map(|name| format!("the service {name}"));
    match service.or_else(|| hosts(url, variable).into_iter().find(|host| !is_here(host))) {
        None => Ok(()),
        Some(host) => Err(Error::Connect(format!(
            "{host} may be another machine: add sslmode=verify-full (and sslrootcert, the file of its authority) \
             to the address, or sslmode=disable if nobody else is on the network between"
        ))),
    }
}

/// A section of libpq's service file, which may name any machine.
fn service(url: &str, variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    parameter(url, "service").or_else(|| variable("PGSERVICE"))
}

/// All hosts that may be connected to; none for a socket in the default place.
fn hosts(url: &str, variable: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let authority = authority.rsplit_once('@').map_or(authority, |(_, hosts)| hosts);
    let mut named: Vec<String> = authority.split(',').map(|host| decoded(without_port(host))).collect();
    named.extend(list(parameter(url, "host")));
    named.retain(|host| !host.is_empty());
    if named.is_empty() {
        named.extend(list(variable("PGHOST")));
    }
    named.extend(list(parameter(url, "hostaddr").or_else(|| variable("PGHOSTADDR"))));
    named
}

fn list(hosts: Option<String>) -> impl Iterator<Item = String> {
    let hosts: Vec<String> = hosts.iter().flat_map(|hosts| hosts.split(',')).map(decoded).collect();
    hosts.into_iter().filter(|host| !host.is_empty())
}

/// `[::1]:5432` is an address in brackets.
fn without_port(host: &str) -> &str {
    match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, _)) => address,
        None => host.split(':').next().unwrap_or(host),
    }
}

fn parameter(url: &str, name: &str) -> Option<String> {
    let (_, query) = url.split_once('?')?;
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    // libpq treats an empty value as its default.
    pairs.filter(|(key, value)| *key == name && !value.is_empty()).map(|(_, value)| value.to_owned()).next()
}

/// Decodes the path of a socket, in which slashes are encoded. A text that cannot be decoded stays as it is.
fn decoded(text: &str) -> String {
    text.replace("%2F", "/").replace("%2f", "/").replace("%3A", ":").replace("%3a", ":")
}

/// A socket, or an address of this machine's own.
fn is_here(host: &str) -> bool {
    let is_socket = host.starts_with('/') || host.starts_with('@');
    is_socket || host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says_how_it_is_encrypted(url: &str) -> Result<(), Error> {
        says_how(url, |_| None)
    }

    #[test]
    fn what_libpq_takes_from_its_environment_counts() {
        let with = |name: &'static str, value: &'static str| {
            move |url: &str| says_how(url, |asked| (asked == name).then(|| value.to_owned())).is_ok()
        };
        let (host, address, service) =
            (with("PGHOST", "db.example"), with("PGHOSTADDR", "10.0.0.5"), with("PGSERVICE", "placard"));
        assert!(!host("postgres:///placard") && host("postgres://localhost/placard"));
        assert!(!address("postgres://localhost/placard") && address("postgres://localhost/placard?hostaddr=127.0.0.1"));
        assert!(!service("postgres://localhost/placard") && service("postgres://localhost/placard?sslmode=disable"));
        assert!(with("PGHOST", "/run/postgresql")("postgres:///placard"));
    }

    #[test]
    fn another_machine_is_not_waited_for_for_ever() {
        let url = "postgres://db.example/placard?sslmode=disable&connect_timeout=9";
        let rest = "keepalives_idle=5&keepalives_interval=2&keepalives_count=3&tcp_user_timeout=10000";
        assert_eq!(patient(url, |_| None), format!("{url}&{rest}"));
        let patient = |url: &str| patient(url, |_| None);
        assert_eq!(patient("postgres://localhost/placard"), "postgres://localhost/placard");
        assert!(patient("postgres:///?service=placard").contains("&tcp_user_timeout="), "it may be anywhere");
    }

    #[test]
    fn no_password_is_told() {
        for (url, told, shown) in [
            (
                "postgres://me:hun%ter2@db/p",
                "invalid percent-encoded token: \"hun%ter2\"",
                "invalid percent-encoded token: …",
            ),
            ("postgres://me:hun/ter2@db/p", "invalid integer value \"hun\" for \"port\"", "invalid integer value …"),
            ("postgres:///p?password=a=b", "extra key/value separator in: \"a=b\"", "extra key/value separator in: …"),
            ("postgres://me@db/p?foo=1", "invalid parameter: \"foo\"", "invalid parameter: \"foo\""),
            ("postgres://me:a@db/p", "connection to server at \"db\" failed", "connection to server at \"db\" failed"),
        ] {
            assert_eq!(without_password(url, told), shown);
        }
    }

    #[test]
    fn this_machine_needs_no_encryption() {
        for url in [
            "postgres://localhost/placard",
            "postgres://me:secret@127.0.0.1:5432/placard",
            "postgres://me@[::1]:5432/placard",
            "postgres:///placard",
            "postgres:///placard?host=/var/run/postgresql",
            "postgresql://%2Fvar%2Frun%2Fpostgresql/placard",
            "postgres://127.0.0.1:5432,localhost:5433/placard?target_session_attrs=read-write",
            "postgres://[::ffff:127.0.0.1]/placard",
        ] {
            assert_eq!(says_how_it_is_encrypted(url).map_err(|e| e.to_string()), Ok(()), "{url}");
        }
    }

    #[test]
    fn another_machine_does_unless_the_address_says_otherwise() {
        for url in [
            "postgres://db.example/placard",
            "postgres://me:p@ss@10.0.0.5:5432/placard",
            "postgres://me@[2001:db8::5]:5432/placard",
            "postgres:///placard?host=db.example",
            "postgres://localhost/placard?hostaddr=10.0.0.5",
            "postgres://localhost,db.example/placard",
            "postgres://127.0.0.1.example.com/placard",
            "postgres://db.example/sslmode=disable",
            "postgres://db.example/placard?sslmode=",
            "postgres:///placard?service=placard",
        ] {
            let refused = says_how_it_is_encrypted(url).expect_err(url).to_string();
            assert!(refused.contains("sslmode=verify-full") && !refused.contains('\n'), "{refused}");
            let joint = if url.contains('?') { '&' } else { '?' };
            for mode in ["disable", "require", "verify-full"] {
                says_how_it_is_encrypted(&format!("{url}{joint}sslmode={mode}")).expect(mode);
            }
        }
    }
}
