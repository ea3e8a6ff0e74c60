use super::*;

fn form() -> Form {
    Form { account: "A-1".into(), currency: "USD".into(), decimal: DecimalMark::Point, opening: None, closing: None }
}

fn problems(text: &str) -> Vec<(u64, String, Problem)> {
    let mistakes = table(text.as_bytes(), &form()).expect_err("refused");
    mistakes.listed().iter().map(|m| (m.line, m.field.clone(), m.problem.clone())).collect()
}

#[test]
fn the_separator_is_found_and_a_mark_of_utf_8_is_passed_over() {
    let rows = ["date|amount|currency|reference|id", "2026-01-02|-5.00|USD|OUT-1|x1", "2026-01-01|7.5|usd||"];
    for separator in [",", ";", "\t"] {
        let text = format!("\u{feff}{}\r\n", rows.join("\r\n").replace('|', separator));
        let read = table(text.as_bytes(), &form()).expect("a statement");
        assert_eq!(read.lines.iter().map(|l| l.amount.minor()).collect::<Vec<_>>(), [-500, 750], "{separator:?}");
        assert_eq!((read.lines[0].id.as_str(), read.lines[1].id.len()), ("x1", 32));
        assert_eq!((read.from.to_string().as_str(), read.to.to_string().as_str()), ("2026-01-01", "2026-01-02"));
        assert_eq!(
            (read.lines[0].references.as_slice(), read.lines[1].references.as_slice()),
            (&["OUT-1".to_owned()][..], &[][..])
        );
    }
}

#[test]
fn the_decimal_mark_is_the_one_told() {
    let text = "date;amount;currency\n2026-01-01;1234,50;EUR\n";
    let comma = Form { currency: "EUR".into(), decimal: DecimalMark::Comma, ..form() };
    assert_eq!(table(text.as_bytes(), &comma).expect("a statement").lines[0].amount.minor(), 123_450);
    assert_eq!(
        table(text.as_bytes(), &Form { decimal: DecimalMark::Point, ..comma }).expect_err("refused").listed().len(),
        1
    );
}

#[test]
fn all_mistakes_are_told_at_once_with_line_and_column() {
    let text = "date,amount,currency,id\n2026-02-30,1.00,USD,a\n2026-01-01,NaN,EUR,b\n\n2026-01-01,1.00,USD,a\n2026-01-01,1.00\n2026-01-01,2.00,USD,a\n,9999999999999999999,,\n";
    let found = problems(text);
    let told: Vec<(u64, &str)> = found.iter().map(|(line, field, _)| (*line, field.as_str())).collect();
    assert_eq!(
        told,
        [
            (2, "date"),
            (3, "amount"),
            (3, "currency"),
            (5, "id"),
            (6, "the line"),
            (7, "id"),
            (8, "date"),
            (8, "amount"),
            (8, "currency")
        ]
    );
    assert_eq!(found[3].2, Problem::Twice { line: 2 });
    assert_eq!((&found[6].2, &found[8].2), (&Problem::Missing, &Problem::Missing));
    assert_eq!(problems("date,amount,currency\n2026-01-01, ,USD\n"), [(2, "amount".into(), Problem::Missing)]);
    assert_eq!(found[7].2, Problem::TooLarge);
}

#[test]
fn a_header_is_needed_and_says_only_what_is_known() {
    assert_eq!(problems(""), [(1, "the header".into(), Problem::Missing)]);
    assert_eq!(problems("date,amount,currency\n"), [(2, "the first line".into(), Problem::Missing)]);
    let found = problems("2026-01-01,1.00,USD\n");
    assert_eq!(found.len(), 6, "{found:?}");
    let found = problems("Date,AMOUNT,currency,amount,ref\n");
    let told: Vec<&str> = found.iter().map(|(_, field, _)| field.as_str()).collect();
    assert_eq!(told, ["\"amount\"", "\"ref\""]);
}

#[test]
fn what_is_not_utf_8_is_told() {
    let text = b"date,amount,currency,counterparty\n2026-01-01,1.00,USD,M\xfcller\n";
    let mistakes = table(text, &form()).expect_err("refused");
    assert_eq!(mistakes.to_string(), "line 2: counterparty is not UTF-8");
}

#[test]
fn balances_are_checked_where_they_are_told() {
    let text = "date,amount,currency\n2026-01-01,5.00,USD\n2026-01-02,-2.00,USD\n";
    let told = |closing: i64| Form { opening: Some(Money::ZERO), closing: Some(Money::from_minor(closing)), ..form() };
    assert!(table(text.as_bytes(), &told(300)).is_ok());
    let mistakes = table(text.as_bytes(), &told(301)).expect_err("refused");
    assert_eq!(mistakes.to_string(), "line 1: --closing is 3.01, but 0.00 and the lines make 3.00");
}

#[test]
fn quoted_texts_may_hold_anything_that_stays_on_one_line() {
    let text = "date,amount,currency,description\n2026-01-01,1.00,USD,\"a, \"\"b\"\"\nc \u{1b}[2J\"\n2026-01-01,0.00,USD,nothing\n";
    let read = table(text.as_bytes(), &form()).expect("a statement");
    assert_eq!((read.lines[0].description.as_str(), read.lines.len(), read.left_out), ("a, \"b\" c [2J", 1, 1));
}

#[test]
fn a_file_is_read_up_to_its_largest_size_and_refused_above_it() {
    let mut text = "date,amount,currency\n2026-01-01,1.00,USD\n".to_owned();
    text += &"\n".repeat(MOST_BYTES - text.len());
    assert_eq!(table(text.as_bytes(), &form()).expect("as large as it may be").lines.len(), 1);
    text.push('\n');
    assert_eq!(problems(&text), [(1, "the file".into(), Problem::TooManyBytes { most: MOST_BYTES })]);
}
