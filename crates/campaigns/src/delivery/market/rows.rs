//! Converts rows for the market.

use std::collections::HashMap;
use std::sync::Arc;

use base::{PlanId, UserId};
use foundation::Error;
use market::{ExcludedPlaces, PlanChange, PlanTerms, Product, ServedProduct, SlotRequests, SlotTerms, Ssp};
use plans::{ContentType, Pricing, Status};
use store::delivery::market::{MarketPlan, ServedSlot};
use store::delivery::slot_requests::Requests;
use store::delivery::ssp::ServedSsp;
use store::plans::exclusions::{ExcludedPlace, Exclusion};
use store::plans::product::ProductRow;

use crate::catalogue::products::{content_of, openrtb_of, targeting_of};
use crate::delivery::market::FileSize;
use crate::delivery::slots;

/// The rows of slots and products with their converted values. All rows are loaded every second, and converted again
/// only if they changed.
#[derive(Default)]
pub struct ReadRows {
    slots: Read<ServedSlot, SlotTerms>,
    products: Read<ProductRow, ServedProduct>,
}

type Read<R, T> = HashMap<i64, (R, Arc<T>)>;

impl ReadRows {
    pub fn slots(&mut self, rows: Vec<ServedSlot>) -> Result<Vec<Arc<SlotTerms>>, Error> {
        read_changed(&mut self.slots, rows, |slot| slot.row.id.0, slot)
    }

    pub fn products(&mut self, rows: Vec<ProductRow>, file_size: FileSize) -> Result<Vec<Arc<ServedProduct>>, Error> {
        read_changed(&mut self.products, rows, |row| row.id.0, |row| served_product(row, file_size))
    }
}

fn read_changed<R: PartialEq, T>(
    known: &mut Read<R, T>,
    rows: Vec<R>,
    id: impl Fn(&R) -> i64,
    read: impl Fn(&R) -> Result<T, Error>,
) -> Result<Vec<Arc<T>>, Error> {
    let mut all = HashMap::with_capacity(rows.len());
    for row in rows {
        let same = known.remove(&id(&row)).filter(|(known, _)| *known == row);
        let told = match same {
            Some((_, told)) => told,
            None => Arc::new(read(&row)?),
        };
        all.insert(id(&row), (row, told));
    }
    *known = all;
    Ok(known.values().map(|(_, told)| told.clone()).collect())
}

fn slot(slot: &ServedSlot) -> Result<SlotTerms, Error> {
    let row = &slot.row;
    Ok(SlotTerms {
        id: row.id,
        key: row.key.clone(),
        publisher: row.publisher_id,
        share: slot.share,
        audience: targeting_of(&row.audience)?.into(),
        content: if row.active { slots::content_types(row)? } else { Vec::new() },
    })
}

fn served_product(row: &ProductRow, file_size: FileSize) -> Result<ServedProduct, Error> {
    let mut content = content_of(row)?;
    // An ad has only one language.
    content.translations.clear();
    let product = Product {
        id: row.id,
        name: row.name.clone(),
        content,
        targeting: targeting_of(&row.targeting)?.into(),
        landing_url: row.landing_url.clone(),
        terms: openrtb_of(row.openrtb.as_deref())?,
    };
    Ok(ServedProduct::new(product, file_size))
}

/// An exchange; `None` if its key cannot be a digest.
pub fn ssp(row: ServedSsp) -> Option<Ssp> {
    let ServedSsp { id, slot, key_hash, seat, share, silent } = row;
    Some(Ssp { id, slot, key: key_hash.as_slice().try_into().ok()?, seat, share, notifies: !silent })
}

/// The exclusions of users, by user.
pub struct Exclusions(HashMap<UserId, Vec<Exclusion>>);

impl Exclusions {
    pub fn of(rows: Vec<Exclusion>) -> Self {
        let mut by_user = HashMap::<_, Vec<_>>::new();
        for row in rows {
            by_user.entry(row.user).or_default().push(row);
        }
        Self(by_user)
    }

    fn of_plan(&self, user: UserId, plan: PlanId) -> Option<Arc<ExcludedPlaces>> {
        let concern = |row: &&Exclusion| row.plan.is_none_or(|only| only == plan);
        let mut rows = self.0.get(&user)?.iter().filter(concern).peekable();
        rows.peek()?;
        let mut places = ExcludedPlaces::default();
        for row in rows {
            match &row.place {
                ExcludedPlace::Slot(slot) => places.add_slot(*slot),
                ExcludedPlace::Source(source) => places.add_source(source),
            }
        }
        Some(Arc::new(places))
    }
}

/// A plan for the market. A plan with unknown codes is never shown.
pub fn plan(row: &MarketPlan, exclusions: &Exclusions) -> PlanChange {
    let schedule = row.schedule.read();
    let terms = || {
        Some(PlanTerms {
            product: row.product_id,
            status: Status::try_from(row.status).ok()?,
            paused: row.paused,
            content: ContentType::try_from(row.content_type?).ok()?,
            pricing: Pricing::try_from(row.pricing).ok()?,
            unit_milli: row.unit_milli,
            due_at: row.due_at.map(|due| schedule.before_end(due)),
            ai_delivery: row.ai_delivery,
            daily_cap: row.daily_cap,
            excluded: exclusions.of_plan(row.user_id, row.id),
            schedule,
        })
    };
    PlanChange { id: row.id, changed_at: row.changed_at, terms: terms() }
}

