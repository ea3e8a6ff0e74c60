//! Names of hosts: where a publisher's pages are, and who the platform is in ads.txt.

use std::fmt;
use std::str::FromStr;

use base::refuse_if;

/// RFC 1035, section 2.3.4, without the final dot.
const LONGEST: usize = 253;
const LONGEST_LABEL: usize = 63;

/// A host name of at least two labels, in lower case: letters, digits and hyphens
/// (RFC 1123, section 2.1). Other scripts are written in ASCII (RFC 5890): `xn--…`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Domain(String);

/// Why a text is not the name of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotADomain {
    #[error("nothing")]
    Empty,
    /// A scheme, a path, a port, a user or a blank.
    #[error("an address, not only the name of a host")]
    Address,
    /// To be written as `xn--…`.
    #[error("not in ASCII")]
    NotAscii,
    #[error("longer than a name can be")]
    TooLong,
    #[error("a part that no name has")]
    BadLabel,
    /// Such as `localhost`.
    #[error("a single label")]
    NoSuffix,
    /// Such as `192.0.2.1`.
    #[error("the address of a machine")]
    Numeric,
}

impl Domain {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Case does not matter, and neither does the dot that may end a name.
impl FromStr for Domain {
    type Err = NotADomain;

    fn from_str(text: &str) -> Result<Self, NotADomain> {
        refuse_if(text.chars().any(|c| c.is_whitespace() || "/:@?#\\".contains(c)), NotADomain::Address)?;
        refuse_if(!text.is_ascii(), NotADomain::NotAscii)?;
        let name = text.strip_suffix('.').unwrap_or(text).to_ascii_lowercase();
        refuse_if(name.is_empty(), NotADomain::Empty)?;
        refuse_if(name.len() > LONGEST, NotADomain::TooLong)?;
        let labels: Vec<&str> = name.split('.').collect();
        refuse_if(!labels.iter().all(|label| is_label(label)), NotADomain::BadLabel)?;
        match labels.as_slice() {
            [] | [_] => Err(NotADomain::NoSuffix),
            // No top-level domain is a number (RFC 3696, section 2).
            [.., last] if last.bytes().all(|b| b.is_ascii_digit()) => Err(NotADomain::Numeric),
            _ => Ok(Self(name)),
        }
    }
}

fn is_label(label: &str) -> bool {
    let plain = label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    (1..=LONGEST_LABEL).contains(&label.len()) && plain && !label.starts_with('-') && !label.ends_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn domain(text: &str) -> Domain {
        text.parse().expect("a domain")
    }

    #[test]
    fn names_of_hosts_are_read_in_lower_case() {
        for (text, name) in [
            ("news.example", "news.example"),
            ("WWW.News.Example.", "www.news.example"),
            ("xn--mnchen-3ya.example", "xn--mnchen-3ya.example"),
            ("3.example", "3.example"),
            ("a-b.c-d.example", "a-b.c-d.example"),
        ] {
            assert_eq!(domain(text).as_str(), name);
            assert_eq!(domain(text).to_string(), name);
        }
        let label = "a".repeat(63);
        let longest = format!("{label}.{label}.{label}.{}", "a".repeat(61));
        assert_eq!((longest.len(), domain(&longest).as_str().len()), (253, 253));
    }

    #[test]
    fn everything_else_is_refused_with_its_reason() {
        use NotADomain::*;
        let label = "a".repeat(64);
        let long = format!("{0}.{0}.{0}.{1}", "a".repeat(63), "a".repeat(62));
        for (text, reason) in [
            ("", Empty),
            (".", Empty),
            ("https://news.example", Address),
            ("news.example/ads.txt", Address),
            ("news.example:443", Address),
            ("anna@news.example", Address),
            (" news.example", Address),
            ("news.example\n", Address),
            ("münchen.example", NotAscii),
            (long.as_str(), TooLong),
            (label.as_str(), BadLabel),
            ("news..example", BadLabel),
            (".example", BadLabel),
            ("-news.example", BadLabel),
            ("news-.example", BadLabel),
            ("ne_ws.example", BadLabel),
            ("news,example", BadLabel),
            ("localhost", NoSuffix),
            ("192.0.2.1", Numeric),
        ] {
            assert_eq!(text.parse::<Domain>(), Err(reason), "{text:?}");
        }
    }
}
