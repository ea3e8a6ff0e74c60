//! What the address of a PostgreSQL says of how it is reached: libpq's connection URI, PostgreSQL's
//! documentation, section 34.1.1.2.

use std::net::IpAddr;

use crate::Error;

/// Whether this build can encrypt.
const HAS_TLS: bool = cfg!(feature = "tls");

/// Passwords and money pass over the connection, so another machine is reached only as the
/// address says: libpq would otherwise connect without encryption, and say nothing.
///
/// # Errors
/// For a host that is not this machine, in an address without `sslmode`; for an `sslmode` that
/// this build does not have.
pub fn says_how_it_is_encrypted(url: &str) -> Result<(), Error> {
    if let Some(mode) = parameter(url, "sslmode") {
        let needs_tls = !matches!(mode.as_str(), "disable" | "allow" | "prefer");
        return if needs_tls && !HAS_TLS {
            Err(Error::Connect(format!("sslmode={mode} needs a build with TLS: that of `just build`")))
        } else {
            Ok(())
        };
    }
    match hosts(url).find(|host| !is_here(host)) {
        None => Ok(()),
        Some(host) => Err(Error::Connect(format!(
            "{host} is another machine: add sslmode=verify-full (and sslrootcert, the file of its authority) \
             to the address, or sslmode=disable if nobody else is on the network between"
        ))),
    }
}

/// All hosts of the address; none for a socket in the default place.
fn hosts(url: &str) -> impl Iterator<Item = String> {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let authority = authority.rsplit_once('@').map_or(authority, |(_, hosts)| hosts);
    let named = authority.split(',').map(|host| without_port(host).to_owned());
    let given = ["host", "hostaddr"].into_iter().filter_map(|name| parameter(url, name));
    let given: Vec<String> = given.flat_map(|hosts| hosts.split(',').map(str::to_owned).collect::<Vec<_>>()).collect();
    named.chain(given).map(|host| decoded(&host)).filter(|host| !host.is_empty())
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
    let found = query.split('&').filter_map(|pair| pair.split_once('=')).find(|(key, _)| *key == name)?;
    Some(found.1.to_owned())
}

/// The path of a socket has its slashes encoded. What cannot be decoded stays as it is.
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
        ] {
            let refused = says_how_it_is_encrypted(url).expect_err(url).to_string();
            assert!(refused.contains("sslmode=verify-full") && !refused.contains('\n'), "{refused}");
            let joint = if url.contains('?') { '&' } else { '?' };
            for (mode, taken) in [("disable", true), ("require", HAS_TLS), ("verify-full", HAS_TLS)] {
                let said = says_how_it_is_encrypted(&format!("{url}{joint}sslmode={mode}"));
                assert_eq!(said.is_ok(), taken, "{url} {mode}");
            }
        }
    }
}
