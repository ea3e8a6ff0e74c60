//! Checks of the database's rows.

use std::collections::BTreeMap;

use ::bank::{Extent, Gap, gaps};
use auth::{Founding, Role};
use base::Timestamp;
use campaigns::catalogue::product_pictures::{is_own, shown_files};
use campaigns::catalogue::products::Content;
use store::Realm;
use store::installation::health::{Backlog, Figures, ShownProduct};
use store::staff::operators::Operator;

use super::Finding;
use crate::installation::settings::Installation;

/// If the clocks of two servers differ by more, views and clicks that reach both of them are in the wrong order.
const CLOCKS_APART_MILLIS: i64 = 2_000;
const HOUR: i64 = 3_600;
/// After this time, people start asking.
const WAITED_SECONDS: i64 = 24 * HOUR;
const BACKUP_SECONDS: i64 = 26 * HOUR;

pub(super) fn findings(installation: &Installation, figures: &Figures, now: Timestamp) -> Vec<Finding> {
    let server = "see that a server runs, and its log";
    let mut all = vec![
        realm(installation, figures),
        clock(figures, now),
        ledger(figures),
        versions(&figures.others),
        late(
            "billing",
            "plans have events that are not counted, or a bill overdue",
            figures.backlogs.unbilled,
            now,
            server,
        ),
        late("steps", "plans have a step overdue", figures.backlogs.unmoved, now, server),
        late("leases", "leases are over and not given back", figures.backlogs.lapsed_leases, now, server),
    ];
    all.push(match figures.without_month {
        0 => Finding::ok("months", "every row is in its month"),
        _ => Finding::warning("months", "rows in entries_rest or events_rest", "see docs/CAPACITY.md, What grows"),
    });
    for (check, of, command) in [
        ("requests", figures.backlogs.requests, "request list"),
        ("withdrawals", figures.backlogs.withdrawals, "withdrawal list"),
        ("exchanges", figures.backlogs.exchanges, "exchange list --status pending"),
    ] {
        all.push(undecided(check, of, now, command));
    }
    all.extend([
        backup(installation, figures, now),
        operators(&figures.operators, figures.people),
        founders(&figures.founding, &figures.operators),
        printed_keys(&figures.printed_keys),
        pictures(&figures.products),
        bank(&figures.bank),
    ]);
    all
}

fn realm(installation: &Installation, figures: &Figures) -> Finding {
    let (configured, kept) = (installation.realm, figures.realm);
    match kept {
        Some(kept) if kept != configured => Finding::problem(
            "realm",
            format!("PLACARD_REALM says {}, the database is {} for ever", configured.name(), kept.name()),
            "set PLACARD_REALM to the database's, or name the right database",
        ),
        _ => Finding::ok("realm", configured.name()),
    }
}

/// The most names that are listed.
const NAMED: usize = 20;

/// The first names, and how many more there are.
fn several(names: &[impl AsRef<str>]) -> String {
    let more = names.len().saturating_sub(NAMED);
    let named = names.iter().take(NAMED).map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    if more == 0 { named } else { format!("{named} and {more} more") }
}

fn printed_keys(of: &[String]) -> Finding {
    if of.is_empty() {
        return Finding::ok("keys", "nobody on the staff has seen a counterparty's");
    }
    Finding::warning(
        "keys",
        format!("printed to somebody on the staff: {}", several(of)),
        "`advertiser rotate-key`, `publisher key` or `ssp key`; they count until the new one is confirmed",
    )
}

/// Products from before their pictures had to be files of this server.
fn pictures(products: &[ShownProduct]) -> Finding {
    let shows_foreign = |product: &&ShownProduct| {
        let Ok(content) = serde_json::from_str::<Content>(&product.content) else { return false };
        shown_files(&product.image, &content).iter().any(|file| !is_own(file.address))
    };
    let foreign: Vec<&str> = products.iter().filter(shows_foreign).map(|product| product.name.as_str()).collect();
    if foreign.is_empty() {
        return Finding::ok("pictures", "those of products are files of this server");
    }
    Finding::warning(
        "pictures",
        format!("browsers block some of {}: they are at other addresses", several(&foreign)),
        "`placard product picture FILE`, and its address in the product's file",
    )
}

