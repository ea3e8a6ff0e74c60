//! The entries of content files, parsed and checked as far as possible without the
//! database.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use base::Timestamp;
use i18n::Lang;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};

use super::document::{Node, Value, parse};
use super::forms::Kind;
use super::problems::explained;
use super::schema::{Mistake, Reader, unknown};
use super::{catalogue, notices, offers, publishers, service};
use crate::delivery::publishers::PublisherFile;
use crate::delivery::slots::SlotFile;
use crate::offers::coupon_staff::CouponFile;
use crate::plans::catalog::ProductFile;
use crate::wallet::acceptor_admin::AcceptorFile;
use crate::{Error, Fields};

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
    pub fn file<T: DeserializeOwned>(&self) -> Result<T, Error> {
        self.of(self.fields.clone())
    }

    fn of<T: DeserializeOwned>(&self, fields: Map<String, Json>) -> Result<T, Error> {
        serde_json::from_value(Json::Object(fields)).map_err(|e| Error::Internal(format!("{}: {e}", self.key)))
    }

    /// Without fields that the use case's type does not have.
    fn without<T: DeserializeOwned>(&self, names: &[&str]) -> Result<T, Error> {
        let fields = self.fields.iter().filter(|(name, _)| !names.contains(&name.as_str()));
        self.of(fields.map(|(name, value)| (name.clone(), value.clone())).collect())
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

    pub fn languages(&self, name: &str) -> Option<BTreeMap<String, String>> {
        let texts = self.fields.get(name)?.as_object()?;
        let text = |(lang, text): (&String, &Json)| Some((lang.clone(), text.as_str()?.to_owned()));
        Some(texts.iter().filter_map(text).collect())
    }

    /// The advertiser is looked up later, by name or id.
    pub fn product(&self) -> Result<ProductFile, Error> {
        let mut fields = self.fields.clone();
        fields.remove("active");
        let id = self.fields.get("advertiser").and_then(Json::as_i64).unwrap_or_default();
        fields.insert("advertiser".to_owned(), id.into());
        self.of(fields)
    }

    pub fn publisher(&self) -> Result<PublisherFile, Error> {
        self.without(&["active"])
    }

    pub fn slot(&self) -> Result<SlotFile, Error> {
        self.without(&["active"])
    }

    pub fn coupon(&self) -> Result<CouponFile, Error> {
        self.file()
    }

    pub fn acceptor(&self) -> Result<AcceptorFile, Error> {
        self.without(&["active"])
    }

    /// The mistakes that a use case found in its file.
    pub fn mistakes(&self, wrong: &Fields) -> Vec<Mistake> {
        wrong.iter().map(|(field, problem)| self.mistake(field, explained(self.kind, field, problem))).collect()
    }
}

/// The content of files, and their mistakes.
#[derive(Clone, Debug, Default)]
pub struct Content {
    pub items: Vec<Item>,
    pub mistakes: Vec<Mistake>,
}

impl Content {
    /// Parses files with tables of any kind.
    ///
    /// # Errors
    /// `Internal` if a checked table does not fit its type.
    pub fn read(sources: &[Source], currency: &str) -> Result<Self, Error> {
        let mut content = Self::default();
        for source in sources {
            content.add(source, Self::tables);
        }
        content.check(currency)?;
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
    fn check(&mut self, currency: &str) -> Result<(), Error> {
        for item in std::mem::take(&mut self.items) {
            let mut wrong = checked(&item, currency)?;
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
            Err(errors) => errors.into_iter().for_each(|error| reader.wrong(error.line, "", error.problem)),
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
            reader.wrong(root.line, "", "must be tables such as [[product]]");
            return Vec::new();
        };
        let mut items = Vec::new();
        for (name, node) in kinds {
            match (Kind::from_name(name), &node.value) {
                (None, _) => reader.wrong(node.line, name, unknown(name, Kind::ALL.iter().map(|kind| kind.name()))),
                (Some(kind), Value::List(tables)) => {
                    items.extend(tables.iter().filter_map(|table| Self::item(reader, file, kind, table)));
                }
                (Some(_), _) => reader.wrong(node.line, name, format!("must be a list of tables: [[{name}]]")),
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

fn checked(item: &Item, currency: &str) -> Result<Vec<Mistake>, Error> {
    Ok(match item.kind {
        Kind::Advertiser => catalogue::check_advertiser(item),
        Kind::Product => catalogue::check_product(item)?,
        Kind::Publisher => publishers::check(item)?,
        Kind::Slot => catalogue::check_slot(item)?,
        Kind::Coupon => offers::check_coupon(item)?,
        Kind::Activity => offers::check_activity(item),
        Kind::Acceptor => service::check_acceptor(item, currency)?,
        Kind::Contact => service::check_contact(item),
        Kind::Faq => service::check_question(item),
        Kind::Notification => notices::check(item),
    })
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
