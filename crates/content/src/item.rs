//! The entries of content files, parsed and checked as far as possible without the
//! database.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use base::{Field, Timestamp};
use i18n::Lang;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};

use crate::document::{Node, Value, parse};
use crate::forms::Kind;
use crate::problems::explained;
use crate::schema::{Mistake, Reader, unknown};

/// A file as read from disk.
#[derive(Clone, Debug)]
pub struct Source {
    pub name: String,
    pub text: String,
    /// JSON instead of TOML.
    pub json: bool,
}

/// One table of a file.
#[derive(Clone, Debug)]
pub struct Item {
    pub kind: Kind,
    pub file: Arc<str>,
    /// Its name, key or id.
    pub key: String,
    pub node: Node,
    pub fields: Map<String, Json>,
}

/// Why a checked table cannot be used: an error of ours, and none of the file's author.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unfit(pub String);

/// More tables than anybody needs at once.
const MOST_ITEMS: usize = 1_000;
const LONGEST_KEY: usize = 64;

impl Item {
    pub fn mistake(&self, field: &str, problem: impl Into<String>) -> Mistake {
        Mistake {
            file: self.file.to_string(),
            line: self.node.line_of(field),
            field: format!("{}.{field}", self.kind.name()),
            problem: problem.into(),
        }
    }

    /// The table as the use case's type; its fields were checked before.
    ///
    /// # Errors
    /// The type lacks one of the fields, or has it in another form.
    pub fn file<T: DeserializeOwned>(&self) -> Result<T, Unfit> {
        self.file_of(self.fields.clone())
    }

    /// Like [`Item::file`], from these fields instead of its own.
    ///
    /// # Errors
    /// As for [`Item::file`].
    pub fn file_of<T: DeserializeOwned>(&self, fields: Map<String, Json>) -> Result<T, Unfit> {
        serde_json::from_value(Json::Object(fields)).map_err(|e| Unfit(format!("{}: {e}", self.key)))
    }

    /// The entry without fields that the use case's type does not have.
    ///
    /// # Errors
    /// As for [`Item::file`].
    pub fn file_without<T: DeserializeOwned>(&self, names: &[&str]) -> Result<T, Unfit> {
        let fields = self.fields.iter().filter(|(name, _)| !names.contains(&name.as_str()));
        self.file_of(fields.map(|(name, value)| (name.clone(), value.clone())).collect())
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        self.fields.get(name).and_then(Json::as_str)
    }

    pub fn whole(&self, name: &str) -> Option<i32> {
        self.fields.get(name).and_then(Json::as_i64).and_then(|number| i32::try_from(number).ok())
    }

    /// Whether the file says it is active; `None` leaves it as it is.
    pub fn active(&self) -> Option<bool> {
        self.fields.get("active").and_then(Json::as_bool)
    }

    pub fn moment(&self, name: &str) -> Option<Timestamp> {
        self.text(name).and_then(Timestamp::parse)
    }

    /// The language of its readers.
    pub fn lang(&self) -> Option<Lang> {
        self.text("lang").and_then(|code| Lang::ALL.into_iter().find(|lang| lang.code() == code))
    }

    pub fn languages(&self, name: &str) -> Option<BTreeMap<String, String>> {
        let texts = self.fields.get(name)?.as_object()?;
        let text = |(lang, text): (&String, &Json)| Some((lang.clone(), text.as_str()?.to_owned()));
        Some(texts.iter().filter_map(text).collect())
    }

    /// The mistakes that a use case found in its file: fields and the keys of their
    /// problems.
    pub fn mistakes(&self, wrong: &BTreeMap<Field, &'static str>) -> Vec<Mistake> {
        wrong
            .iter()
            .map(|(field, problem)| self.mistake(field.name(), explained(self.kind, field.name(), problem)))
            .collect()
    }
}

/// The content of files, and their mistakes.
#[derive(Clone, Debug, Default)]
pub struct Content {
    pub items: Vec<Item>,
    pub mistakes: Vec<Mistake>,
}

