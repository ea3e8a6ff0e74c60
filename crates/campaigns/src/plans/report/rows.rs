//! The rows of a report that is not divided by day.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use base::{MoneyError, PlanId, ProductId, SlotId, UserId};
use delivery::Device;
use foundation::Error;
use i18n::Lang;
use plans::{ContentType, Delivered, Dimension, PartCounts};
use store::Conn;
use store::delivery::stats::report::{
    self as store_report, Both, NamedSlot, Parts, Subject, by_subject, find_named_slots,
};
use store::plans::{plan, product};
use supply::PublisherKind;

use super::days::Days;
use super::{ReportBy, ReportFigures, ReportQuery, ReportRow};
use crate::catalogue::products::targeting_of;

/// The most rows; the others are one more.
const MOST_ROWS: usize = 200;
/// The most parts that are read, those that used most; no user's are more, but for one on very many sites.
const MOST_PARTS: i64 = 5_000;

const OTHERS: &str = "others";
const UNKNOWN: &str = "unknown";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    key: String,
    name: String,
    detail: Option<String>,
    now: Delivered,
    before: Delivered,
}

impl Row {
    /// A row whose name is its key.
    pub fn named(key: String, now: Delivered, before: Delivered) -> Self {
        Self { name: key.clone(), key, detail: None, now, before }
    }

    /// A row for everything without a name.
    fn nameless(key: &str, lang: Lang, now: Delivered, before: Delivered) -> Self {
        let name = i18n::text(lang, &format!("server.report.{key}"), &[]);
        Self { key: key.to_owned(), name, detail: None, now, before }
    }

    pub fn view(self) -> Result<ReportRow, Error> {
        let Self { key, name, detail, now, before } = self;
        Ok(ReportRow { key, name, detail, figures: ReportFigures::of(&now)?, before: ReportFigures::of(&before)? })
    }

    fn plus(&mut self, now: Delivered, before: Delivered) -> Result<(), MoneyError> {
        self.now = self.now.plus(now)?;
        self.before = self.before.plus(before)?;
        Ok(())
    }
}

/// # Errors
/// Those of the database.
pub(super) fn read(
    conn: &mut Conn,
    user: UserId,
    query: &ReportQuery,
    days: &Days,
    now: Delivered,
    before: Delivered,
) -> Result<Vec<Row>, Error> {
    let all = All { user, lang: query.lang, days: *days, now, before };
    let rows = match query.by {
        // The caller has them.
        ReportBy::Day => Vec::new(),
        ReportBy::Plan => all.plans(conn)?,
        ReportBy::Product => all.products(conn)?,
        ReportBy::Form => all.parts(conn, Dimension::Form)?.into_iter().map(|part| all.form(part)).collect(),
        ReportBy::Device => all.parts(conn, Dimension::Device)?.into_iter().map(|part| all.device(part)).collect(),
        ReportBy::Placement => all.placements(conn)?,
        ReportBy::Region => all.regions(conn)?,
    };
    all.complete(rows)
}

/// The figures that the rows divide.
struct All {
    user: UserId,
    lang: Lang,
    days: Days,
    now: Delivered,
    before: Delivered,
}

/// A part with its share of the totals; without a key, what is of none.
type Part = Both<String, Delivered>;

impl All {
    fn unknown(&self, now: Delivered, before: Delivered) -> Row {
        Row::nameless(UNKNOWN, self.lang, now, before)
    }

    /// Sorts the rows, with one row for each key, and adds one for what they leave of the totals.
    fn complete(&self, rows: Vec<Row>) -> Result<Vec<Row>, Error> {
        let mut merged = BTreeMap::<String, Row>::new();
        for row in rows {
            match merged.get_mut(&row.key) {
                Some(same) => same.plus(row.now, row.before)?,
                None => drop(merged.insert(row.key.clone(), row)),
            }
        }
        let nothing = Delivered::default();
        let mut rows: Vec<Row> =
            merged.into_values().filter(|row| row.now != nothing || row.before != nothing).collect();
        rows.sort_by_cached_key(|row| Reverse(order(row)));
        rows.truncate(MOST_ROWS);
        let (mut now, mut before) = (self.now, self.before);
        for row in &rows {
            now = now.minus(row.now)?;
            before = before.minus(row.before)?;
        }
        if now != nothing || before != nothing {
            rows.push(Row::nameless(OTHERS, self.lang, now, before));
        }
        Ok(rows)
    }

    fn subjects(&self, conn: &mut Conn, subject: Subject) -> Result<Vec<Both<i64, Delivered>>, Error> {
        let most = i64::try_from(MOST_ROWS).unwrap_or(0);
        Ok(by_subject(conn, self.user, subject, &self.days.compared(), most)?)
    }

    fn plans(&self, conn: &mut Conn) -> Result<Vec<Row>, Error> {
        let found = self.subjects(conn, Subject::Plan)?;
        let ids: Vec<PlanId> = found.iter().map(|of| PlanId(of.key)).collect();
        let names: BTreeMap<PlanId, plan::PlanName> =
            plan::names(conn, self.user, &ids)?.into_iter().map(|name| (name.id, name)).collect();
        let row = |of: Both<i64, Delivered>| {
            let key = PlanId(of.key);
            let (name, detail) = names.get(&key).map(|it| (it.product.clone(), it.plan_no.clone())).unzip();
            Row { key: key.to_string(), name: name.unwrap_or_default(), detail, now: of.now, before: of.before }
        };
        Ok(found.into_iter().map(row).collect())
    }

