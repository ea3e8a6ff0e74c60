//! Finding an account by username, id, e-mail address, telephone number or a plan's
//! number. If nothing matches, similar names are suggested; if several match, all
//! are listed.

use auth::username;
use base::{UserId, refuse_if};
use store::Conn;
use store::people::finding::{self as rows, NamedUser};
use store::people::users;
use store::plans::plan::PlanRow;
use store::plans::product::ProductRow;

use crate::{App, Error, Refusal, fields};

/// The most accounts listed for one address or number.
const CANDIDATES: usize = 10;
const SUGGESTIONS: usize = 5;
/// The prefix that marks an id. Usernames cannot contain a colon.
const BY_ID: &str = "user:";
/// The most rows read per search for similar names.
const LOOKED_AT: i64 = 50;
/// No name, address or number is longer.
const LONGEST: usize = 254;
/// Longer names are not checked for typing errors.
const LONGEST_NAME: usize = 32;

const IN_NAMES: &str = "abcdefghijklmnopqrstuvwxyz0123456789._-";
const IN_PLAN_NUMBERS: &str = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/// # Errors
/// `not_found`, with similar names; `ambiguous` with usernames, if several accounts
/// have this name, address, number or id.
pub async fn find_account(app: &App, text: &str) -> Result<UserId, Error> {
    Ok(find_named(app, text).await?.user)
}

/// Like the function above, with the username.
pub(crate) async fn find_named(app: &App, text: &str) -> Result<NamedUser, Error> {
    let text = text.to_owned();
    app.db.read(move |conn| read_named(conn, &text)).await
}

/// Finds a user with the username, on an existing connection.
pub fn read_named(conn: &mut Conn, text: &str) -> Result<NamedUser, Error> {
    let text = text.trim();
    refuse_if(text.is_empty() || text.len() > LONGEST, Refusal::NotFound)?;
    let mut found = exactly(conn, text)?;
    found.sort();
    found.dedup();
    let one = found.len() == 1;
    match found.pop() {
        Some(only) if one => Ok(only),
        Some(last) => {
            found.push(last);
            let candidates = found.iter().take(CANDIDATES).map(|named| told_apart(named, text)).collect();
            Err(Refusal::Ambiguous { candidates }.into())
        }
        None => Err(Refusal::Unknown { suggestions: near_names(conn, text)? }.into()),
    }
}

/// The username, or `user:ID` if the text itself is the username, which would be
/// ambiguous again.
fn told_apart(named: &NamedUser, text: &str) -> String {
    if username::key_of(&named.username) == username::key_of(text) {
        return format!("{BY_ID}{}", named.user);
    }
    named.username.clone()
}

/// All accounts that match. Users choose their names and could choose somebody else's
/// address, number or id, so a name has no priority over those.
fn exactly(conn: &mut Conn, text: &str) -> Result<Vec<NamedUser>, Error> {
    if let Some(id) = text.strip_prefix(BY_ID) {
        let found = id.parse().ok().map(|id| rows::by_id(conn, id)).transpose()?;
        return Ok(found.flatten().into_iter().collect());
    }
    let mut found = Vec::new();
    let own = users::find_by_key(conn, &username::key_of(text))?;
    found.extend(own.map(|user| NamedUser { user: user.id, username: user.username }));
    if let Ok(id) = text.parse() {
        found.extend(rows::by_id(conn, id)?);
    }
    if text.contains('@') {
        found.extend(rows::by_email(conn, &text.to_lowercase(), LOOKED_AT)?);
    }
    found.extend(by_phone(conn, text)?.into_iter().filter(|(_, same)| *same).map(|(named, _)| named));
    found.extend(rows::by_plan_number(conn, &text.to_uppercase())?);
    Ok(found)
}