impl Content {
    /// Parses files with tables of any kind. `checked` returns what is wrong with the
    /// values of one.
    ///
    /// # Errors
    /// Those of `checked`.
    pub fn read<E>(sources: &[Source], checked: impl Fn(&Item) -> Result<Vec<Mistake>, E>) -> Result<Self, E> {
        let mut content = Self::default();
        for source in sources {
            content.add(source, Self::tables);
        }
        content.check(checked)?;
        content.refuse_twins();
        Ok(content)
    }

    /// Parses a file with a single entry. The use case checks the values.
    pub fn read_one(kind: Kind, source: &Source) -> Self {
        let mut content = Self::default();
        content.add(source, |reader, file, root| Self::item(reader, file, kind, root).into_iter().collect());
        content
    }

    /// Removes entries with invalid values.
    fn check<E>(&mut self, checked: impl Fn(&Item) -> Result<Vec<Mistake>, E>) -> Result<(), E> {
        for item in std::mem::take(&mut self.items) {
            let mut wrong = checked(&item)?;
            if wrong.is_empty() {
                self.items.push(item);
            }
            self.mistakes.append(&mut wrong);
        }
        Ok(())
    }

    fn add(&mut self, source: &Source, tables: impl Fn(&mut Reader<'_>, &Arc<str>, &Node) -> Vec<Item>) {
        let mut reader = Reader::new(&source.name);
        match parse(&source.text, source.json) {
            Ok(root) => self.items.extend(tables(&mut reader, &source.name.as_str().into(), &root)),
            Err(errors) => errors.into_iter().for_each(|error| reader.note_mistake(error.line, "", error.problem)),
        }
        self.mistakes.append(&mut reader.mistakes);
        if self.items.len() > MOST_ITEMS {
            let problem = format!("more than {MOST_ITEMS} at once");
            self.mistakes.push(Mistake { file: source.name.clone(), line: 1, field: String::new(), problem });
            self.items.truncate(MOST_ITEMS);
        }
    }

    fn tables(reader: &mut Reader<'_>, file: &Arc<str>, root: &Node) -> Vec<Item> {
        let Value::Table(kinds) = &root.value else {
            reader.note_mistake(root.line, "", "must be tables such as [[product]]");
            return Vec::new();
        };
        let mut items = Vec::new();
        for (name, node) in kinds {
            match (Kind::from_name(name), &node.value) {
                (None, _) => {
                    reader.note_mistake(node.line, name, unknown(name, Kind::ALL.iter().map(|kind| kind.name())))
                }
                (Some(kind), Value::List(tables)) => {
                    items.extend(tables.iter().filter_map(|table| Self::item(reader, file, kind, table)));
                }
                (Some(_), _) => reader.note_mistake(node.line, name, format!("must be a list of tables: [[{name}]]")),
            }
        }
        items
    }

    fn item(reader: &mut Reader<'_>, file: &Arc<str>, kind: Kind, node: &Node) -> Option<Item> {
        let before = reader.mistakes.len();
        let fields = reader.table(kind.fields(), node, kind.name());
        if reader.mistakes.len() > before {
            return None;
        }
        let key = fields.get(kind.key()).and_then(Json::as_str).unwrap_or_default().trim().to_owned();
        Some(Item { kind, file: file.clone(), key, node: node.clone(), fields })
    }

    /// Two tables about the same thing contradict each other, so the later one is
    /// removed.
    fn refuse_twins(&mut self) {
        let mut seen: HashMap<(Kind, String), String> = HashMap::new();
        for item in std::mem::take(&mut self.items) {
            match seen.entry((item.kind, item.key.clone())) {
                Entry::Occupied(first) => {
                    let problem = format!("is the same as at {}", first.get());
                    self.mistakes.push(item.mistake(item.kind.key(), problem));
                }
                Entry::Vacant(free) => {
                    free.insert(format!("{}:{}", item.file, item.node.line));
                    self.items.push(item);
                }
            }
        }
    }

    /// Texts that exist in English but not in every language.
    pub fn untranslated(&self) -> Vec<Mistake> {
        let mut missing = Vec::new();
        for item in &self.items {
            for (name, value) in &item.fields {
                let Some(texts) = value.as_object().filter(|_| is_translated(item.kind, name)) else { continue };
                let langs = Lang::ALL.iter().map(|lang| lang.code()).filter(|lang| !texts.contains_key(*lang));
                let langs: Vec<&str> = langs.collect();
                if !langs.is_empty() {
                    missing.push(item.mistake(name, format!("has no {}; English is shown", langs.join(", "))));
                }
            }
        }
        missing
    }
}

/// A label may be the same in every language, for example an e-mail address.
fn is_translated(kind: Kind, field: &str) -> bool {
    let spoken = matches!(kind, Kind::Faq | Kind::Notification | Kind::Activity);
    spoken && matches!(field, "question" | "answer" | "title" | "body" | "rules")
}

/// Letters, digits, dashes and underscores.
pub fn is_key(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    !text.is_empty() && text.len() <= LONGEST_KEY && text.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn source(text: &str) -> Source {
        Source { name: "a.toml".into(), text: text.into(), json: false }
    }

    fn read(text: &str) -> Content {
        Content::read(&[source(text)], |_| Ok::<_, Infallible>(Vec::new())).expect("is read")
    }

    fn told(mistakes: &[Mistake]) -> Vec<String> {
        mistakes.iter().map(Mistake::to_string).collect()
    }

    const FAQ: &str =
        "[[faq]]\nid = \"a\"\norder = 3\nquestion = \"Why?\"\nanswer = { en = \"So.\", de = \"Darum.\" }\n";

    #[test]
    fn a_number_that_is_too_large_is_told_for_that() {
        for number in ["99999999999", "-2147483649"] {
            let content = read(&FAQ.replace("= 3", &format!("= {number}")));
            assert_eq!(told(&content.mistakes)[..1], ["a.toml:3: faq.order: is out of range"], "{number}");
        }
        let fraction = read(&FAQ.replace("= 3", "= 3.5"));
        let form = "a.toml:3: faq.order: must be a whole number, not a number of another kind";
        assert_eq!(told(&fraction.mistakes)[..1], [form]);
    }

    #[test]
    fn an_entry_knows_its_fields() {
        let content = read(FAQ);
        let [item] = content.items.as_slice() else { panic!("{content:?}") };
        assert_eq!((item.kind, item.key.as_str(), item.whole("order")), (Kind::Faq, "a", Some(3)));
        assert_eq!((item.text("order"), item.whole("id"), item.active()), (None, None, None));
        let answers = item.languages("answer").expect("answers");
        assert_eq!(answers.get("de").map(String::as_str), Some("Darum."));
        let mistake = item.mistake("answer.de", "is short");
        assert_eq!(mistake.to_string(), "a.toml:5: faq.answer.de: is short");
    }

    #[test]
    fn a_table_becomes_what_the_use_case_takes() {
        #[derive(Debug, PartialEq, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Named {
            name: String,
        }
        let content = read(
            "[[acceptor]]\nname = \"A\"\ntype = \"personal\"\nlimit = \"1.00\"\nquote_seconds = 60\nrates = {}\n[[advertiser]]\nname = \" B \"\n",
        );
        let of = |kind| content.items.iter().find(|item| item.kind == kind).expect("one");
        let named = Named { name: " B ".into() };
        assert_eq!((of(Kind::Advertiser).key.as_str(), of(Kind::Advertiser).file()), ("B", Ok(named)));
        let acceptor = of(Kind::Acceptor);
        assert!(acceptor.file::<Named>().is_err_and(|unfit| unfit.to_string().starts_with("A: unknown field")));
        let without = acceptor.file_without(&["type", "limit", "quote_seconds", "rates"]);
        assert_eq!(without, Ok(Named { name: "A".into() }));
    }

