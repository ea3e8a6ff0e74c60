//! Statements of an account follow each other: nothing of them is lost, and nothing is stored twice.

use bank::{Day, Line, Statement};
use base::{BankLineId, BankStatementId, Money, Timestamp};
use diesel::connection::SimpleConnection;
use foundation::{Error, Refusal};
use money::wallet::reconcile::{BankFile, ImportedStatement, import, show, statements};
use store::wallet::bank::open_of;
use store::wallet::bank::spans::closing;
use store::{Conn, PageRequest, on_both};

use crate::support::{World, why, world};

fn day(n: usize) -> Day {
    Day::of(Timestamp::from_seconds(i64::try_from(20_000 + n).expect("small") * 86_400))
}

fn line(on: usize, minor: i64, reference: &str, id: &str) -> Line {
    Line {
        id: id.to_owned(),
        booked_on: day(on),
        amount: Money::from_minor(minor),
        references: vec![reference.to_owned()],
        counterparty: String::new(),
        description: String::new(),
        reversal: false,
    }
}

/// Lines without an id are numbered in each statement from one.
fn statement(account: &str, opening: Option<i64>, mut lines: Vec<Line>) -> Statement {
    for (n, line) in lines.iter_mut().enumerate().filter(|(_, line)| line.id.is_empty()) {
        line.id = (n + 1).to_string();
    }
    let days = || lines.iter().map(|line| line.booked_on);
    let closing = opening.map(|opening| opening + lines.iter().map(|line| line.amount.minor()).sum::<i64>());
    Statement {
        account: account.to_owned(),
        currency: "USD".into(),
        number: String::new(),
        from: days().min().unwrap_or_default(),
        to: days().max().unwrap_or_default(),
        opening: opening.map(Money::from_minor),
        closing: closing.map(Money::from_minor),
        lines,
        left_out: 0,
        passed_over: Vec::new(),
    }
}

/// Imports, from a file of its own.
async fn taken(w: &World, file: Statement, known: Option<usize>) -> Result<ImportedStatement, Error> {
    let digest = bank::digest_of(format!("{file:?}").as_bytes(), &file.account);
    let file = BankFile { statements: vec![file], digest, known };
    let looked = import(&w.app, &w.ann, file.clone(), true).await;
    let taken = import(&w.app, &w.ann, file, false).await;
    if let (Ok(looked), Ok(taken)) = (&looked, &taken) {
        assert_eq!(
            (looked[0].lines, looked[0].known, &looked[0].gaps),
            (taken[0].lines, taken[0].known, &taken[0].gaps)
        );
    }
    assert_eq!(looked.is_ok(), taken.is_ok(), "a look says what an import does");
    taken.map(|mut all| all.remove(0))
}

fn number(of: &ImportedStatement) -> BankStatementId {
    of.id.expect("kept")
}

on_both!(references_that_start_again_every_day_or_say_nothing_block_no_file, |test| {
    let w = world(test).await;
    for (on, opening) in [(1, 0), (2, 3_000), (2, 6_000)] {
        let lines = vec![line(on, 1_000, "", "0101"), line(on, 2_000, "", "0101#2")];
        assert_eq!(taken(&w, statement("A", Some(opening), lines), None).await.expect("taken").known, 0);
    }
    assert_eq!(show(&w.app, BankStatementId(3)).await.expect("shown").statement.lines, 2);
});

on_both!(a_gap_is_told_stays_visible_and_can_be_filled, |test| {
    let w = world(test).await;
    let of = |on, opening, reference| statement("A", Some(opening), vec![line(on, 1_000, reference, "")]);
    let first = taken(&w, of(1, 5_000, "a"), None).await.expect("taken");
    assert!(first.gaps.is_empty() && !first.unproven);
    let third = taken(&w, of(3, 7_000, "c"), None).await.expect("taken");
    let [gap] = third.gaps.as_slice() else { panic!("{:?}", third.gaps) };
    assert_eq!((&*gap.from.to_string(), &*gap.to.to_string()), ("60.00", "70.00"));
    assert_eq!(show(&w.app, number(&first)).await.expect("shown").gaps, third.gaps);
    assert_eq!(taken(&w, of(2, 6_000, "b"), None).await.expect("fills it").gaps, []);
    assert_eq!(show(&w.app, number(&third)).await.expect("shown").gaps, []);
});