/// Accounts whose number has the same ending, and whether the whole number is the same
/// apart from separators and leading zeros.
fn by_phone(conn: &mut Conn, text: &str) -> Result<Vec<(NamedUser, bool)>, Error> {
    let Ok(plain) = fields::phone(text) else { return Ok(Vec::new()) };
    let asked = digits(&plain);
    let found = rows::by_phone_end(conn, &asked, LOOKED_AT)?;
    let significant = |digits: &str| digits.trim_start_matches('0').to_owned();
    let same = |phone: &str| significant(&digits(phone)) == significant(&asked);
    Ok(found.into_iter().map(|(named, phone)| (named, same(&phone))).collect())
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// Similar usernames, most similar first.
fn near_names(conn: &mut Conn, text: &str) -> Result<Vec<String>, Error> {
    let key = username::key_of(text);
    let mut near: Vec<(usize, String)> = Vec::new();
    let length = key.chars().count();
    if length <= LONGEST_NAME {
        let mut found = rows::names_among(conn, &slips(&key, IN_NAMES), LOOKED_AT)?;
        found.extend(rows::names_from(conn, &key, LOOKED_AT)?);
        let beginning: String = key.chars().take(length.saturating_sub(2).max(2)).collect();
        found.extend(rows::names_from(conn, &beginning, LOOKED_AT)?);
        near.extend(found.into_iter().filter_map(|named| {
            let other = username::key_of(&named.username);
            let apart = strsim::damerau_levenshtein(&key, &other);
            (apart <= (length / 3).max(1) || other.starts_with(&key)).then_some((apart, named.username))
        }));
    }
    if let Some((local, _)) = key.split_once('@') {
        let found = rows::emails_from(conn, &format!("{local}@"), LOOKED_AT)?;
        let apart = |email: &str| strsim::damerau_levenshtein(&key, &email.to_lowercase());
        near.extend(found.into_iter().map(|(named, email)| (apart(&email), named.username)));
    }
    // The same number with a different country code.
    near.extend(by_phone(conn, text)?.into_iter().map(|(named, _)| (1, named.username)));
    near.extend(owners_of_near_plans(conn, text)?.into_iter().map(|username| (1, username)));
    near.sort();
    let mut names: Vec<String> = Vec::new();
    for (_, name) in near {
        if names.len() < SUGGESTIONS && !names.contains(&name) {
            names.push(name);
        }
    }
    Ok(names)
}

fn owners_of_near_plans(conn: &mut Conn, text: &str) -> Result<Vec<String>, Error> {
    let near = near_plans(conn, text)?;
    let mut owners = Vec::new();
    if let Some(nearest) = near.first() {
        owners.extend(rows::by_plan_number(conn, nearest)?.map(|named| named.username));
    }
    Ok(owners)
}

/// A plan with its product, by its number in any notation.
///
/// # Errors
/// `not_found`, with numbers of plans that are nearly the same.
pub fn plan(conn: &mut Conn, plan_no: &str) -> Result<(PlanRow, ProductRow), Error> {
    let plan_no = plan_no.trim().to_uppercase();
    match store::plans::plan::find_by_number(conn, &plan_no)? {
        Some(found) => Ok(found),
        None => Err(Refusal::Unknown { suggestions: near_plans(conn, &plan_no)? }.into()),
    }
}

fn near_plans(conn: &mut Conn, text: &str) -> Result<Vec<String>, Error> {
    let number = text.trim().to_uppercase();
    if !number.starts_with('P') || !number.is_ascii() || number.len() > LONGEST_NAME {
        return Ok(Vec::new());
    }
    let limit = i64::try_from(SUGGESTIONS).unwrap_or(0);
    let mut found = rows::plan_numbers_among(conn, &slips(&number, IN_PLAN_NUMBERS), limit)?;
    found.sort();
    Ok(found)
}

/// Every text with one typing error: a character added, missing or replaced, or two
/// swapped.
fn slips(text: &str, alphabet: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let mut near = Vec::new();
    for at in 0..=characters.len() {
        let (before, after) = characters.split_at_checked(at).unwrap_or((&characters, &[]));
        let with = |middle: &[char], after: &[char]| [before, middle, after].concat().into_iter().collect::<String>();
        near.extend(alphabet.chars().map(|c| with(&[c], after)));
        if let [_, rest @ ..] = after {
            near.push(with(&[], rest));
            near.extend(alphabet.chars().map(|c| with(&[c], rest)));
        }
        if let [first, second, rest @ ..] = after {
            near.push(with(&[*second, *first], rest));
        }
    }
    near.sort();
    near.dedup();
    near
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_one_character_too_many_too_few_another_or_two_that_changed_places() {
        let near = slips("demo", IN_NAMES);
        for typed in ["demo2", "dem", "dmo", "denno", "deno", "edmo", "deom", "xdemo"] {
            let reached = near.iter().any(|near| near == typed);
            assert_eq!(reached, strsim::damerau_levenshtein("demo", typed) <= 1, "{typed}");
        }
        assert!(near.iter().all(|near| strsim::damerau_levenshtein("demo", near) <= 1));
        assert!(slips("", IN_NAMES).contains(&"a".to_owned()));
    }

    #[test]
    fn digits_are_what_is_dialled() {
        assert_eq!(digits("+49 (0) 170-123"), "490170123");
        assert_eq!(digits("١٢٣"), "");
    }
}
