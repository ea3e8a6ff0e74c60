//! The witnesses that cosign the public log: which they are, where they answer, and how many are needed.

use proof::Policy;
use push::is_public;
use url::{Host, Url};

/// A policy whose witnesses can all be reached. By default there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witnesses {
    policy: Option<Policy>,
    /// The address of each witness for cosigning, in the policy's order.
    addresses: Vec<String>,
}

/// More witnesses than anybody has; all are asked at once.
const MOST: usize = 16;

impl Witnesses {
    /// Reads a policy as C2SP tlog-policy writes it.
    ///
    /// # Errors
    /// What is wrong with it, in one line.
    pub fn parse(text: &str) -> Result<Self, String> {
        // Editors on Windows write a mark before a text, and other ends of lines.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
        let policy = Policy::parse(&text).map_err(|bad| bad.to_string())?;
        if policy.witnesses.len() > MOST {
            return Err(format!("it has more than {MOST} witnesses"));
        }
        let addresses = policy.witnesses.iter().map(|witness| {
            let url = witness.url.as_deref().ok_or_else(|| format!("the witness {} has no address", witness.name))?;
            address(url).ok_or_else(|| {
                format!("{url} is no address of a witness: it begins with https://, or with http:// on this machine")
            })
        });
        Ok(Self { addresses: addresses.collect::<Result<_, _>>()?, policy: Some(policy) })
    }

    /// `None` where nobody is asked.
    pub const fn policy(&self) -> Option<&Policy> {
        self.policy.as_ref()
    }

    pub fn addresses(&self) -> &[String] {
        &self.addresses
    }
}

/// The address of a witness for `add-checkpoint`; `None` if it may not be asked. Whether a host's name has a public
/// address is checked when connecting.
fn address(prefix: &str) -> Option<String> {
    let url = Url::parse(prefix).ok()?;
    let bare = url.username().is_empty() && url.password().is_none();
    let whole = url.query().is_none() && url.fragment().is_none();
    let allowed = match (url.scheme(), url.host()?) {
        ("https", Host::Domain(name)) => name.contains('.'),
        ("https", Host::Ipv4(address)) => is_public(address.into()),
        ("https", Host::Ipv6(address)) => is_public(address.into()),
        ("http", Host::Ipv4(address)) => address.is_loopback(),
        ("http", Host::Ipv6(address)) => address.is_loopback(),
        _ => false,
    };
    (bare && whole && allowed).then(|| format!("{}/add-checkpoint", url.as_str().trim_end_matches('/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "witness.example/w1";

    fn at(url: &str) -> Result<Vec<String>, String> {
        let key = proof::Cosigner::new(KEY, &[9; 32]).expect("a key").public();
        Witnesses::parse(&format!("witness one {key} {url}\nquorum one\n")).map(|read| read.addresses)
    }

    #[test]
    fn what_editors_add_is_no_part_of_a_line() {
        let read = Witnesses::parse("\u{feff}quorum none\r\n").expect("a policy");
        assert_eq!(read, Witnesses::parse("quorum none\n").expect("a policy"));
    }

    #[test]
    fn witnesses_are_asked_over_tls_or_on_this_machine() {
        for (url, asked) in [
            ("https://witness.example", "https://witness.example/add-checkpoint"),
            ("https://witness.example:8443/a/b/", "https://witness.example:8443/a/b/add-checkpoint"),
            ("https://8.8.8.8/w", "https://8.8.8.8/w/add-checkpoint"),
            ("http://127.0.0.1:7380", "http://127.0.0.1:7380/add-checkpoint"),
            ("http://[::1]:7380/w", "http://[::1]:7380/w/add-checkpoint"),
        ] {
            assert_eq!(at(url), Ok(vec![asked.to_owned()]), "{url}");
        }
        for url in [
            "http://witness.example",
            "http://localhost:7380",
            "http://10.0.0.1:7380",
            "https://localhost",
            "https://127.0.0.1",
            "https://10.0.0.1",
            "https://169.254.169.254",
            "https://[fd00::1]",
            "https://user@witness.example",
            "https://witness.example/?a=b",
            "https://witness.example/#a",
            "ftp://witness.example",
            "witness.example",
        ] {
            assert!(at(url).is_err_and(|problem| problem.starts_with(url)), "{url}");
        }
        assert_eq!(at(""), Err("the witness one has no address".to_owned()));
        assert_eq!(Witnesses::parse("quorum one\n"), Err("line 1: no line before it defines this name".to_owned()));
    }
}