pub const fn requests(asked: SlotRequests) -> Requests {
    let SlotRequests { requests, filled } = asked;
    Requests { requests, filled }
}

#[cfg(test)]
mod tests {
    use base::{ProductId, PublisherId, SlotId, Timestamp};
    use store::plans::plan::schedule::PlanSchedule;

    use super::*;

    #[test]
    fn only_rows_that_changed_are_read_again() {
        let (mut known, told) = (Read::new(), |row: &(i64, &str)| Ok(row.1.to_owned()));
        let mut read = |rows| read_changed(&mut known, rows, |row| row.0, told).expect("read");
        let (first, same, other) = (read(vec![(1, "a")]), read(vec![(1, "a")]), read(vec![(1, "b")]));
        assert!(Arc::ptr_eq(&first[0], &same[0]));
        assert_eq!(other[0].as_str(), "b");
        let gone = read(vec![(2, "c")]);
        assert_eq!((gone.len(), gone[0].as_str()), (1, "c"));
    }

    #[test]
    fn a_plan_with_a_code_that_nobody_knows_is_not_shown() {
        let row = MarketPlan {
            id: PlanId(1),
            user_id: UserId(3),
            product_id: ProductId(2),
            status: Status::Putting.code(),
            content_type: Some(ContentType::Video.code()),
            paused: false,
            due_at: None,
            unit_milli: 10,
            changed_at: Timestamp::from_millis(5),
            ai_delivery: false,
            pricing: Pricing::Cpc.code(),
            daily_cap: None,
            schedule: PlanSchedule::default(),
        };
        let plan = |row: &MarketPlan| super::plan(row, &Exclusions::of(Vec::new()));
        let terms = plan(&row).terms.expect("terms");
        assert!(terms.is_shown());
        assert_eq!((terms.product, terms.content, terms.pricing), (ProductId(2), ContentType::Video, Pricing::Cpc));
        let (unknown, known) = (i16::MAX, row.clone());
        for row in [
            MarketPlan { status: unknown, ..row.clone() },
            MarketPlan { content_type: Some(unknown), ..row.clone() },
            MarketPlan { content_type: None, ..row.clone() },
            MarketPlan { pricing: unknown, ..row.clone() },
        ] {
            let change = plan(&row);
            assert_eq!((change.id, change.changed_at.millis(), change.terms), (known.id, 5, None));
        }
        let hours = Some("always".to_owned());
        let unread = plan(&MarketPlan { schedule: PlanSchedule { hours, ..PlanSchedule::default() }, ..row });
        assert!(
            !unread.terms.expect("terms").schedule.is_open(Timestamp::from_millis(5)),
            "hours that nobody can read"
        );
    }

    #[test]
    fn a_plan_is_excluded_where_it_and_all_of_its_users_are() {
        let exclusion =
            |user, plan: Option<i64>, place| Exclusion { user: UserId(user), plan: plan.map(PlanId), place };
        let site = |name: &str| ExcludedPlace::Source(name.into());
        let exclusions = Exclusions::of(vec![
            exclusion(3, None, site("All.example")),
            exclusion(3, Some(1), site("one.example")),
            exclusion(3, Some(1), ExcludedPlace::Slot(SlotId(9))),
            exclusion(3, Some(2), site("two.example")),
            exclusion(4, None, site("others.example")),
        ]);
        let sites = ["all.example", "ONE.example", "two.example", "others.example"];
        let excluded = exclusions.of_plan(UserId(3), PlanId(1)).expect("places");
        assert_eq!(sites.map(|site| excluded.has_source(site)), [true, true, false, false]);
        assert_eq!([9, 8].map(|slot| excluded.has_slot(SlotId(slot))), [true, false]);
        let other = exclusions.of_plan(UserId(3), PlanId(7)).expect("places");
        assert_eq!(sites.map(|site| other.has_source(site)), [true, false, false, false]);
        assert_eq!(exclusions.of_plan(UserId(5), PlanId(1)), None);
        // Names in other scripts: as a site is stored now, as it was stored once, and as people write it.
        let named = ["xn--bcher-kva.example", "mnchen.example", "пример.рф"];
        let excluded = Exclusions::of(named.map(|name| exclusion(3, None, site(name))).into());
        let excluded = excluded.of_plan(UserId(3), PlanId(1)).expect("places");
        for (written, is_excluded) in
            [("bücher.example", true), ("München.example", true), ("ПРИМЕР.рф", true), ("bucher.example", false)]
        {
            assert_eq!(excluded.has_source(written), is_excluded, "{written}");
        }
        // As exchanges wrote them, and as they are told now.
        let named = ["www.news.example", "id553834731", "www.example"];
        let excluded = Exclusions::of(named.map(|name| exclusion(3, None, site(name))).into());
        let excluded = excluded.of_plan(UserId(3), PlanId(1)).expect("places");
        for (written, is_excluded) in
            [("news.example", true), ("www.news.example", true), ("553834731", true), ("example", false)]
        {
            assert_eq!(excluded.has_source(written), is_excluded, "{written}");
        }
    }

    #[test]
    fn a_key_that_is_no_digest_is_nobodys() {
        let row = |length| ServedSsp {
            id: PublisherId(1),
            slot: SlotId(1),
            key_hash: vec![7; length],
            seat: None,
            share: supply::Share::default(),
            silent: false,
        };
        assert_eq!(ssp(row(32)).map(|ssp| ssp.key), Some([7; 32]));
        assert_eq!([31, 33].map(|length| ssp(row(length))), [None, None]);
    }
}