    #[test]
    fn what_is_no_table_of_ours_is_named() {
        let wrong = "faq = 1\n[[faqs]]\n[slot]\nkey = \"a\"\n";
        let mut told_of = told(&read(wrong).mistakes);
        told_of.sort();
        let expected = [
            "a.toml:1: faq: must be a list of tables: [[faq]]",
            "a.toml:2: faqs: is not known; did you mean faq?",
            "a.toml:3: slot: must be a list of tables: [[slot]]",
        ];
        assert_eq!(told_of, expected);
        assert_eq!(told(&read("[[faq]]\n").mistakes), ["a.toml:1: faq.id: is missing"]);
        let list = Source { json: true, ..source("[]") };
        let content = Content::read(&[list], |_| Ok::<_, Infallible>(Vec::new())).expect("is read");
        assert_eq!(told(&content.mistakes), ["a.toml:1: must be tables such as [[product]]"]);
    }

    #[test]
    fn the_later_of_two_tables_about_the_same_is_refused() {
        let content = read(&format!("{FAQ}\n{FAQ}"));
        assert_eq!(content.items.len(), 1);
        assert_eq!(told(&content.mistakes), ["a.toml:8: faq.id: is the same as at a.toml:1"]);
    }

    #[test]
    fn entries_with_wrong_values_are_left_out() {
        let wrong = |item: &Item| Ok::<_, Infallible>(item.mistakes(&BTreeMap::from([(Field::Id, "required")])));
        let content = Content::read(&[source(FAQ)], wrong).expect("is read");
        assert!(content.items.is_empty());
        assert_eq!(told(&content.mistakes), ["a.toml:2: faq.id: is missing"]);
        assert_eq!(Content::read(&[source(FAQ)], |_| Err("no")).expect_err("fails"), "no");
    }