on_both!(without_balances_a_statement_is_unproven_until_another_has_its_lines, |test| {
    let w = world(test).await;
    let lines = || vec![line(1, 1_000, "a", ""), line(2, 500, "b", "")];
    let typed = taken(&w, statement("A", None, lines()), None).await.expect("taken");
    assert!(typed.unproven && show(&w.app, number(&typed)).await.expect("shown").unproven);
    let proof = taken(&w, statement("A", Some(100), lines()), None).await.expect("proves them");
    assert_eq!((proof.known, proof.unproven), (2, false));
    assert!(!show(&w.app, number(&typed)).await.expect("shown").unproven);
    // The same days again say nothing new, and a day more says one line.
    let mut longer = lines();
    longer.push(line(3, 7, "c", ""));
    assert_eq!(taken(&w, statement("A", Some(100), longer), None).await.expect("longer").known, 2);
});

on_both!(what_contradicts_or_is_unclear_is_refused_and_changes_nothing, |test| {
    let w = world(test).await;
    let days = |second| vec![line(1, 100, "a", ""), line(2, second, "b", ""), line(3, 300, "c", "")];
    taken(&w, statement("A", Some(0), days(200)), None).await.expect("taken");
    let file = |statement: Statement, known| BankFile { known, ..BankFile::one(statement, [9; 32]) };
    let refused = import(&w.app, &w.ann, file(statement("A", Some(0), days(250)), None), false).await;
    let Err(Error::Refused(Refusal::BankDayDiffers { stored, file: told, .. })) = refused else {
        panic!("{refused:?}")
    };
    assert_eq!((stored.minor(), told.minor()), (200, 250));
    let swept = || statement("B", Some(0), vec![line(1, 500, "x", ""), line(1, -500, "y", "")]);
    taken(&w, swept(), None).await.expect("taken");
    assert_eq!(why(import(&w.app, &w.ann, file(swept(), None), false).await), "bank_place_unclear");
    assert_eq!(why(import(&w.app, &w.ann, file(swept(), Some(2)), false).await), "statement_imported");
    let second = import(&w.app, &w.ann, file(swept(), Some(0)), false).await.expect("another payment");
    assert_eq!(second[0].known, 0);
    assert_eq!(why(import(&w.app, &w.ann, file(swept(), Some(0)), false).await), "statement_imported");
});

on_both!(a_day_put_together_from_parts_takes_nothing_that_may_close_a_circle, |test| {
    let w = world(test).await;
    let noon = || vec![line(1, 500, "a", ""), line(1, 7, "b", "")];
    let evening = || [noon(), vec![line(1, 3, "c", "")]].concat();
    taken(&w, statement("A", Some(5_000), noon()), None).await.expect("taken");
    assert_eq!(taken(&w, statement("A", Some(5_000), evening()), None).await.expect("longer").known, 2);
    let between = || statement("A", Some(5_507), vec![line(1, -507, "d", "")]);
    for known in [None, Some(0)] {
        assert_eq!(why(taken(&w, between(), known).await), "bank_place_open");
    }
    let days = [vec![line(0, 1, "", "")], noon(), between().lines, evening(), vec![line(2, 1, "", "")]].concat();
    let whole = taken(&w, statement("A", Some(4_999), days), None).await.expect("has all lines of the day");
    assert_eq!((whole.lines, whole.known, whole.gaps.len()), (8, 3, 0));
});

