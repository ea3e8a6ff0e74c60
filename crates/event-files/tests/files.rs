//! What is written is read again, and no changed byte goes unnoticed.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use base::{PlanId, SlotId, Timestamp};
use bytes::Bytes;
use delivery::{Device, EventKind, Reason};
use event_files::{Event, Head, Index, ROWS_PER_GROUP, RowDigest, Seal, Wanted, Writer};

fn event(number: i64) -> Event {
    let bytes: [u8; 16] =
        std::array::from_fn(|place| u8::try_from((number + i64::try_from(place).unwrap()) % 251).unwrap());
    let counted = number % 5 != 0;
    Event {
        plan: PlanId(1 + number / 1_000),
        id: number,
        kind: *[EventKind::Impression, EventKind::Click, EventKind::Viewable].get((number % 3) as usize).unwrap(),
        at: Timestamp::from_millis(1_767_614_400_000 + number * 1_000),
        filed_at: Timestamp::from_millis(1_767_614_390_000 + number * 1_000),
        counted,
        reason: (!counted).then_some(Reason::Duplicate),
        filter_version: 3,
        price_milli: if counted { 240 } else { 0 },
        slot: (number % 4 != 0).then_some(SlotId(number % 7)),
        nonce: bytes,
        visitor: (number % 3 != 0).then_some(bytes),
        device: (number % 2 == 0).then_some(Device::Tablet),
        arm: (number % 6 == 0).then_some(-3),
        among: (number % 6 == 0).then_some(5),
        propensity: (number % 6 == 0).then_some(65_536),
        learned: (number % 6 == 0).then_some(number - 1),
        cleared_milli: (number % 8 == 0).then_some(170),
        source: (number % 8 == 0).then(|| format!("news.example/{}", number % 3)),
    }
}

fn written(rows: i64) -> (Vec<Event>, Vec<u8>, Seal) {
    let events: Vec<Event> = (1..=rows).map(event).collect();
    let head = Head { realm: "simulated".into(), month: "2026-01".into() };
    let mut writer = Writer::new(Vec::new(), &head).expect("a file");
    events.iter().cloned().for_each(|event| writer.push(event).expect("taken"));
    let (bytes, seal) = writer.finish().expect("finished");
    (events, bytes, seal)
}

fn opened(bytes: &[u8], seal: &Seal) -> Result<Index, event_files::Error> {
    Index::open(&bytes[seal.footer_at as usize..], seal)
}

fn group(index: &Index, number: usize, bytes: &[u8]) -> Result<Vec<Event>, event_files::Error> {
    let place = index.place(number).expect("a group");
    index.read(number, Bytes::copy_from_slice(&bytes[place.start as usize..place.end as usize]))
}

#[test]
fn every_row_is_read_as_it_was_written() {
    let (events, bytes, seal) = written(10_000);
    assert_eq!(seal.bytes, bytes.len() as u64);
    let index = opened(&bytes, &seal).expect("a footer");
    assert_eq!(
        (index.rows(), index.head().month.as_str(), index.head().realm.as_str()),
        (10_000, "2026-01", "simulated")
    );
    let groups = index.groups(&Wanted::default());
    assert_eq!(groups.len(), 10_000_usize.div_ceil(ROWS_PER_GROUP));
    let read: Vec<Event> = groups.iter().flat_map(|number| group(&index, *number, &bytes).expect("rows")).collect();
    assert_eq!(read, events);
    let digest = |rows: &[Event]| {
        let mut digest = RowDigest::default();
        rows.iter().for_each(|row| digest.take(row));
        digest.finish()
    };
    assert_eq!(digest(&read), digest(&events));
    let mut other = events.clone();
    other[77].source = Some(String::new());
    assert_ne!(digest(&other).1, digest(&events).1);
}

#[test]
fn the_same_rows_make_the_same_file() {
    assert_eq!(written(5_000).2, written(5_000).2);
}

#[test]
fn only_row_groups_that_can_have_it_are_read() {
    let (_, bytes, seal) = written(20_000);
    let index = opened(&bytes, &seal).expect("a footer");
    let of = |wanted: Wanted| index.groups(&wanted);
    assert_eq!(of(Wanted { plans: Some((PlanId(1), PlanId(1))), ..Wanted::default() }), [0]);
    assert_eq!(of(Wanted { plans: Some((PlanId(5), PlanId(5))), ..Wanted::default() }), [0, 1]);
    assert_eq!(of(Wanted { ids: Some((20_000, 30_000)), ..Wanted::default() }), [4]);
    assert_eq!(
        of(Wanted { filed: Some((Timestamp::from_millis(0), Timestamp::from_millis(5))), ..Wanted::default() }),
        [0_usize; 0]
    );
    assert_eq!(of(Wanted { counted: Some(false), ..Wanted::default() }).len(), 5);
}

#[test]
fn a_changed_byte_is_found_wherever_it_is() {
    let (_, bytes, seal) = written(5_000);
    for place in (4..bytes.len()).step_by(97).chain(bytes.len() - 20..bytes.len()) {
        let mut changed = bytes.clone();
        changed[place] ^= 1;
        let found = opened(&changed, &seal).and_then(|index| {
            index
                .groups(&Wanted::default())
                .into_iter()
                .try_for_each(|number| group(&index, number, &changed).map(|_| ()))
        });
        assert!(found.is_err(), "byte {place}");
    }
}

#[test]
fn rows_out_of_order_are_refused() {
    let head = Head { realm: "simulated".into(), month: "2026-01".into() };
    let mut writer = Writer::new(Vec::new(), &head).expect("a file");
    writer.push(event(2)).expect("taken");
    assert!(writer.push(event(2)).is_err());
    assert!(writer.push(event(1)).is_err());
}
