//! Finds values with leftovers of an environment file or a shell, such as quotes. A place that is missing is created,
//! so nobody would notice that it has another name.

use super::{InvalidSetting, Values};

/// Places, in which anything may be a name.
const PLACES: [&str; 5] =
    ["PLACARD_DATABASE_URL", "PLACARD_DATA_DIR", "PLACARD_SECRET_FILE", "PLACARD_FILES_URL", "PLACARD_COPY_URL"];
/// With any character around it, it would be another key.
const KEY: &str = "PLACARD_PROVIDER_KEY";

/// A variable and its value, without blanks and ends of lines around it. Places and the key are left as they are: in
/// them, [`check`] reports such characters.
pub(super) fn of(name: String, value: &str) -> (String, String) {
    let is_whole = PLACES.contains(&name.as_str()) || name == KEY;
    let value = if is_whole { value } else { value.trim() };
    (name, value.to_owned())
}

/// # Errors
/// The first variable whose value has something in it that nobody wrote for this program. It may have a password as
/// well, so it is not repeated.
pub(super) fn check(values: &Values) -> Result<(), InvalidSetting> {
    for variable in PLACES.into_iter().chain([KEY]) {
        let problem = values.get(variable).and_then(|value| {
            let left = left_around(value);
            if variable == KEY { left } else { left.or_else(|| left_to_a_shell(value)) }
        });
        if let Some(problem) = problem {
            return Err(InvalidSetting::new(variable, problem));
        }
    }
    Ok(())
}

fn left_around(value: &str) -> Option<&'static str> {
    let is_quoted = |quote: char| value.len() > 1 && value.starts_with(quote) && value.ends_with(quote);
    if ['"', '\''].into_iter().any(is_quoted) {
        return Some("the quotes around it belong to it here: leave them out");
    }
    if value.trim() != value {
        return Some("a blank or the end of a line before or after it belongs to it here: take it away");
    }
    // U+FFFD stands for bytes that were not UTF-8.
    value.contains(|c: char| c.is_control() || c == '\u{fffd}').then_some("a character in it is not text in UTF-8")
}

fn left_to_a_shell(value: &str) -> Option<&'static str> {
    let path = value.split_once("://").map_or(value, |(_, rest)| rest);
    let is_short = path == "~" || path.starts_with("~/") || path.starts_with('$');
    is_short.then_some("~ and $ stand for nothing here: write the whole path")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(variable: &str, value: &str) -> Result<(), String> {
        let values = Values::from_pairs([(variable.to_owned(), value.to_owned())]).expect("values");
        check(&values).map_err(|wrong| wrong.to_string())
    }

    #[test]
    fn what_an_environment_file_leaves_around_a_value_is_no_part_of_a_name() {
        for variable in PLACES.into_iter().chain([KEY]) {
            for wrong in ["\"/srv/data\"", "'/srv/data'", "/srv/data\r", "/srv/data ", " /srv/data", "/srv/d\u{fffd}"] {
                let told = checked(variable, wrong).expect_err(wrong);
                assert!(told.starts_with(&format!("{variable}: ")) && !told.contains("srv"), "{told:?}");
                assert!(!told.contains(char::is_control), "{told:?}");
            }
        }
    }

    #[test]
    fn nobody_replaces_what_a_shell_would() {
        for wrong in ["~/data", "~", "$HOME/data", "file://~/data", "sqlite://$HOME/placard.db"] {
            assert!(PLACES.into_iter().all(|variable| checked(variable, wrong).is_err()), "{wrong}");
        }
        assert_eq!(checked(KEY, "$0123456789abcdef0123456789abcdef"), Ok(()));
    }

    #[test]
    fn names_and_passwords_may_have_nearly_anything_in_them() {
        for value in [
            "data",
            "./data/../data/",
            "/srv/my data/~old/$1",
            "sqlite:///srv/O'Brien/placard.db",
            "postgres://me:p'$w\"d@localhost/placard",
            "file:///srv/データ",
        ] {
            assert!(PLACES.into_iter().all(|variable| checked(variable, value).is_ok()), "{value}");
        }
    }
}