on_both!(several_statements_of_a_file_are_stored_together_or_not_at_all, |test| {
    let w = world(test).await;
    let of = |on, opening| statement("A", Some(opening), vec![line(on, 1_000, "a", "")]);
    let file = BankFile { statements: vec![of(1, 0), of(2, 1_000)], digest: [7; 32], known: None };
    let looked = import(&w.app, &w.ann, file.clone(), true).await.expect("looked at");
    assert_eq!((looked.len(), &looked[1].gaps), (2, &Vec::new()));
    assert_eq!(import(&w.app, &w.ann, file, false).await.expect("taken").len(), 2);
    let other = statement("A", Some(0), vec![line(1, 1_000, "a", ""), line(2, 1_500, "a", ""), line(3, 5, "x", "")]);
    let half = BankFile { statements: vec![of(3, 2_000), other], digest: [8; 32], known: None };
    assert_eq!(why(import(&w.app, &w.ann, half, false).await), "bank_day_differs");
    assert_eq!(taken(&w, of(3, 2_000), None).await.expect("was not stored").known, 0);
});

on_both!(of_a_file_with_the_last_days_those_that_are_new_are_stored, |test| {
    let w = world(test).await;
    let of = |on: usize| {
        let opening = 1_000 * i64::try_from(on).expect("small");
        statement("A", Some(opening), vec![line(on, 1_000, "a", "")])
    };
    let week = |days: std::ops::Range<usize>, digest| BankFile {
        statements: days.map(of).collect(),
        digest: [digest; 32],
        known: None,
    };
    let first = import(&w.app, &w.ann, week(1..4, 1), false).await.expect("taken");
    for dry_run in [true, false] {
        let second = import(&w.app, &w.ann, week(2..6, 2), dry_run).await.expect("taken");
        let told: Vec<_> = second.iter().map(|one| (one.repeated, one.lines, one.known, one.dry_run)).collect();
        let (old, new) = ((true, 1, 1, dry_run), (false, 1, 0, dry_run));
        assert_eq!(told, [old, old, new, new]);
        assert!(second.iter().all(|one| one.gaps.is_empty()), "{second:?}");
        let ids: Vec<_> = second.iter().map(|one| one.id).collect();
        match dry_run {
            true => assert_eq!(ids, [None; 4]),
            false => assert_eq!(ids[..2], [first[1].id, first[2].id]),
        }
    }
    // The file again, and another of the same days, say nothing new.
    for digest in [2, 3] {
        for dry_run in [true, false] {
            assert_eq!(why(import(&w.app, &w.ann, week(2..6, digest), dry_run).await), "statement_imported");
        }
    }
    let kept = statements(&w.app, PageRequest { limit: 50, before: None }).await.expect("listed").items;
    assert_eq!(kept.iter().map(|one| one.lines).collect::<Vec<_>>(), [1; 5]);
});

on_both!(what_somebody_typed_is_found_in_the_banks_own_file_or_asked_about, |test| {
    let w = world(test).await;
    let typed = |account: &str| statement(account, None, vec![line(1, 5_000, "BANK-4711", "")]);
    let bank = |account: &str, references: &[&str]| {
        let references = references.iter().map(|one| (*one).to_owned()).collect();
        statement(account, Some(100), vec![Line { references, ..line(1, 5_000, "", "") }])
    };
    taken(&w, typed("A"), None).await.expect("taken");
    let known = taken(&w, bank("A", &["BANK-4711", "TX-9"]), None).await.expect("proves it");
    assert_eq!((known.known, known.unproven), (1, false));
    taken(&w, typed("B"), None).await.expect("taken");
    let refused = import(&w.app, &w.ann, BankFile::one(bank("B", &["TX-9"]), [9; 32]), false).await;
    let Err(Error::Refused(Refusal::BankPlaceUnclear { known })) = refused else { panic!("{refused:?}") };
    assert_eq!(known, [0, 1]);
    let known = taken(&w, bank("B", &["TX-9"]), Some(1)).await.expect("a person knows");
    assert_eq!((known.known, known.unknown), (1, 0));
    let lines = statements(&w.app, PageRequest { limit: 50, before: None }).await.expect("listed").items;
    assert_eq!(lines.iter().map(|one| one.lines).sum::<i64>(), 2);
    assert!(!show(&w.app, BankStatementId(3)).await.expect("shown").unproven);
});