    #[test]
    fn there_is_a_limit_at_once() {
        let many = |count| (0..count).map(|n| format!("[[advertiser]]\nname = \"{n}\"\n")).collect::<String>();
        let content = read(&many(MOST_ITEMS));
        assert_eq!((content.items.len(), content.mistakes.len()), (MOST_ITEMS, 0));
        let content = read(&many(MOST_ITEMS + 1));
        assert_eq!(told(&content.mistakes), ["a.toml:1: more than 1000 at once"]);
        assert_eq!(content.items.len(), MOST_ITEMS);
    }

    #[test]
    fn a_missing_translation_is_told() {
        let contact =
            "[[contact]]\nid = \"a\"\nlist = \"recharge\"\ntype = 2\nurl = \"tel:1\"\nlabel = { en = \"Phone\" }\n";
        let told = told(&read(&format!("{FAQ}{contact}")).untranslated());
        // Of the question as well; a label may be the same everywhere.
        assert_eq!(told.len(), 2, "{told:?}");
        let answer = told.iter().find(|line| line.contains("faq.answer: has no ")).expect("the answer");
        assert!(answer.ends_with("; English is shown") && !answer.contains(" de,"), "{answer}");
    }

    #[test]
    fn translations_are_in_other_languages_and_whole() {
        let content = read(
            "[[product]]\nname = \"Tea\"\n[product.content.translations.de]\nsummary = \"Tee\"\nlanding_page = { title = \"Tee\" }\n\
             [product.content.translations.en]\nsummary = \"Tea\"\n[product.content.translations.dee]\nsummary = \"Tee\"\n",
        );
        let mut told = told(&content.mistakes);
        told.retain(|line| line.contains("translations"));
        let of = "product.content.translations";
        let expected = [
            format!("a.toml:5: {of}.de.landing_page.text: is missing"),
            format!("a.toml:8: {of}.dee: is not known; known are {}", Lang::ALL.map(Lang::code).join(", ")),
            format!("a.toml:6: {of}.en: is what is written without a language"),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn a_single_entry_is_a_whole_file() {
        let content = Content::read_one(Kind::Advertiser, &source("name = \"A\"\n"));
        assert_eq!((content.items.len(), content.mistakes.len()), (1, 0));
        let content = Content::read_one(Kind::Advertiser, &source("nam = \"A\"\n"));
        let expected =
            ["a.toml:1: advertiser.nam: is not known; did you mean name?", "a.toml:1: advertiser.name: is missing"];
        assert_eq!(told(&content.mistakes), expected);
    }

    #[test]
    fn keys_are_letters_digits_dashes_and_underscores() {
        for good in ["a", "Spring-2026_b", &"x".repeat(64)] {
            assert!(is_key(good), "{good}");
        }
        for bad in ["", "a b", "ä", "a/b", &"x".repeat(65)] {
            assert!(!is_key(bad), "{bad}");
        }
    }
}
