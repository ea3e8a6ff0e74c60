//! The configuration and where each value comes from, for display.

use std::collections::BTreeSet;

use payee::Networks;
use serde::Serialize;
use supply::PayoutRules;

use super::{Installation, KNOWN, Values, variable};

/// One variable, without secrets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Setting {
    pub variable: String,
    /// For a secret, only whether it is set.
    pub value: Option<String>,
    /// `environment`, `file`, `default`, or `unset` if there is none.
    pub from: &'static str,
    /// The problem of the value, or that nothing reads the variable.
    pub problem: Option<String>,
}

const SECRET: [&str; 5] =
    ["PLACARD_OPERATOR_KEY", "PLACARD_PROVIDER_KEY", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_ACCESS_KEY_ID"];
const HIDDEN: &str = "(set, not shown)";
const UNKNOWN: &str = "nothing reads it";
const CONFIG: &str = "PLACARD_CONFIG";

impl Values {
    /// Every variable that is read, and those that are set but never read.
    pub fn shown(&self) -> Vec<Setting> {
        let wrong = Installation::read(self).err();
        let mut names: BTreeSet<String> = KNOWN.split(' ').map(variable).collect();
        names.insert(CONFIG.to_owned());
        names.extend(self.all().map(|(name, _)| name.to_owned()));
        let unknown = self.unknown();
        names
            .into_iter()
            .map(|variable| {
                let default = self.default_of(&variable);
                let (value, from) = match (self.get(&variable), default) {
                    (Some(value), _) => (Some(value.to_owned()), self.origin(&variable)),
                    (None, Some(default)) => (Some(default), "default"),
                    (None, None) => (None, "unset"),
                };
                let problem = match &wrong {
                    Some(wrong) if wrong.variable == variable => Some(wrong.problem.clone()),
                    _ => unknown.contains(&variable).then(|| UNKNOWN.to_owned()),
                };
                Setting { value: value.map(|value| harmless(&variable, value)), variable, from, problem }
            })
            .collect()
    }

    /// Variables with our prefix that nothing reads.
    pub fn unknown(&self) -> Vec<String> {
        let ours = self.all().map(|(name, _)| name).filter(|name| name.starts_with(super::PREFIX) && *name != CONFIG);
        ours.filter(|name| !KNOWN.split(' ').any(|key| variable(key) == *name)).map(str::to_owned).collect()
    }

    fn default_of(&self, name: &str) -> Option<String> {
        let data_dir = self.or("PLACARD_DATA_DIR", super::DATA_DIR);
        match name {
            "PLACARD_BIND" => Some("127.0.0.1:8080".to_owned()),
            "PLACARD_CURRENCY" => Some(foundation::Currency::default().code),
            "PLACARD_DATABASE_URL" => Some(super::DATABASE_URL.to_owned()),
            "PLACARD_DATA_DIR" => Some(super::DATA_DIR.to_owned()),
            "PLACARD_FILES_URL" => Some(format!("file://{data_dir}/files")),
            "PLACARD_LOG" => Some("json".to_owned()),
            "PLACARD_LOG_TOTALS" => Some(super::LOG_TOTALS.to_owned()),
            "PLACARD_PAYOUT_DELAY_DAYS" => Some(PayoutRules::default().delay_days.to_string()),
            "PLACARD_PAYOUT_MINIMUM" => Some(PayoutRules::default().minimum.to_string()),
            "PLACARD_PAYOUT_NETWORKS" => Some(Networks::default().to_string()),
            "PLACARD_REALM" => Some(super::REALM.to_owned()),
            "PLACARD_SECRET_FILE" => Some(format!("{data_dir}/secrets.toml")),
            _ => None,
        }
    }
}

/// Whether nobody but the owner may read the value: a key, or an address with a password.
pub(super) fn is_secret(name: &str, value: &str) -> bool {
    SECRET.contains(&name) || without_password(value).is_some_and(|shown| shown != value)
}

fn harmless(name: &str, value: String) -> String {
    if SECRET.contains(&name) {
        return HIDDEN.to_owned();
    }
    without_password(&value).unwrap_or(value)
}

/// The address without its password; `None` if it has none.
fn without_password(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let (before, query) = rest.split_once('?').map_or((rest, None), |(before, query)| (before, Some(query)));
    let hidden_query = query.map(|query| {
        let pairs = query.split('&').map(|pair| match pair.split_once('=') {
            Some(("password", _)) => "password=…",
            _ => pair,
        });
        format!("?{}", pairs.collect::<Vec<_>>().join("&"))
    });
    let shown = match before.rsplit_once('@').and_then(|(who, host)| Some((who.split_once(':')?.0, host))) {
        Some((user, host)) => format!("{user}:…@{host}"),
        None => before.to_owned(),
    };
    Some(format!("{scheme}://{shown}{}", hidden_query.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pairs: &[(&str, &str)], name: &str) -> Setting {
        let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let all = Values::from_pairs(pairs).expect("values").shown();
        all.into_iter().find(|setting| setting.variable == name).expect("listed")
    }

    #[test]
    fn each_value_says_where_it_is_from() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("placard.toml");
        std::fs::write(&path, "currency = \"EUR\"\nrealm = \"live\"\n").expect("written");
        let path = path.display().to_string();
        let pairs = [("PLACARD_CONFIG", path.as_str()), ("PLACARD_REALM", "simulated")];
        let of = |name| {
            let setting = shown(&pairs, name);
            (setting.value.unwrap_or_default(), setting.from)
        };
        assert_eq!(of("PLACARD_CURRENCY"), ("EUR".to_owned(), "file"));
        assert_eq!(of("PLACARD_REALM"), ("simulated".to_owned(), "environment"));
        assert_eq!(of("PLACARD_DATA_DIR"), ("data".to_owned(), "default"));
        assert_eq!(of("PLACARD_PAYOUT_MINIMUM"), ("50.00".to_owned(), "default"));
        assert_eq!(of("PLACARD_REPLICA_URL"), (String::new(), "unset"));
    }

    #[test]
    fn no_secret_is_shown() {
        let address =
            shown(&[("PLACARD_DATABASE_URL", "postgres://me:hunter2@host/db?sslmode=disable")], "PLACARD_DATABASE_URL");
        assert_eq!(address.value.as_deref(), Some("postgres://me:…@host/db?sslmode=disable"));
        let in_query =
            shown(&[("PLACARD_DATABASE_URL", "postgres://host/db?password=hunter2&a=b")], "PLACARD_DATABASE_URL");
        assert_eq!(in_query.value.as_deref(), Some("postgres://host/db?password=…&a=b"));
        for name in SECRET {
            assert_eq!(shown(&[(name, "0123456789abcdef0123456789abcdef")], name).value.as_deref(), Some(HIDDEN));
        }
    }

    #[test]
    fn what_is_wrong_or_misspelt_is_pointed_out() {
        assert_eq!(shown(&[("PLACARD_RELAM", "live")], "PLACARD_RELAM").problem.as_deref(), Some(UNKNOWN));
        assert!(shown(&[("PLACARD_REALM", "test")], "PLACARD_REALM").problem.is_some());
        assert_eq!(shown(&[], "PLACARD_REALM").problem, None);
    }
}