on_both!(a_table_and_the_banks_file_of_a_swept_day_are_not_both_stored, |test| {
    let w = world(test).await;
    let swept = |account: &str, number: &str, opening, references: &[&str]| {
        let references = references.iter().map(|one| (*one).to_owned()).collect();
        let lines = vec![Line { references, ..line(1, 5_000, "", "") }, line(1, -5_000, "sweep", "")];
        Statement { number: number.into(), ..statement(account, opening, lines) }
    };
    let banks = |account| swept(account, "7", Some(0), &["BANK-4711", "TX-9"]);
    taken(&w, swept("A", "", None, &["BANK-4711"]), None).await.expect("typed");
    assert_eq!(taken(&w, banks("A"), None).await.expect("proves it").known, 2);
    taken(&w, swept("B", "", Some(0), &["BANK-4711"]), None).await.expect("typed");
    for account in ["A", "B"] {
        let mut longer = banks(account);
        longer.lines.push(line(2, 7, "later", ""));
        (longer.to, longer.closing) = (day(2), Some(Money::from_minor(7)));
        let refused = import(&w.app, &w.ann, BankFile::one(longer.clone(), [9; 32]), false).await;
        let Err(Error::Refused(Refusal::BankPlaceUnclear { known })) = refused else { panic!("{refused:?}") };
        assert_eq!(known, [0, 2]);
        assert_eq!(taken(&w, longer, Some(2)).await.expect("a person knows").known, 2);
    }
});

on_both!(an_account_is_the_same_however_rows_of_before_spell_it, |test| {
    let w = world(test).await;
    let (plain, spelled) = ("DE02120300000000202051", "DE02 1203 0000 0000 2020 51");
    let days = |account: &str, opening, ons: &[usize]| {
        let lines = ons.iter().map(|on| line(*on, 1_000, &format!("R-{on}"), "")).collect();
        statement(account, Some(opening), lines)
    };
    let old = taken(&w, days(spelled, 0, &[1, 2, 3]), None).await.expect("taken");
    assert_eq!(why(taken(&w, days(plain, 0, &[1, 2, 3]), None).await), "statement_imported");
    let longer = taken(&w, days(plain, 1_000, &[2, 3, 4]), None).await.expect("a day more");
    assert_eq!((longer.known, longer.gaps.len()), (2, 0));
    let gap = taken(&w, days("de02 1203 0000 0000 2020 51", 9_000, &[6]), None).await.expect("later");
    for of in [&old, &longer, &gap] {
        assert_eq!(show(&w.app, number(of)).await.expect("shown").gaps.len(), 1);
    }
    let held = w.app.db.read(|conn| Ok::<_, Error>(closing(conn, "USD")?)).await.expect("read");
    assert_eq!(held, Some((Money::from_minor(10_000), day(6))));
});

on_both!(the_banks_balance_is_the_one_at_which_the_last_stretch_ends, |test| {
    let w = world(test).await;
    let held = async || w.app.db.read(|conn| Ok::<_, Error>(closing(conn, "USD")?)).await.expect("read");
    assert_eq!(held().await, None);
    taken(&w, statement("A", Some(15_000), vec![line(2, 2_000, "evening", "")]), None).await.expect("taken");
    taken(&w, statement("A", Some(10_000), vec![line(2, 5_000, "morning", "")]), None).await.expect("taken");
    assert_eq!(held().await, Some((Money::from_minor(17_000), day(2))));
    taken(&w, statement("B", Some(100), vec![line(1, 1, "b", "")]), None).await.expect("taken");
    taken(&w, statement("C", None, vec![line(5, 1, "typed", "")]), None).await.expect("taken");
    assert_eq!(held().await, Some((Money::from_minor(17_101), day(1))), "as of the earlier of both");
    let other = w.app.db.read(|conn| Ok::<_, Error>(closing(conn, "EUR")?)).await.expect("read");
    assert_eq!(other, None);
});

