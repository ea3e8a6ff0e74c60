//! Checks of the values of entries for which no use case has its own file type.

use std::collections::BTreeSet;

use i18n::Lang;

use crate::contacts::{List, is_safe};
use crate::item::{Item, is_key};
use crate::schema::{Mistake, unknown};

const KEY: &str = "must be letters, digits, dashes and underscores, at most 64";
const LONGEST_TITLE: usize = 80;
const LONGEST_RULES: usize = 2_000;
const LONGEST_LABEL: usize = 60;
const LONGEST_BENEFICIARY: usize = 70;
const LONGEST_BANK: usize = 120;
const LONGEST_NOTE: usize = 300;
const LONGEST_QUESTION: usize = 200;
const LONGEST_ANSWER: usize = 4_000;

/// What is wrong with a contact.
pub fn check_contact(item: &Item) -> Vec<Mistake> {
    let mut wrong = Vec::new();
    if !is_key(&item.key) {
        wrong.push(item.mistake("id", KEY));
    }
    if item.text("list").and_then(List::from_name).is_none() {
        wrong.push(item.mistake("list", "must be customer_service, recharge or priority"));
    }
    let kind = i64::from(item.whole("type").unwrap_or_default());
    if kind < 1 {
        wrong.push(item.mistake("type", "must be 1, which opens in the app, or more, which opens in a new tab"));
    } else if !is_safe(kind, item.text("url").unwrap_or_default()) {
        let problem =
            "must begin with https:// and a host in ASCII (xn--), or with mailto: or tel: where the type is not 1";
        wrong.push(item.mistake("url", problem));
    }
    wrong.extend(too_long(item, "label", LONGEST_LABEL));
    wrong
}

/// What is wrong with an account to pay in to, besides its number, its network and its bank's code.
pub fn check_pay_in(item: &Item) -> Vec<Mistake> {
    let mut wrong = Vec::new();
    if !is_key(&item.key) {
        wrong.push(item.mistake("id", KEY));
    }
    for (field, longest) in [("beneficiary", LONGEST_BENEFICIARY), ("bank", LONGEST_BANK)] {
        let Some(text) = item.text(field) else { continue };
        if text.trim().is_empty() || text.trim().chars().count() > longest || text.trim().chars().any(char::is_control)
        {
            wrong.push(item.mistake(field, format!("must be 1 to {longest} characters in one line")));
        }
    }
    wrong.extend(too_long(item, "label", LONGEST_LABEL));
    wrong.extend(too_long(item, "note", LONGEST_NOTE));
    wrong
}

/// What is wrong with a question. One that is built in keeps its own texts if the file
/// gives none.
pub fn check_question(item: &Item, built_in: bool) -> Vec<Mistake> {
    let mut wrong = Vec::new();
    if !is_key(&item.key) {
        wrong.push(item.mistake("id", KEY));
    }
    let given: BTreeSet<&str> = ["question", "answer"].into_iter().filter(|f| item.fields.contains_key(*f)).collect();
    for field in ["question", "answer"].into_iter().filter(|field| !built_in && !given.contains(field)) {
        wrong.push(item.mistake(field, "is missing; only the questions built in have texts of their own"));
    }
    wrong.extend(too_long(item, "question", LONGEST_QUESTION));
    wrong.extend(too_long(item, "answer", LONGEST_ANSWER));
    wrong
}

/// What is wrong with a notification, as far as its form says.
pub fn check_notification(item: &Item, has_category: bool) -> Vec<Mistake> {
    let mut wrong = Vec::new();
    if !is_key(&item.key) {
        wrong.push(item.mistake("key", KEY));
    }
    if !has_category {
        wrong.push(item.mistake("category", "must be system_announcement, system_maintenance or activity"));
    }
    if let Some(code) = item.text("lang").filter(|_| item.lang().is_none()) {
        wrong.push(item.mistake("lang", unknown(code, Lang::ALL.iter().map(|lang| lang.code()))));
    }
    if item.text("starts").is_some() && item.moment("starts").is_none() {
        wrong.push(item.mistake("starts", "must be a moment such as 2027-01-01T00:00:00Z"));
    }
    for field in ["lang", "starts"].into_iter().filter(|f| item.fields.contains_key("user") && item.text(f).is_some()) {
        wrong.push(item.mistake(field, "is for what everybody is told; one user is told at once"));
    }
    let of = |field| item.languages(field).unwrap_or_default();
    let (titles, bodies) = (of("title"), of("body"));
    for (field, has, lacks) in [("body", &titles, &bodies), ("title", &bodies, &titles)] {
        for lang in has.keys().filter(|lang| !lacks.contains_key(*lang)) {
            wrong.push(item.mistake(field, format!("has no text in {lang}, which the other has")));
        }
    }
    wrong
}

