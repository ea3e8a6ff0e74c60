//! The web pages that may frame this installation as a native shell.

/// Origins, each `https://host[:port]`; plain HTTP only on this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShellOrigins(Vec<String>);

impl ShellOrigins {
    /// Parses a comma-separated list.
    ///
    /// # Errors
    /// The first part that is not an origin.
    pub fn parse(text: &str) -> Result<Self, &str> {
        let parts = text.split(',').map(str::trim);
        parts
            .map(|part| if is_origin(part) { Ok(part.to_owned()) } else { Err(part) })
            .collect::<Result<_, _>>()
            .map(Self)
    }

    pub fn list(&self) -> &[String] {
        &self.0
    }
}

/// Accepts only scheme, host and port, because a header repeats the text unchanged.
fn is_origin(text: &str) -> bool {
    let (host, here) = match (text.strip_prefix("https://"), text.strip_prefix("http://")) {
        (Some(host), _) => (host, true),
        (_, Some(host)) => (host, is_loopback(host)),
        _ => return false,
    };
    here && !host.is_empty() && host.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':'))
}

fn is_loopback(host: &str) -> bool {
    let name = host.split(':').next().unwrap_or_default();
    matches!(name, "127.0.0.1" | "localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_read_one_by_one() {
        let read = ShellOrigins::parse("https://shell.example.com, http://127.0.0.1:5000").expect("two origins");
        assert_eq!(read.list(), ["https://shell.example.com", "http://127.0.0.1:5000"]);
    }

    #[test]
    fn what_is_no_origin_is_named() {
        for wrong in [
            "shell.example.com",
            "http://shell.example.com",
            "http://127.0.0.1.example.com",
            "https://",
            "https://shell.example.com/",
            "https://user@shell.example.com",
            "https://*.example.com",
            "https://a; script-src *",
            "*",
            "'self'",
            "",
        ] {
            assert_eq!(ShellOrigins::parse(wrong), Err(wrong));
        }
        assert_eq!(ShellOrigins::parse("https://a.example,b.example"), Err("b.example"));
    }
}