on_both!(what_is_booked_back_is_of_the_statement_that_has_it, |test| {
    let w = world(test).await;
    let on = |from: usize, of: Statement| Statement { from: day(from), ..of };
    taken(&w, statement("A", Some(10_000), vec![line(2, 5_000, "a", "")]), None).await.expect("taken");
    let fourth = |more: Vec<Line>| {
        let lines = [vec![line(0, -300, "fee", ""), line(4, 700, "b", "")], more].concat();
        on(4, statement("A", Some(15_000), lines))
    };
    let kept = taken(&w, fourth(Vec::new()), None).await.expect("taken");
    assert_eq!((kept.known, kept.gaps.len(), kept.from), (0, 0, day(4).to_string()));
    assert_eq!(
        why(taken(&w, Statement { number: "again".into(), ..fourth(Vec::new()) }, None).await),
        "statement_imported"
    );
    assert_eq!(taken(&w, fourth(vec![line(5, 1, "c", "")]), None).await.expect("longer").known, 2);
    let before =
        taken(&w, statement("A", Some(9_000), vec![line(0, 1_000, "x", "")]), None).await.expect("the day itself");
    assert_eq!((before.known, before.gaps.len()), (0, 0));
});

on_both!(eight_who_import_the_same_days_store_them_once, |test| {
    let w = world(test).await;
    let tasks: Vec<_> = (0..8u8)
        .map(|n| {
            let (app, ann) = (w.app.clone(), w.ann.clone());
            let mut lines = vec![line(1, 1_000, "a", ""), line(2, 500, "b", "")];
            lines[0].counterparty = n.to_string();
            let file = BankFile::one(statement("A", Some(0), lines), [n; 32]);
            tokio::spawn(async move { import(&app, &ann, file, false).await.is_ok() })
        })
        .collect();
    let mut stored = 0;
    for task in tasks {
        stored += usize::from(task.await.expect("done"));
    }
    assert_eq!(stored, 1);
});

/// Numbers that look random and are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("small") % most.max(1)
    }
}

fn history(numbers: &mut Numbers, swept: bool) -> Vec<Line> {
    let mut lines = Vec::new();
    for on in 1..=4 {
        let mut held = 0;
        for _ in 0..numbers.below(4) {
            let minor = [500, 500, -200, 1_900][numbers.below(4)];
            held += minor;
            lines.push(line(on, minor, ["plan", "R-1", "R-2"][numbers.below(3)], ""));
        }
        if swept && held != 0 {
            lines.push(line(on, -held, "sweep", ""));
        }
    }
    lines
}

/// The history cut at random, with overlaps, in any order.
fn cuts(numbers: &mut Numbers, count: usize) -> Vec<(usize, usize)> {
    let mut edges = vec![0, count];
    edges.extend((0..3).map(|_| numbers.below(count)));
    edges.sort_unstable();
    edges.dedup();
    let mut all: Vec<(usize, usize)> = edges.windows(2).map(|pair| (pair[0], pair[1])).collect();
    for _ in 0..3 {
        let (one, other) = (numbers.below(count), numbers.below(count + 1));
        all.insert(numbers.below(all.len()), (one.min(other), one.max(other)));
    }
    all.retain(|(from, until)| from < until);
    all
}

fn essence<'a>(lines: impl Iterator<Item = &'a Line>) -> Vec<(Day, i64, String)> {
    let mut all: Vec<_> = lines.map(|line| (line.booked_on, line.amount.minor(), line.references.concat())).collect();
    all.sort();
    all
}

