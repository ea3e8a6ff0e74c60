//! Parts that need no database.

use std::fs;

use auth::Secrets;
use base::{AdvertiserId, PlanId, PublisherId, Timestamp, UserId};
use delivery::Lease;
use store::delivery::lease::GrantedLease;
use store::installation::copy::{Kind, Table};
use store::installation::high_water::{BYTES, Link, Mark};
use store::testing::parts::{
    Reference, containing, file_with, in_order, is_earlier_refund, lowered, lowered_site, read, remove,
};
use store::wallet::books::Owner;
use wallet::TransactionKind;

#[test]
fn a_books_number_leads_to_its_owner() {
    for id in [1, 7, (1 << 40) - 1] {
        for owner in [Owner::User(UserId(id)), Owner::Advertiser(AdvertiserId(id)), Owner::Publisher(PublisherId(id))] {
            assert_eq!(Owner::of_book(owner.book()), owner);
        }
    }
    assert_eq!(Owner::Publisher(PublisherId(3)).book(), -1_099_511_627_779);
    assert_eq!(Owner::of_book(i64::MIN).user(), None);
}

#[test]
fn only_a_refund_for_events_may_be_in_its_publishers_book() {
    let publishers = Owner::Publisher(PublisherId(1)).book();
    assert!(is_earlier_refund(TransactionKind::DeliveryRefunded.code(), publishers));
    for kind in TransactionKind::ALL.iter().filter(|kind| **kind != TransactionKind::DeliveryRefunded) {
        assert!(!is_earlier_refund(kind.code(), publishers), "{kind:?}");
    }
    for other in [Owner::User(UserId(1)), Owner::Advertiser(AdvertiserId(1))] {
        assert!(!is_earlier_refund(TransactionKind::DeliveryRefunded.code(), other.book()), "{other}");
    }
}

#[test]
fn of_a_lease_no_more_is_for_exchanges_than_stays_in_it() {
    let lease = Lease { id: 7, plan: PlanId(1), left_milli: 100, ends_at: Timestamp::EPOCH };
    for (exchanges_milli, kept, given_back) in [
        (60, 20, (80, 40)),
        (60, 60, (40, 0)),
        (60, 80, (20, 0)),
        (100, 0, (100, 100)),
        (0, 0, (100, 0)),
        (60, 200, (0, 0)),
    ] {
        let of = GrantedLease { lease, exchanges_milli }.given_back(kept);
        assert_eq!((of.lease, of.milli, of.exchanges_milli), (7, given_back.0, given_back.1), "{kept} stay");
    }
}

#[test]
fn wildcards_stand_for_themselves() {
    assert_eq!(containing("50%_of!"), "%50!%!_of!!%");
    assert_eq!(containing(""), "%%");
}

#[test]
fn a_name_is_found_as_people_write_it() {
    // `to_ascii_lowercase` does what SQLite's `lower` does.
    let found = |stored: &str, typed: &str| lowered(typed).contains(&stored.to_ascii_lowercase());
    for stored in ["Müller Öl", "MÜLLER ÖL", "müller öl"] {
        for typed in ["Müller Öl", "MÜLLER ÖL", "müller öl", "mÜLLER öl"] {
            assert!(found(stored, typed), "{stored} {typed}");
        }
    }
    assert!(found("План", "ПЛАН") && found("ПЛАН", "план") && found("News.Example", "news.EXAMPLE"));
    assert!(!found("Strasse", "Straße") && !found("Muller", "Müller"));
}

#[test]
fn a_site_is_found_with_www_and_without() {
    for typed in ["news.example", "www.news.example", "WWW.News.example"] {
        let found = lowered_site(typed);
        assert!(
            ["news.example", "www.news.example"].iter().all(|stored| found.contains(&(*stored).to_owned())),
            "{typed}"
        );
    }
    assert!(!lowered_site("www2.news.example").contains(&"news.example".to_owned()));
}

#[test]
fn what_is_written_is_read_and_nothing_else_is_sealed() {
    let sealer = Secrets::new([1; 32], [2; 32], [3; 32]).sealer();
    let link = Link { id: i64::MAX, hash: [7; 32] };
    let full =
        Mark { installation: i64::MAX, commits: i64::MAX, transaction: Some(link), record: Some(link), at: i64::MAX };
    for mark in [Mark::default(), full] {
        let text = mark.text(&sealer);
        assert_eq!(text.len(), BYTES);
        assert_eq!(Mark::parse(&text, &sealer), Some((mark, true)));
        let edited = text.replacen("commits ", "commits 1", 1);
        assert!(Mark::parse(&edited, &sealer).is_none_or(|(_, sealed)| !sealed));
        let others = Secrets::new([1; 32], [2; 32], [4; 32]).sealer();
        assert_eq!(Mark::parse(&text, &others), Some((mark, false)));
    }
    assert_eq!(Mark::parse("", &sealer), None);
    assert_eq!(Mark::parse("placard mark 1\nseal ", &sealer), None);
}

const TEXT: &str = "all of it";

#[test]
fn a_new_file_is_never_seen_without_its_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("data/postgres.mark");
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for _ in 0..200 {
                file_with(&place, TEXT).expect("written");
                remove(&place).expect("removed");
            }
        });
        while !writer.is_finished() {
            assert!(matches!(read(&place).expect("read").as_deref(), None | Some(TEXT)));
        }
    });
}

#[test]
fn a_file_that_was_never_finished_is_in_nobodys_way() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("placard.mark");
    fs::write(folder.path().join("placard.mark.new"), "something longer, and half").expect("written");
    file_with(&place, TEXT).expect("written");
    assert_eq!(read(&place).expect("read").as_deref(), Some(TEXT));
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

fn ordered(names: &[&str], references: &[(&str, &str)]) -> Vec<String> {
    let table =
        |name: &&str| ((*name).to_owned(), Table { name: (*name).to_owned(), columns: Vec::new(), last_id: None });
    let references: Vec<Reference> = references
        .iter()
        .map(|(child, parent)| Reference { child: (*child).to_owned(), parent: (*parent).to_owned() })
        .collect();
    in_order(names.iter().map(table).collect(), &references).into_iter().map(|table| table.name).collect()
}

#[test]
fn what_is_referred_to_comes_first() {
    assert_eq!(ordered(&["a", "b", "c"], &[("a", "b"), ("b", "c"), ("c", "c")]), ["c", "b", "a"]);
    assert_eq!(ordered(&["a", "b"], &[("a", "b"), ("b", "a")]), ["a", "b"], "a ring ends too");
}

#[test]
fn kinds_are_called_by_their_names() {
    for kind in [Kind::Integer, Kind::Text, Kind::Bytes, Kind::Bool] {
        assert_eq!(Kind::from_name(kind.name()), Some(kind));
    }
    assert_eq!((Kind::of("BIGINT"), Kind::of("numeric")), (Some(Kind::Integer), None));
}