/// Whether the bank's statements follow each other.
fn bank(accounts: &BTreeMap<String, Vec<Extent>>) -> Finding {
    let gaps: Vec<(&String, Gap)> = accounts
        .iter()
        .flat_map(|(account, extents)| gaps(extents).into_iter().map(move |gap| (account, gap)))
        .collect();
    let unproven = accounts.values().flatten().filter(|extent| extent.balances.is_none()).count();
    let told = match gaps.first() {
        Some((account, gap)) => {
            let Gap { after, before, from, to } = gap;
            let more = gaps.len() - 1;
            let more = if more == 0 { String::new() } else { format!(", and {more} more") };
            format!("{account}: something is missing between {after} ({from}) and {before} ({to}){more}")
        }
        None if unproven > 0 => format!("{unproven} statements without balances are not proven yet"),
        None => return Finding::ok("bank", "no statement is missing between others"),
    };
    Finding::warning("bank", told, "import the statements of these days, with balances: docs/BANK.md")
}

fn versions(others: &[String]) -> Finding {
    match others.is_empty() {
        true => Finding::ok("versions", "only this one is connected"),
        false => Finding::warning(
            "versions",
            format!("{} works here too", others.join(", ")),
            "replace every older server; commands of staff come last",
        ),
    }
}

fn clock(figures: &Figures, now: Timestamp) -> Finding {
    let advice = "let NTP set the clocks of this machine and of the database's";
    if let Some(apart) = figures.clock_ahead_millis.filter(|apart| apart.abs() > CLOCKS_APART_MILLIS) {
        return Finding::problem("clock", format!("{} ms from the database's", -apart), advice);
    }
    match figures.newest_row {
        Some(newest) if newest.millis() > now.millis() + CLOCKS_APART_MILLIS => {
            Finding::problem("clock", format!("the newest row is from {newest}, which is yet to come"), advice)
        }
        _ => Finding::ok("clock", "no row is from the future"),
    }
}

fn ledger(figures: &Figures) -> Finding {
    match figures.ledger_faults {
        0 => Finding::ok("ledger", "the newest transactions sum to zero, and their books end with them"),
        faults => Finding::problem(
            "ledger",
            format!("{faults} of the newest transactions do not fit"),
            "`placard ledger verify`",
        ),
    }
}

fn late(check: &'static str, what: &str, of: Backlog, now: Timestamp, advice: &str) -> Finding {
    match of.count {
        0 => Finding::ok(check, "nothing is late"),
        count => Finding::warning(check, format!("{count} {what}, the first for {}", age(of, now)), advice),
    }
}

fn undecided(check: &'static str, of: Backlog, now: Timestamp, command: &str) -> Finding {
    let found = match of.count {
        0 => return Finding::ok(check, "none waits"),
        count => format!("{count} waiting, the first for {}", age(of, now)),
    };
    match seconds(of, now) > WAITED_SECONDS {
        true => Finding::warning(check, found, format!("`placard {command}`")),
        false => Finding::ok(check, found),
    }
}

fn backup(installation: &Installation, figures: &Figures, now: Timestamp) -> Finding {
    let advice = "`placard backup FILE`, every night, and to another place";
    match figures.backlogs.last_backup {
        None if installation.realm == Realm::Simulated => Finding::ok("backup", "none; nothing here is real"),
        None => Finding::warning("backup", "none was ever made by this program", advice),
        Some(at) => {
            let of = Backlog { count: 1, since: Some(at) };
            let found = format!("the last one is {} old", age(of, now));
            match seconds(of, now) > BACKUP_SECONDS && installation.realm == Realm::Live {
                true => Finding::warning("backup", found, advice),
                false => Finding::ok("backup", found),
            }
        }
    }
}

fn operators(all: &[Operator], people: usize) -> Finding {
    let active: Vec<&Operator> = all.iter().filter(|operator| !operator.revoked).collect();
    let add = "`placard operator add NAME --role ROLE`";
    if active.is_empty() {
        return Finding::warning("operators", "there is none", add);
    }
    if !active.iter().any(|operator| operator.role == Role::Admin) {
        return Finding::problem("operators", "none is an admin", add);
    }
    let found = format!("{}, who count as {people}", active.len());
    match people {
        ..2 => Finding::warning("operators", format!("{found}: nobody can approve what that one asks for"), add),
        _ => Finding::ok("operators", found),
    }
}

fn founders(founding: &Founding, all: &[Operator]) -> Finding {
    let declare = "`placard operator founders NAME NAME` on this machine; then each rotates their key";
    match founding {
        Founding::Complete => Finding::ok("founders", "both have rotated their keys"),
        Founding::GoesOn { until } => {
            Finding::warning("founders", format!("not complete: nothing is approved from {until} on"), declare)
        }
        Founding::Missing => Finding::warning("founders", "not declared: nothing can be approved", declare),
        Founding::NotRotated(waiting) => {
            let names = all.iter().filter(|one| waiting.contains(&one.id)).map(|one| one.name.as_str());
            let names = names.collect::<Vec<_>>().join(" and ");
            let found = format!("{names} must rotate their own key: nothing can be approved before");
            Finding::warning("founders", found, "`placard operator rotate NAME`, each their own")
        }
    }
}