    fn products(&self, conn: &mut Conn) -> Result<Vec<Row>, Error> {
        let found = self.subjects(conn, Subject::Product)?;
        let names = product::names(conn, found.iter().map(|of| ProductId(of.key)))?;
        let row = |of: Both<i64, Delivered>| {
            let key = ProductId(of.key);
            let name = names.get(&key).cloned().unwrap_or_default();
            Row { key: key.to_string(), name, detail: None, now: of.now, before: of.before }
        };
        Ok(found.into_iter().map(row).collect())
    }

    /// The parts by a dimension. The last one has what belongs to none. If there are more parts than are read, their
    /// figures belong to `others`.
    fn parts(&self, conn: &mut Conn, dimension: Dimension) -> Result<Vec<Part>, Error> {
        let Parts { found, is_cut } =
            store_report::parts(conn, self.user, dimension, &self.days.compared(), MOST_PARTS)?;
        let of_none = (!is_cut).then(String::new);
        let counts = |of: fn(&Both<String, PartCounts>) -> PartCounts| found.iter().map(of).collect::<Vec<_>>();
        let now = self.now.divide(&counts(|part| part.now))?;
        let before = self.before.divide(&counts(|part| part.before))?;
        let keys = found.into_iter().map(|part| part.key).chain(of_none);
        Ok(keys.zip(now.into_iter().zip(before)).map(|(key, (now, before))| Both { key, now, before }).collect())
    }

    fn form(&self, part: Part) -> Row {
        let known = ContentType::from_name(&part.key).map(|form| format!("plans.contentType.{form}"));
        self.coded(known, part)
    }

    fn device(&self, part: Part) -> Row {
        let known = Device::from_name(&part.key).map(|device| format!("plans.device.{device}"));
        self.coded(known, part)
    }

    /// A part with a code, by the name of its text.
    fn coded(&self, text: Option<String>, part: Part) -> Row {
        let Both { key, now, before } = part;
        match text {
            Some(text) => Row { key, name: i18n::text(self.lang, &text, &[]), detail: None, now, before },
            None => self.unknown(now, before),
        }
    }

    fn placements(&self, conn: &mut Conn) -> Result<Vec<Row>, Error> {
        let placed = self.read_placed(conn)?;
        Ok(placed
            .into_iter()
            .map(|(slot, part)| match slot {
                Some(slot) => placement(&slot, part),
                None => self.unknown(part.now, part.before),
            })
            .collect())
    }

    fn regions(&self, conn: &mut Conn) -> Result<Vec<Row>, Error> {
        let placed = self.read_placed(conn)?;
        placed
            .into_iter()
            .map(|(slot, Both { now, before, .. })| {
                let named = slot.map(|slot| region(&slot)).transpose()?.flatten();
                Ok(named.map_or_else(|| self.unknown(now, before), |region| Row::named(region, now, before)))
            })
            .collect()
    }

    /// The parts by slot, each with its slot.
    fn read_placed(&self, conn: &mut Conn) -> Result<Vec<(Option<NamedSlot>, Part)>, Error> {
        let parts = self.parts(conn, Dimension::Placement)?;
        let mut ids: Vec<SlotId> = parts.iter().filter_map(|part| slot_of(&part.key)).collect();
        ids.sort_unstable();
        ids.dedup();
        let slots = find_named_slots(conn, &ids)?;
        let slot = |part: &Part| slot_of(&part.key).and_then(|id| slots.get(&id).cloned());
        Ok(parts.into_iter().map(|part| (slot(&part), part)).collect())
    }
}

/// The own money used, impressions, and the same before.
fn order(row: &Row) -> [i64; 4] {
    let own = |of: &Delivered| of.earned.used.minor().saturating_sub(of.earned.platform_used.minor());
    [own(&row.now), row.now.impressions, own(&row.before), row.before.impressions]
}

/// A placement's key begins with the number of its slot.
fn slot_of(key: &str) -> Option<SlotId> {
    key.split(' ').next()?.parse().ok()
}

/// A slot by its publisher, and a site or an app by its own name.
fn placement(slot: &NamedSlot, part: Part) -> Row {
    let Both { key, now, before } = part;
    let source = key.split_once(' ').map(|(_, source)| source.to_owned()).filter(|source| !source.is_empty());
    let (name, detail) = match (slot.kind, source) {
        (PublisherKind::Ssp, Some(source)) => (source, Some(slot.publisher.clone())),
        (PublisherKind::Ssp, None) => (slot.publisher.clone(), None),
        (PublisherKind::Direct, _) => (slot.publisher.clone(), Some(slot.key.clone())),
    };
    Row { key, name, detail, now, before }
}

/// The region that a slot reaches, if it names one.
fn region(slot: &NamedSlot) -> Result<Option<String>, Error> {
    Ok(match &targeting_of(&slot.audience)?.regions[..] {
        [one] => Some(one.to_uppercase()),
        _ => None,
    })
}