on_both!(however_a_history_is_cut_it_is_stored_or_something_says_what_is_missing, |test| {
    let w = world(test).await;
    let mut numbers = Numbers(7);
    for round in 0..6 {
        let account = format!("R-{round}");
        let history = history(&mut numbers, round % 2 == 0);
        let (mut stored, mut ids) = (vec![false; history.len()], Vec::new());
        let (mut told, mut refused) = (false, false);
        for (n, (from, until)) in cuts(&mut numbers, history.len()).into_iter().enumerate() {
            let before: i64 = history[..from].iter().map(|line| line.amount.minor()).sum();
            let mut file = statement(&account, Some(1_000 + before), history[from..until].to_vec());
            if n % 2 == 0 {
                file.lines.reverse();
                file.lines.iter_mut().for_each(|line| line.counterparty = format!("Mia {n}"));
            }
            let truly = stored[from..until].iter().filter(|known| **known).count();
            file.number = n.to_string();
            let mut done = taken(&w, file.clone(), None).await;
            if matches!(done, Err(Error::Refused(Refusal::BankPlaceUnclear { .. }))) {
                done = taken(&w, file, Some(truly)).await;
            }
            match done {
                Ok(done) => {
                    stored[from..until].fill(true);
                    told = !done.gaps.is_empty();
                    ids.push(number(&done));
                }
                Err(Error::Refused(Refusal::StatementImported { .. })) if truly == until - from => {}
                Err(Error::Refused(_)) => refused = true,
                Err(error) => panic!("{error}"),
            }
        }
        let kept = w.app.db.read(move |conn| {
            let all = ids.iter().map(|id| open_of(conn, *id, BankLineId(0), 1_000)).collect::<Result<Vec<_>, _>>()?;
            Ok::<_, Error>(all.into_iter().flatten().map(|kept| kept.line).collect::<Vec<_>>())
        });
        let kept = kept.await.expect("read");
        assert!(told || refused || essence(kept.iter()) == essence(history.iter()), "{account}: {kept:?}");
    }
});

/// What the migration makes of statements that were imported before it.
fn migrated(conn: &mut Conn) -> Result<(), store::Error> {
    let text = match conn {
        Conn::Sqlite(_) => include_str!("../../../../../migrations/sqlite/00000000000048_bank_spans/up.sql"),
        Conn::Postgres(_) => include_str!("../../../../../migrations/postgres/00000000000048_bank_spans/up.sql"),
    };
    let (_, insert) = text.split_once("INSERT INTO").expect("an insert");
    Ok(conn.batch_execute(&format!("DELETE FROM bank_spans; INSERT INTO{insert}"))?)
}

on_both!(what_a_server_of_the_version_before_imported_is_known, |test| {
    let w = world(test).await;
    let lines = || vec![line(1, 2_000, "R-1", ""), line(1, 2_000, "R-2", "")];
    taken(&w, statement("A", Some(0), lines()), None).await.expect("taken");
    // That server notes no stretch.
    let gone = |tx: &mut store::Tx<'_>| {
        Ok::<_, Error>(tx.batch_execute("DELETE FROM bank_spans").map_err(store::Error::from)?)
    };
    w.app.db.write(gone).await.expect("gone");
    let again = bank::Statement { number: "again".into(), ..statement("A", Some(0), lines()) };
    let refused = taken(&w, again, None).await;
    assert!(matches!(refused, Err(Error::Refused(Refusal::StatementImported { .. }))), "{refused:?}");
});

on_both!(statements_from_before_are_joined_where_their_balances_allow, |test| {
    let w = world(test).await;
    let of = |opening, lines: &[(usize, i64)]| {
        let lines = lines.iter().map(|(on, minor)| line(*on, *minor, &format!("R-{on}"), "")).collect();
        statement("A", Some(opening), lines)
    };
    taken(&w, of(0, &[(1, 1_000)]), None).await.expect("taken");
    // It repeats the first day, and so it kept the second alone.
    taken(&w, of(0, &[(1, 1_000), (2, 500)]), None).await.expect("taken");
    let before = taken(&w, of(2_000, &[(4, 300)]), None).await.expect("taken").gaps;
    assert_eq!(before.len(), 1);
    w.app.db.write(|tx| Ok::<_, Error>(migrated(tx)?)).await.expect("migrated");
    let again = taken(&w, of(1_000, &[(2, 500)]), None).await;
    assert!(matches!(again, Err(Error::Refused(Refusal::StatementImported { .. }))), "{again:?}");
    let longer = taken(&w, of(2_000, &[(4, 300), (5, 1)]), None).await.expect("a line more");
    assert_eq!((longer.known, &longer.gaps), (1, &before));
    assert_eq!(taken(&w, of(1_500, &[(3, 500)]), None).await.expect("fills it").gaps, []);
});
