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
    for separator in [",", ";", "\t", "|"] {
        let text = format!("\u{feff}{}\r\n\u{1a}\0", rows.join("\r\n").replace('|', separator));
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
        [(2, "date"), (3, "amount"), (3, "currency"), (6, "the line"), (8, "date"), (8, "amount"), (8, "currency")]
    );
    assert_eq!((&found[4].2, &found[6].2), (&Problem::Missing, &Problem::Missing));
    assert_eq!(problems("date,amount,currency\n2026-01-01, ,USD\n"), [(2, "amount".into(), Problem::Missing)]);
    assert_eq!(found[5].2, Problem::TooLarge);
}

#[test]
fn a_header_is_needed_and_says_only_what_is_known() {
    assert_eq!(problems(""), [(1, "the header".into(), Problem::Missing)]);
    assert_eq!(problems("date,amount,currency\n"), [(2, "the first line".into(), Problem::Missing)]);
    for row in ["2026-01-01,1.00,USD\n", "\"03/02/26\";\"-1.234,50\";\"*\";\"fee\"\n2026-01-02;x;y;z\n"] {
        assert_eq!(problems(row), [(1, "the header".into(), Problem::NoHeader)]);
    }
    let found = problems("Date,AMOUNT,currency,amount,ref\n");
    let told: Vec<&str> = found.iter().map(|(_, field, _)| field.as_str()).collect();
    assert_eq!(told, ["\"amount\"", "\"ref\""]);
    let mistakes = table(b"date,amount,currency,counterparty,description,colour\n", &form()).expect_err("refused");
    let said = mistakes.to_string();
    assert!(said.starts_with("line 1: \"colour\" is no column of ours; there are date, amount, currency"), "{said}");
}

#[test]
fn separators_after_the_last_column_are_no_column() {
    for text in [
        "date;amount;currency;;;\n2026-01-01;5.00;USD;;;\n",
        "date,amount,currency, \n2026-01-01,5.00,USD,\n",
        "date,amount,currency\n2026-01-01,5.00,USD,,\n",
        "date,amount,currency,,\n2026-01-01,5.00,USD\n",
    ] {
        assert_eq!(table(text.as_bytes(), &form()).expect("a statement").lines[0].amount.minor(), 500, "{text}");
    }
    let wide = |found| (2, "the line".to_owned(), Problem::OtherWidth { found, expected: 3 });
    assert_eq!(problems("date,amount,currency,,\n2026-01-01,5.00,USD,,x\n"), [wide(5)]);
    assert_eq!(problems("date,amount,currency,,\n2026-01-01,5.00\n"), [wide(2)]);
    // One between others may be a name that was lost.
    assert_eq!(problems("date,amount,,currency\n2026-01-01,5.00,,USD\n")[0].1, "\"\"");
}