/// What is wrong with an activity.
pub fn check_activity(item: &Item) -> Vec<Mistake> {
    let mut wrong = Vec::new();
    if !is_key(&item.key) {
        wrong.push(item.mistake("key", KEY));
    }
    for name in ["starts", "ends"] {
        if item.text(name).is_some() && item.moment(name).is_none() {
            wrong.push(item.mistake(name, "must be a moment such as 2027-01-01T00:00:00Z"));
        }
    }
    if let (Some(starts), Some(ends)) = (item.moment("starts"), item.moment("ends"))
        && ends <= starts
    {
        wrong.push(item.mistake("ends", "must be later than starts"));
    }
    wrong.extend(too_long(item, "title", LONGEST_TITLE));
    wrong.extend(too_long(item, "rules", LONGEST_RULES));
    wrong
}

/// Mistakes for the texts of a field that are too long.
fn too_long(item: &Item, field: &str, longest: usize) -> Vec<Mistake> {
    let texts = item.languages(field).unwrap_or_default();
    let long = texts.into_iter().filter(|(_, text)| text.chars().count() > longest);
    long.map(|(lang, _)| item.mistake(&format!("{field}.{lang}"), format!("has more than {longest} characters")))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::item::{Content, Source};

    fn told(text: &str, check: impl Fn(&Item) -> Vec<Mistake>) -> Vec<String> {
        let source = Source { name: "a.toml".into(), text: text.into(), json: false };
        let content = Content::read(&[source], |item| Ok::<_, Infallible>(check(item))).expect("is read");
        content.mistakes.into_iter().map(|mistake| format!("{}: {}", mistake.field, mistake.problem)).collect()
    }

    #[test]
    fn contacts() {
        let contact = |id: &str, list: &str, kind: i32, url: &str, label: &str| {
            let text = format!(
                "[[contact]]\nid = \"{id}\"\nlist = \"{list}\"\ntype = {kind}\nurl = \"{url}\"\nlabel = \"{label}\"\n"
            );
            told(&text, check_contact)
        };
        assert!(contact("a", "recharge", 1, "https://a.example", "A").is_empty());
        assert!(contact("a", "priority", 2, "tel:+491", &"x".repeat(60)).is_empty());
        let wrong = [
            format!("contact.id: {KEY}"),
            "contact.list: must be customer_service, recharge or priority".to_owned(),
            "contact.type: must be 1, which opens in the app, or more, which opens in a new tab".to_owned(),
            "contact.label.en: has more than 60 characters".to_owned(),
        ];
        assert_eq!(contact("a b", "desk", 0, "tel:+491", &"x".repeat(61)), wrong);
        let url = [
            "contact.url: must begin with https:// and a host in ASCII (xn--), or with mailto: or tel: where the type is not 1",
        ];
        assert_eq!(contact("a", "recharge", 1, "tel:+491", "A"), url);
    }

    #[test]
    fn accounts_to_pay_in_to() {
        let pay_in = |id: &str, beneficiary: &str, more: &str| {
            let head = format!("[[pay_in]]\nid = \"{id}\"\nbeneficiary = \"{beneficiary}\"\n");
            told(&format!("{head}label = \"Bank\"\naccount = \"DE02120300000000202051\"\n{more}"), check_pay_in)
        };
        assert!(pay_in("a", &"x".repeat(70), &format!("bank = \"North\"\nnote = \"{}\"", "x".repeat(300))).is_empty());
        let wrong = [
            format!("pay_in.id: {KEY}"),
            "pay_in.beneficiary: must be 1 to 70 characters in one line".to_owned(),
            "pay_in.bank: must be 1 to 120 characters in one line".to_owned(),
            "pay_in.note.en: has more than 300 characters".to_owned(),
        ];
        let more = format!("bank = \"a\\nb\"\nnote = \"{}\"", "x".repeat(301));
        assert_eq!(pay_in("a b", &"x".repeat(71), &more), wrong);
        assert_eq!(pay_in("a", " ", ""), [wrong[1].clone()]);
    }

    #[test]
    fn questions() {
        let faq = |fields: &str, built_in| told(&format!("[[faq]]\n{fields}\n"), |item| check_question(item, built_in));
        assert!(faq("id = \"a\"\nquestion = \"Why?\"\nanswer = \"So.\"", false).is_empty());
        assert!(faq("id = \"a\"", true).is_empty());
        let missing = "is missing; only the questions built in have texts of their own";
        assert_eq!(faq("id = \"a\"\nquestion = \"Why?\"", false), [format!("faq.answer: {missing}")]);
        assert_eq!(faq("id = \"?\"", true), [format!("faq.id: {KEY}")]);
        let long = format!("id = \"a\"\nquestion = \"{}\"\nanswer = \"{}\"", "x".repeat(201), "x".repeat(4_001));
        let told = faq(&long, false);
        let expected =
            ["faq.question.en: has more than 200 characters", "faq.answer.en: has more than 4000 characters"];
        assert_eq!(told, expected);
    }

    #[test]
    fn notifications() {
        let notice = |fields: &str, known| {
            let text = format!("[[notification]]\nkey = \"a\"\ncategory = \"activity\"\n{fields}\n");
            told(&text, |item| check_notification(item, known))
        };
        let texts = "title = \"A\"\nbody = \"B\"";
        assert!(notice(texts, true).is_empty());
        let category = ["notification.category: must be system_announcement, system_maintenance or activity"];
        assert_eq!(notice(texts, false), category);
        assert!(notice(&format!("{texts}\nlang = \"de\"\nstarts = 2027-01-01T00:00:00Z"), true).is_empty());
        let wrong = notice(&format!("{texts}\nlang = \"dee\"\nstarts = \"soon\""), true);
        assert_eq!(wrong.len(), 2, "{wrong:?}");
        assert!(wrong.iter().any(|line| line.starts_with("notification.lang: is not known")), "{wrong:?}");
        assert!(wrong.iter().any(|line| line.starts_with("notification.starts: must be a moment")), "{wrong:?}");
        let one = notice(&format!("{texts}\nuser = \"mia\"\nlang = \"de\""), true);
        assert_eq!(one, ["notification.lang: is for what everybody is told; one user is told at once"]);
        let halves = notice("title = { en = \"A\", de = \"A\" }\nbody = { en = \"B\", fr = \"B\" }", true);
        let expected = [
            "notification.body: has no text in de, which the other has",
            "notification.title: has no text in fr, which the other has",
        ];
        assert_eq!(halves, expected);
    }

    #[test]
    fn activities() {
        let activity =
            |fields: &str| told(&format!("[[activity]]\nkey = \"a\"\ncoupon = \"A\"\n{fields}\n"), check_activity);
        assert!(activity("title = \"A\"\nstarts = 2027-01-01T00:00:00Z\nends = 2027-01-02T00:00:00Z").is_empty());
        let same = activity("title = \"A\"\nstarts = 2027-01-01T00:00:00Z\nends = 2027-01-01T00:00:00Z");
        assert_eq!(same, ["activity.ends: must be later than starts"]);
        let soon = activity("title = \"A\"\nstarts = \"soon\"");
        assert_eq!(soon, ["activity.starts: must be a moment such as 2027-01-01T00:00:00Z"]);
        let long = activity(&format!("title = \"{}\"\nrules = \"{}\"", "x".repeat(81), "x".repeat(2_000)));
        assert_eq!(long, ["activity.title.en: has more than 80 characters"]);
    }
}
