//! Properties of every file, and of every set of lines and documents.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use bank::{
    Day, DecimalMark, Document, Finding, Form, LineFacts, MOST_LINES, Problem, Statement, Told, camt_053, match_up,
    read, table,
};
use base::{Money, Timestamp};
use proptest::prelude::*;

fn form() -> Form {
    Form { account: "A".into(), currency: "USD".into(), decimal: DecimalMark::Point, opening: None, closing: None }
}

fn told() -> Told {
    let currency = "USD".into();
    let (decimal, currency_of_file) = (DecimalMark::Point, None);
    Told {
        account: None,
        currency,
        currency_of_file,
        decimal,
        order: None,
        opening: None,
        closing: None,
        encoding: None,
        latest: None,
    }
}

fn day(n: i64) -> Day {
    Day::of(Timestamp::from_seconds(n * 86_400))
}

/// A movement that both file formats can express.
#[derive(Clone, Debug)]
struct Movement {
    day: Day,
    minor: i64,
    reference: String,
    name: String,
}

fn movement() -> impl Strategy<Value = Movement> {
    let amount = prop_oneof![1..1_000_000_000i64, -1_000_000_000..-1i64];
    (0..20_000i64, amount, "[A-Z]{2,4}-[0-9]{1,5}", "[A-Za-zäöü ;,\"<&>]{0,20}")
        .prop_map(|(n, minor, reference, name)| Movement { day: day(n), minor, reference, name })
}

fn as_csv(movements: &[Movement], separator: char) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let head = ["date", "amount", "currency", "reference", "counterparty"].join(&separator.to_string());
    let row = |m: &Movement| {
        let amount = Money::from_minor(m.minor).to_string();
        [m.day.to_string(), amount, "USD".into(), m.reference.clone(), quoted(&m.name)].join(&separator.to_string())
    };
    [head].into_iter().chain(movements.iter().map(row)).collect::<Vec<_>>().join("\n")
}

fn as_camt(movements: &[Movement], version: u8) -> String {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let amount = |minor: i64| {
        let sign = if minor < 0 { "DBIT" } else { "CRDT" };
        let shown = Money::from_minor(minor.abs()).to_string();
        format!("<Amt Ccy=\"USD\">{shown}</Amt><CdtDbtInd>{sign}</CdtDbtInd>")
    };
    let balance = |code: &str, minor: i64, day: Day| {
        let amount = amount(minor);
        format!("<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp>{amount}<Dt><Dt>{day}</Dt></Dt></Bal>")
    };
    let entry = |m: &Movement| {
        let party = if m.minor < 0 { "Cdtr" } else { "Dbtr" };
        format!(
            "<Ntry>{}<Sts>BOOK</Sts><BookgDt><Dt>{}</Dt></BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>{}</EndToEndId>\
             </Refs><RltdPties><{party}><Nm>{}</Nm></{party}></RltdPties></TxDtls></NtryDtls></Ntry>",
            amount(m.minor),
            m.day,
            m.reference,
            escaped(&m.name)
        )
    };
    let days = || movements.iter().map(|m| m.day);
    let (from, to) = (days().min().unwrap_or_default(), days().max().unwrap_or_default());
    let closing = movements.iter().map(|m| m.minor).sum();
    format!(
        "<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.0{version}\"><BkToCstmrStmt><Stmt><Id>1</Id>\
         <Acct><Id><Othr><Id>A</Id></Othr></Id></Acct>{}{}{}</Stmt></BkToCstmrStmt></Document>",
        balance("OPBD", 0, from),
        balance("CLBD", closing, to),
        movements.iter().map(entry).collect::<String>()
    )
}

/// What both formats agree on.
fn essence(statement: &Statement) -> Vec<(String, i64, String, String)> {
    let line =
        |l: &bank::Line| (l.booked_on.to_string(), l.amount.minor(), l.references.concat(), l.counterparty.clone());
    statement.lines.iter().map(line).collect()
}

#[derive(Clone, Debug)]
struct Written {
    minor: i64,
    text: String,
    day: i64,
}

fn written() -> impl Strategy<Value = Written> {
    let minor = prop_oneof![Just(100i64), Just(200), Just(-100)];
    let text = prop_oneof![Just(String::new()), "(R-[0-9]){1}", "R-[0-9] R-[0-9]", "xR-[0-9]", "R-[0-9]{2}"];
    (minor, text, 0..40i64).prop_map(|(minor, text, day)| Written { minor, text, day })
}