#[test]
fn what_is_not_utf_8_is_told() {
    let text = b"date,amount,currency,counterparty\n2026-01-01,1.00,USD,M\xfcller\n";
    let mistakes = table(text, &form()).expect_err("refused");
    assert_eq!(
        mistakes.to_string(),
        "line 2: counterparty is not UTF-8; --encoding says what it is, such as windows-1252"
    );
    // In a header, no name could be known.
    let header =
        table(b"\x93\xfa\x95t,\x8b\xe0\x8az,\x92\xca\x89\xdd\n2026/1/1,1.00,USD\n", &form()).expect_err("refused");
    assert_eq!(header.to_string(), mistakes.to_string().replace("line 2: counterparty", "line 1: the header"));
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

#[test]
fn what_spreadsheets_put_around_the_rows_is_passed_over_or_told() {
    let rows = "date;amount;currency;counterparty\n;;;\n2026-03-02;50.00;USD;A\n ; ;;\n";
    for text in [rows.to_owned(), format!("sep=;\r\n{rows}")] {
        assert_eq!(table(text.as_bytes(), &form()).expect("a statement").lines.len(), 1, "{text}");
    }
    assert_eq!(problems(&format!("sep=;\n{}", rows.replace("50.00", "x")))[0].0, 4, "lines of the whole file");
    let above = format!("Account;DE02120300000000202051\n\n{rows}");
    assert_eq!(problems(&above), [(1, "the header".into(), Problem::Below { line: 3 })]);
}

#[test]
fn a_quote_that_is_not_closed_swallows_no_row() {
    let head = "date,amount,currency,counterparty,description\n";
    let told = |rows: &str| problems(&format!("{head}{rows}"));
    let open = told("2026-03-02,50.00,USD,A,\"oops\n2026-03-03,60.00,USD,B,c\n2026-03-04,70.00,USD,B,c\n");
    assert_eq!(open, [(2, "the line".into(), Problem::Unclosed)]);
    let closed_later = told("2026-03-02,50.00,USD,A,\"oops\n2026-03-03,60.00,USD,B,c\"\n");
    assert_eq!(closed_later, [(2, "the line".into(), Problem::LineInQuotes)]);
    let escaped = told("2026-03-02,50.00,USD,A,\"say \\\"hi\\\" now\"\n");
    assert_eq!(escaped, [(2, "the line".into(), Problem::AfterQuote)]);
}

#[test]
fn a_value_with_blanks_around_its_quotes_stays_whole() {
    let text = "date; amount; currency; \"counterparty\" ;description\n\
        2026-03-02; \"50.00\" ;USD; \"Mia; Chen\" ;\"one\"\n\n 2026-03-03 ;x;USD; \"Rose\" Ltd ;\n";
    assert_eq!(problems(text), [(4, "amount".into(), Problem::NotWithThisMark)]);
    let lines = table(text.replace('x', "-1.00").as_bytes(), &form()).expect("a statement").lines;
    let names: Vec<&str> = lines.iter().map(|line| line.counterparty.as_str()).collect();
    assert_eq!((names.as_slice(), lines[0].amount.minor()), (&["Mia; Chen", "\"Rose\" Ltd"][..], 5_000));
    let unclear = "date;amount;currency;description\n2026-03-02;50.00;USD; \"a;b\" c\n";
    assert_eq!(problems(unclear), [(2, "the line".into(), Problem::AfterQuote)]);
}

#[test]
fn amounts_that_may_be_thousands_are_refused_and_a_typed_minus_counts() {
    let one = |amount: &str| format!("date;amount;currency\n2026-03-02;{amount};USD\n");
    for (decimal, amount) in
        [(DecimalMark::Comma, "1,000"), (DecimalMark::Point, "1.000"), (DecimalMark::Point, "1,000")]
    {
        let mistakes = table(one(amount).as_bytes(), &Form { decimal, ..form() }).expect_err("refused");
        let found = &mistakes.listed()[0];
        assert_eq!((found.line, &found.problem), (2, &Problem::Ambiguous { text: amount.into() }));
    }
    let minus = table(one("\u{2212}50.00").as_bytes(), &form()).expect("a statement");
    assert_eq!(minus.lines[0].amount.minor(), -5_000);
}

#[test]
fn the_opening_balance_follows_from_the_closing_one() {
    let text = "date,amount,currency\n2026-01-01,5.00,USD\n2026-01-02,-2.00,USD\n";
    let form = Form { closing: Some(Money::from_minor(1_300)), ..form() };
    assert_eq!(table(text.as_bytes(), &form).expect("a statement").opening, Some(Money::from_minor(1_000)));
}

#[test]
fn an_id_that_all_rows_share_identifies_none() {
    let text = "date,amount,currency,id\n2026-01-01,5.00,USD,0101\n2026-01-01,5.00,USD,0101\n";
    let lines = table(text.as_bytes(), &form()).expect("a statement").lines;
    assert_eq!(lines.iter().map(|line| line.id.as_str()).collect::<Vec<_>>(), ["0101", "0101#2"]);
}

#[test]
fn a_date_of_another_calendar_is_refused_and_named() {
    let found = problems("date,amount,currency\n2569-03-02,1.00,USD\n1405-01-01,1.00,USD\n");
    let of = |line, year: &str| (line, "date".to_owned(), Problem::OtherCalendar { year: year.into() });
    assert_eq!(found, [of(2, "2569"), of(3, "1405")]);
}

#[test]
fn a_table_of_columns_that_nobody_knows_is_told_for_these_and_not_for_its_quotes() {
    for separator in [",", ";", "\t"] {
        let header = ["\"Jour\"", "\"Combien, EUR\"", "\"Pourquoi\"", "\"Reste\""].join(separator);
        let row = ["\"02.03.26\"", "\"50,00\"", "\"Gebucht\"", "\"1,00\""].join(separator);
        let found = problems(&format!("{header}\n{row}\n"));
        assert_eq!((found[0].0, found[0].1.as_str()), (1, "\"Jour\""), "{separator:?}");
    }
    let rows = "date;amount;currency;reference\n\"2026-03-02\";\"50.00\";\"USD\";\"a\"\n";
    let above = problems(&format!("Account, of us, for March\n{rows}"));
    assert_eq!(above, [(1, "the header".into(), Problem::Below { line: 2 })]);
    assert_eq!(table(format!("\r\n\n{rows}").as_bytes(), &form()).expect("a statement").lines[0].references, ["a"]);
}

#[test]
fn rows_that_end_with_a_carriage_return_alone_are_counted_as_others() {
    let text = "sep=;\rdate;amount;currency\r2026-03-02;50.00;USD\r\r2026-03-02;x;USD\r";
    assert_eq!(problems(text), [(5, "amount".into(), Problem::NotWithThisMark)]);
    let read = table(text.replace('x', "1.00").as_bytes(), &form()).expect("a statement");
    assert_eq!(read.lines.iter().map(|line| line.amount.minor()).collect::<Vec<_>>(), [5_000, 100]);
    // One within a text of rows that end otherwise stays what it is.
    let within = "date,amount,currency,description\n2026-03-02,50.00,USD,\"a\rb\"\n2026-03-02,x,USD,\n";
    assert_eq!(problems(within)[0].0, 3);
}

#[test]
fn a_day_that_has_not_begun_is_refused() {
    let of = |days: [&str; 2], order| {
        let rows = days.map(|day| format!("{day},5.00,USD\n")).concat();
        let said = Said { order, latest: Day::parse("2026-11-05"), ..Said::default() };
        let read = table_as(format!("date,amount,currency\n{rows}").as_bytes(), &form(), said);
        read.map(|read| read.lines.len()).map_err(|mistakes| mistakes.to_string())
    };
    assert_eq!(of(["2026-11-05", "2026-11-04"], None), Ok(2));
    let ahead = "line 3: date is 2026-11-06, which has not begun anywhere; check it, or import the file when it has";
    assert_eq!(of(["2026-11-05", "2026-11-06"], None), Err(ahead.into()));
    // It is the other number that is the month.
    assert_eq!(of(["05/11/2026", "04/11/2026"], Some(DayOrder::DayFirst)), Ok(2));
    assert!(of(["11/12/2026", "11/10/2026"], Some(DayOrder::DayFirst)).is_err_and(|told| told.starts_with("line 2: ")));
    assert!(of(["11/12/2026", "11/10/2026"], None).is_err_and(|told| told.ends_with("--dates says it")));
}

#[test]
fn one_line_tells_the_order_of_all_days_and_none_is_guessed() {
    let days = |rows: [&str; 3]| {
        let rows = rows.map(|day| format!("{day},5.00,USD\n")).concat();
        table(format!("date,amount,currency\n{rows}").as_bytes(), &form())
    };
    for rows in [["03/02/2026", "02/28/2026", "03/01/2026"], ["02.03.2026", "28.02.2026", "01.03.2026"]] {
        let read = days(rows).expect("a statement");
        let booked: Vec<String> = read.lines.iter().map(|line| line.booked_on.to_string()).collect();
        assert_eq!(booked, ["2026-03-02", "2026-02-28", "2026-03-01"]);
        assert_eq!((read.from.to_string().as_str(), read.to.to_string().as_str()), ("2026-02-28", "2026-03-02"));
    }
    let unclear = days(["03/02/2026", "2026-03-02", "02/03/2026"]).expect_err("refused").to_string();
    let told = "may be 2026-02-03 or 2026-03-02, and no other line tells which number is the month";
    assert_eq!(unclear, format!("line 2: date {told}; --dates says it"));
    let said = |order, day: &str| {
        let said = Said { order: Some(order), ..Said::default() };
        let read = table_as(format!("date,amount,currency\n{day},5.00,USD\n").as_bytes(), &form(), said);
        read.map(|read| read.from.to_string()).map_err(|mistakes| mistakes.to_string())
    };
    assert_eq!(said(DayOrder::DayFirst, "03/02/2026"), Ok("2026-02-03".into()));
    assert_eq!(said(DayOrder::MonthFirst, "03/02/2026"), Ok("2026-03-02".into()));
    let other = "line 2: date has the day and the month in another order than --dates says";
    assert_eq!(said(DayOrder::MonthFirst, "28/02/2026"), Err(other.into()));
    let both = days(["03/02/2026", "28/02/2026", "02/28/2026"]).expect_err("refused").to_string();
    assert_eq!(both, "line 4: date has the day and the month in another order than line 3");
}