fn seconds(of: Backlog, now: Timestamp) -> i64 {
    of.since.map_or(0, |since| (now.millis() - since.millis()).max(0) / 1_000)
}

fn age(of: Backlog, now: Timestamp) -> String {
    match seconds(of, now) {
        short @ ..120 => format!("{short} s"),
        minutes @ 120..7_200 => format!("{} min", minutes / 60),
        hours @ 7_200..172_800 => format!("{} h", hours / HOUR),
        days => format!("{} days", days / (24 * HOUR)),
    }
}

#[cfg(test)]
mod tests {
    use base::OperatorId;

    use super::super::Health;
    use super::*;

    fn staff(roles: &[Role]) -> Vec<Operator> {
        let operator = |(id, role): (i64, &Role)| Operator {
            id: OperatorId(id),
            name: format!("o{id}"),
            role: *role,
            created_at: Timestamp::from_seconds(0),
            revoked: false,
        };
        (1..).zip(roles).map(operator).collect()
    }

    #[test]
    fn two_people_are_needed_and_an_admin() {
        for (roles, people, expected) in [
            (&[][..], 0, Health::Warning),
            (&[Role::Admin], 1, Health::Warning),
            (&[Role::Admin, Role::Finance], 1, Health::Warning),
            (&[Role::Finance, Role::Support], 2, Health::Problem),
            (&[Role::Admin, Role::Finance], 2, Health::Ok),
        ] {
            assert_eq!(operators(&staff(roles), people).status, expected, "{roles:?}");
        }
        let mut gone = staff(&[Role::Admin, Role::Finance]);
        gone.iter_mut().for_each(|operator| operator.revoked = true);
        assert_eq!(operators(&gone, 0).status, Health::Warning);
    }

    #[test]
    fn products_at_other_addresses_are_named() {
        let product = |name: &str, image: &str, shown: &str| ShownProduct {
            name: name.to_owned(),
            image: image.to_owned(),
            content: format!(r#"{{"video":{{"title":"T","text":"T","image":"{shown}"}}}}"#),
        };
        let own = product("Tea", "/products/tea.svg", "/files/00");
        assert_eq!(pictures(std::slice::from_ref(&own)).status, Health::Ok);
        let both = [own, product("Ink", "/products/a.svg", "https://cdn.example/a.png")];
        let found = pictures(&both);
        assert!(found.status == Health::Warning && found.found.contains("Ink") && !found.found.contains("Tea"));
    }

    #[test]
    fn a_gap_between_statements_and_one_without_balances_are_told() {
        let day = |text: &str| ::bank::Day::parse(text).expect("a day");
        let extent = |on: &str, balances: Option<(i64, i64)>| Extent {
            from: day(on),
            to: day(on),
            balances: balances.map(|(opening, closing)| ::bank::Balances {
                opening: base::Money::from_minor(opening),
                closing: base::Money::from_minor(closing),
            }),
        };
        let told = |extents: &[Extent]| bank(&BTreeMap::from([("A".to_owned(), extents.to_vec())]));
        let (one, next) = (extent("2026-03-02", Some((0, 500))), extent("2026-03-03", Some((500, 900))));
        assert_eq!(told(&[one, next]).status, Health::Ok);
        let later = extent("2026-03-04", Some((900, 950)));
        let missing = told(&[one, later]);
        assert_eq!(missing.status, Health::Warning);
        assert_eq!(missing.found, "A: something is missing between 2026-03-02 (5.00) and 2026-03-04 (9.00)");
        assert_eq!(told(&[one, next, extent("2026-03-04", None)]).status, Health::Warning);
    }

    #[test]
    fn ages_are_told_as_people_tell_them() {
        let now = Timestamp::from_seconds(10_000_000);
        let since = |seconds: i64| age(Backlog { count: 1, since: Some(now.plus_seconds(-seconds)) }, now);
        assert_eq!([since(5), since(600), since(7_200), since(400_000)], ["5 s", "10 min", "2 h", "4 days"]);
    }

    #[test]
    fn what_waits_for_a_day_is_a_warning() {
        let now = Timestamp::from_seconds(10_000_000);
        let waited = |seconds: i64| {
            undecided("x", Backlog { count: 1, since: Some(now.plus_seconds(-seconds)) }, now, "x").status
        };
        assert_eq!((waited(60), waited(WAITED_SECONDS + 1)), (Health::Ok, Health::Warning));
    }
}