fn documents() -> impl Strategy<Value = Vec<Document<usize>>> {
    prop::collection::vec(written(), 0..8).prop_map(|all| {
        let document = |(key, w): (usize, Written)| Document {
            key,
            amount: Money::from_minor(w.minor),
            reference: w.text,
            counterparty: String::new(),
            day: day(w.day),
        };
        all.into_iter().enumerate().map(document).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn both_forms_say_the_same(movements in prop::collection::vec(movement(), 1..12), version in 2u8..=9) {
        let from_xml = camt_053(&as_camt(&movements, version), "USD", None).expect("CAMT").remove(0);
        for separator in [',', ';', '\t'] {
            let from_table = table(as_csv(&movements, separator).as_bytes(), &form()).expect("CSV");
            prop_assert_eq!(essence(&from_table), essence(&from_xml));
            prop_assert_eq!((from_table.from, from_table.to), (from_xml.from, from_xml.to));
        }
        let sum: i64 = movements.iter().map(|m| m.minor).sum();
        prop_assert_eq!(from_xml.lines.iter().map(|l| l.amount.minor()).sum::<i64>(), sum);
        let ids: BTreeSet<&str> = from_xml.lines.iter().map(|l| l.id.as_str()).collect();
        prop_assert_eq!(ids.len(), movements.len());
    }

    #[test]
    fn no_bytes_are_too_strange(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = table(&bytes, &form());
        let _ = read(&bytes, &told());
    }

    #[test]
    fn a_damaged_file_is_refused_or_says_the_same(
        movements in prop::collection::vec(movement(), 1..4), place in any::<prop::sample::Index>(), byte in any::<u8>(),
    ) {
        let whole = as_camt(&movements, 2);
        let mut bytes = whole.clone().into_bytes();
        let place = place.index(bytes.len());
        bytes[place] = byte;
        // If it can still be parsed, its balances match its lines.
        for read in read(&bytes, &told()).unwrap_or_default() {
            let sum: i64 = read.lines.iter().map(|l| l.amount.minor()).sum();
            prop_assert_eq!(read.opening.zip(read.closing).map(|(o, c)| c.minor() - o.minor()), Some(sum));
        }
    }

    #[test]
    fn a_match_is_certain_and_nobodys_else(lines in prop::collection::vec(written(), 0..8), documents in documents()) {
        let texts: Vec<[String; 1]> = lines.iter().map(|l| [l.text.clone()]).collect();
        let seen = |n: usize| LineFacts {
            id: "",
            booked_on: day(lines[n].day),
            amount: Money::from_minor(lines[n].minor),
            texts: &texts[n],
            counterparty: "",
        };
        let all: Vec<LineFacts<'_>> = (0..lines.len()).map(seen).collect();
        let found = match_up(&all, &documents, day(40));
        prop_assert_eq!(found.lines.len(), lines.len());
        let mut matched = BTreeSet::new();
        let mut spoken_for = BTreeSet::new();
        for (line, finding) in lines.iter().zip(&found.lines) {
            match finding {
                Finding::Match(key) => {
                    prop_assert!(matched.insert(*key));
                    prop_assert_eq!(documents[*key].amount.minor(), line.minor);
                    let (text, reference) = (format!(" {} ", line.text), format!(" {} ", documents[*key].reference));
                    prop_assert!(text.contains(&reference));
                }
                Finding::Difference(keys) => {
                    prop_assert!(keys.iter().all(|k| documents[*k].amount.minor() != line.minor));
                    spoken_for.extend(keys);
                }
                Finding::Suggestion(keys) => {
                    prop_assert!(!keys.is_empty() && keys.iter().all(|k| documents[*k].amount.minor() == line.minor));
                    spoken_for.extend(keys);
                }
                Finding::Unknown => {}
            }
        }
        prop_assert!(matched.is_disjoint(&spoken_for));
        prop_assert!(found.missing.iter().all(|key| !matched.contains(key)));
        // The order of the lines does not affect which matches are certain.
        let backwards: Vec<LineFacts<'_>> = (0..lines.len()).rev().map(seen).collect();
        let again = match_up(&backwards, &documents, day(40));
        let certain = |findings: &[Finding<usize>]| -> BTreeSet<usize> {
            findings.iter().filter_map(|f| if let Finding::Match(key) = f { Some(*key) } else { None }).collect()
        };
        prop_assert_eq!(certain(&again.lines), certain(&found.lines));
    }
}

#[test]
fn a_million_lines_cost_no_more_than_is_kept() {
    let rows = "2026-01-01,1.00,USD\n".repeat(1_000_000);
    let mistakes = table(format!("date,amount,currency\n{rows}").as_bytes(), &form()).expect_err("refused");
    assert_eq!(mistakes.listed().len(), 1);
    assert_eq!(mistakes.listed()[0].problem, Problem::TooManyLines { most: MOST_LINES });
    let wrong = "nonsense,NaN,EUR\n".repeat(1_000_000);
    let mistakes = table(format!("date,amount,currency\n{wrong}").as_bytes(), &form()).expect_err("refused");
    assert_eq!((mistakes.listed().len(), mistakes.more() > 1_000), (50, true));
    let quoted = format!("date,amount,currency\n\"{}", "x\n".repeat(1_000_000));
    assert!(table(quoted.as_bytes(), &form()).is_err());
}

#[test]
fn many_lines_find_many_documents() {
    let count = 20_000usize;
    let document = |n: usize| Document {
        key: n,
        amount: Money::from_minor(100),
        reference: format!("REF-{n}"),
        counterparty: "Mia".into(),
        day: day(0),
    };
    let documents: Vec<Document<usize>> = (0..count).map(document).collect();
    let texts: Vec<[String; 1]> = (0..count).map(|n| [format!("payment ref-{n} thanks")]).collect();
    let seen = |texts: &'static [String; 1]| LineFacts {
        id: "",
        booked_on: day(1),
        amount: Money::from_minor(100),
        texts,
        counterparty: "",
    };
    let texts: &'static Vec<[String; 1]> = Box::leak(Box::new(texts));
    let lines: Vec<LineFacts<'_>> = texts.iter().map(seen).collect();
    let found = match_up(&lines, &documents, day(2));
    assert!(found.lines.iter().enumerate().all(|(n, finding)| *finding == Finding::Match(n)));
}
