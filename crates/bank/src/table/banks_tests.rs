//! Tables as banks hand them out, with the names, signs, days and balances that they write.

use super::*;

fn form(currency: &str, decimal: DecimalMark) -> Form {
    Form { account: "DE02120300000000202051".into(), currency: currency.into(), decimal, opening: None, closing: None }
}

fn read(text: &str, currency: &str, decimal: DecimalMark) -> Statement {
    table(text.as_bytes(), &form(currency, decimal)).unwrap_or_else(|mistakes| panic!("{mistakes}\n{text}"))
}

fn refused(text: &str, currency: &str) -> String {
    table(text.as_bytes(), &form(currency, DecimalMark::Point)).expect_err("refused").to_string()
}

fn moved(of: &Statement) -> Vec<(String, i64)> {
    of.lines.iter().map(|line| (line.booked_on.to_string(), line.amount.minor())).collect()
}

fn balances(of: &Statement) -> (Option<i64>, Option<i64>) {
    (of.opening.map(Money::minor), of.closing.map(Money::minor))
}

#[test]
fn german_names_short_years_and_what_is_not_booked() {
    let text = "\"Auftragskonto\";\"Buchungstag\";\"Valutadatum\";\"Buchungstext\";\"Verwendungszweck\";\
         \"Kundenreferenz (End-to-End)\";\"Beguenstigter/Zahlungspflichtiger\";\"Kontonummer/IBAN\";\"Betrag\";\
         \"Waehrung\";\"Info\"\n\
         \"DE02120300000000202051\";\"04.03.26\";\"04.03.26\";\"GUTSCHR.\";\"offen\";\"\";\"X\";\"\";\"10,00\";\"EUR\";\"Umsatz vorgemerkt\"\n\
         \"DE02120300000000202051\";\"03.03.26\";\"05.03.26\";\"GUTSCHR.\";\"Rechnung 7\";\"BANK-4711\";\"Mia Chen\";\"DE00\";\"1.190,00\";\"EUR\";\"Umsatz gebucht\"\n\
         \"DE02 1203 0000 0000 2020 51\";\"02.03.26\";\"02.03.26\";\"LASTSCHRIFT\";\"Diesel\";\"NOTPROVIDED\";\"Meier\";\"\";\"-45,90\";\"EUR\";\"Umsatz gebucht\"\n";
    let found = read(text, "EUR", DecimalMark::Comma);
    assert_eq!(moved(&found), [("2026-03-03".into(), 119_000), ("2026-03-02".into(), -4_590)]);
    let [first, second] = found.lines.as_slice() else { panic!("two lines") };
    assert_eq!((first.references.as_slice(), first.counterparty.as_str()), (&["BANK-4711".to_owned()][..], "Mia Chen"));
    assert_eq!((first.description.as_str(), second.references.len()), ("GUTSCHR. Rechnung 7", 0));
    assert_eq!(
        (found.left_out, found.passed_over.as_slice()),
        (1, &["Valutadatum".to_owned(), "Kontonummer/IBAN".into()][..])
    );
    let other = text.replace("\"DE02 1203", "\"DE89 1203");
    let mistakes = table(other.as_bytes(), &form("EUR", DecimalMark::Comma)).expect_err("refused").to_string();
    assert_eq!(mistakes, "line 4: Auftragskonto is DE89120300000000202051, not DE02120300000000202051");
    let unknown = table(text.replace("gebucht", "gelesen").as_bytes(), &form("EUR", DecimalMark::Comma));
    assert!(
        unknown.expect_err("refused").to_string().starts_with("line 3: Info is Umsatz gelesen, which does not say")
    );
}

#[test]
fn amounts_may_have_the_sign_of_the_currency() {
    let text = "Date,Description,Amount (USD)\n2026-03-02,a,\"$1,050.00\"\n2026-03-03,b,-$5.00\n2026-03-04,c,($2.50)\n";
    let found: Vec<i64> = read(text, "USD", DecimalMark::Point).lines.iter().map(|line| line.amount.minor()).collect();
    assert_eq!(found, [105_000, -500, -250]);
    let euros = read("Datum;Betrag (€)\n02.03.2026;-1.190,00 €\n", "EUR", DecimalMark::Comma);
    assert_eq!(moved(&euros), [("2026-03-02".into(), -119_000)]);
    let other = refused(&text.replace("-$5.00", "-£5.00"), "USD");
    assert!(other.starts_with("line 3: Amount (USD) is no plain amount"), "{other}");
    let unclear = refused(&text.replace("-$5.00", "$1.000"), "USD");
    assert!(unclear.contains("line 3") && unclear.contains("1.000"), "{unclear}");
}

#[test]
fn dollars_in_a_name_are_those_of_the_table_or_of_a_word() {
    let text =
        "Date,Description,Debit ($),Credit ($),Balance ($)\n2026-03-02,a,,50.00,150.00\n2026-03-03,b,3.00,,147.00\n";
    assert!(refused(text, "USD").starts_with("line 1: currency is in no column"));
    let said = Said { currency: true, ..Said::default() };
    let found = table_as(text.as_bytes(), &form("USD", DecimalMark::Point), said).expect("read");
    assert_eq!((moved(&found)[1].1, balances(&found)), (-300, (Some(10_000), Some(14_700))));
    assert!(refused(text, "EUR").contains("is no column of ours"));
}

#[test]
fn two_columns_of_amounts_are_one_amount() {
    for rows in ["02.03.2026;50.00;;A\n03.03.2026;;17.90;B\n", "02.03.2026;50.00;;A\n03.03.2026;;-17.90;B\n"] {
        let text = format!("Datum;Gutschrift in CHF;Lastschrift in CHF;Avisierungstext\n{rows}");
        let found = read(&text, "CHF", DecimalMark::Point);
        assert_eq!(moved(&found), [("2026-03-02".into(), 5_000), ("2026-03-03".into(), -1_790)]);
    }
    let head = "Date,Description,Debit,Credit,Currency\n";
    for (rows, told) in [
        ("2026-03-02,a,1.00,2.00,USD\n", "line 2: amount both comes in and goes out"),
        ("2026-03-02,a,,,USD\n", "line 2: amount is missing"),
        ("2026-03-02,a,,-2.00,USD\n", "line 2: Credit says that the amount comes in, and it is negative"),
        ("2026-03-02,a,2.00,,USD\n2026-03-02,a,-2.00,,USD\n", "line 3: amount says in another way than line 2"),
    ] {
        let found = refused(&format!("{head}{rows}"), "USD");
        assert!(found.starts_with(told), "{found}");
    }
    let half = refused("Date,Debit,Currency\n2026-03-02,1.00,USD\n", "USD");
    assert_eq!(half, "line 1: credit is missing");
    let both = refused("Date,Amount,Money In,Currency\n", "USD");
    let told = "is a column of amounts besides another; take the one away that does not count";
    assert_eq!(both, format!("line 1: \"Money In\" {told}"));
    let euros = refused("Date,Debit (EUR),Credit (EUR)\n2026-03-02,1.00,\n", "USD");
    assert!(euros.starts_with("line 1: \"Debit (EUR)\" is EUR, and this installation keeps USD"), "{euros}");
}

#[test]
fn a_column_says_where_the_money_goes() {
    let text = "Datum,Naam / Omschrijving,Rekening,Tegenrekening,Code,Af Bij,Bedrag (EUR),Mutatiesoort,Mededelingen\n\
         20260302,A,NL1,NL2,GT,Bij,\"50,00\",Online,BANK-4711\n20260303,B,NL1,NL2,GT,Af,\"17,90\",Online,x\n";
    let found = read(text, "EUR", DecimalMark::Comma);
    assert_eq!(moved(&found), [("2026-03-02".into(), 5_000), ("2026-03-03".into(), -1_790)]);
    let directions = "Date,Direction,Amount,Currency\n2026-03-02,IN,50.00,USD\n2026-03-03,OUT,17.90,USD\n";
    assert_eq!(moved(&read(directions, "USD", DecimalMark::Point)), moved(&found));
    let told = table(text.replace(",Af,", ",Weg,").as_bytes(), &form("EUR", DecimalMark::Comma)).expect_err("refused");
    assert_eq!(told.to_string(), "line 3: Af Bij says neither that the amount comes in nor that it goes out");
    // The kind says it in one bank's table, and in another all amounts have their signs.
    let kinds = |rows: &str| format!("Date,Description,Amount,Transaction Type,Currency\n{rows}");
    let unsigned = kinds("2026-03-02,A,5.00,credit,USD\n2026-03-02,B,7.00,debit,USD\n");
    assert_eq!(moved(&read(&unsigned, "USD", DecimalMark::Point))[1].1, -700);
    let signed = kinds("2026-03-02,A,5.00,Deposit,USD\n2026-03-02,B,-7.00,debit,USD\n");
    let found = read(&signed, "USD", DecimalMark::Point);
    assert_eq!((moved(&found)[1].1, found.lines[0].description.as_str()), (-700, "A Deposit"));
    let mixed = refused(&kinds("2026-03-02,A,5.00,Deposit,USD\n2026-03-02,B,7.00,debit,USD\n"), "USD");
    assert!(mixed.starts_with("line 3: Amount says in another way than line 2"), "{mixed}");
}

#[test]
fn what_was_drawn_out_does_not_come_in() {
    let table = |rows: &str| format!("Date,Type,Amount,Currency\n{rows}");
    // Without signs, the amounts of this file say nothing.
    let unsigned = refused(&table("2026-03-02,Deposit,5.00,USD\n2026-03-03,Withdrawal,7.00,USD\n"), "USD");
    assert!(unsigned.starts_with("line 3: Amount says in another way than line 2"), "{unsigned}");
    let alone = read(&table("2026-03-03,Withdrawal,7.00,USD\n"), "USD", DecimalMark::Point);
    assert_eq!((moved(&alone)[0].1, alone.lines[0].description.as_str()), (-700, "Withdrawal"));
    let signed = table("2026-03-02,Deposit,5.00,USD\n2026-03-03,Withdrawal,-7.00,USD\n");
    let found: Vec<i64> =
        moved(&read(&signed, "USD", DecimalMark::Point)).into_iter().map(|(_, minor)| minor).collect();
    assert_eq!(found, [500, -700]);
}

#[test]
fn a_balance_on_each_line_proves_the_lines_in_either_order() {
    let head = "TransferWise ID,Date,Amount,Currency,Description,Payment Reference,Running Balance\n";
    let rows = [
        "T-3,25-03-2026,500.00,USD,c,BANK-1,650.00",
        "T-2,03-03-2026,-50.00,USD,b,,150.00",
        "T-1,02-03-2026,20.00,USD,a,,200.00",
    ];
    let newest_first = format!("{head}{}\n", rows.join("\n"));
    let newest_last = format!("{head}{}\n", rows.iter().rev().copied().collect::<Vec<_>>().join("\n"));
    for text in [&newest_first, &newest_last] {
        assert_eq!(balances(&read(text, "USD", DecimalMark::Point)), (Some(18_000), Some(65_000)));
    }
    let broken = refused(&newest_first.replace("-50.00,", "-40.00,"), "USD");
    assert!(broken.starts_with("line 3: Running Balance is 150.00, but the lines up to it make 160.00"), "{broken}");
    // Between balances some may be empty; behind the last one a line may not be booked.
    let some = newest_first.replace(",150.00", ",");
    assert_eq!(balances(&read(&some, "USD", DecimalMark::Point)), (Some(18_000), Some(65_000)));
    let open = refused(&newest_first.replace(",650.00", ","), "USD");
    assert!(open.starts_with("line 2: Running Balance is empty on the newest line"), "{open}");
    let none = newest_first.replace(",650.00", ",").replace(",150.00", ",").replace(",200.00", ",");
    assert_eq!(balances(&read(&none, "USD", DecimalMark::Point)), (None, None));
    let named = Form { closing: Some(Money::from_minor(1)), ..form("USD", DecimalMark::Point) };
    let other = table(newest_first.as_bytes(), &named).expect_err("refused").to_string();
    assert_eq!(other, "line 1: --closing is 0.01, which is the balance of no statement in the file");
}

#[test]
fn a_day_that_may_be_read_upwards_and_downwards_needs_a_word() {
    let text = "Date,Amount,Currency,Balance\n2026-03-02,5.00,USD,105.00\n2026-03-02,-5.00,USD,100.00\n";
    let told = refused(text, "USD");
    assert!(told.starts_with("line 1: Balance fits if the first line is the newest and if the last is"), "{told}");
    let with = |closing: i64| {
        let form = Form { closing: Some(Money::from_minor(closing)), ..form("USD", DecimalMark::Point) };
        table(text.as_bytes(), &form).map(|found| balances(&found)).map_err(|mistakes| mistakes.to_string())
    };
    assert_eq!(with(10_000), Ok((Some(10_000), Some(10_000))));
    assert_eq!(with(10_500), Ok((Some(10_500), Some(10_500))));
    assert!(with(9_900).is_err());
}

#[test]
fn what_was_taken_besides_and_pockets_of_an_account_are_not_guessed() {
    let head = "Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance\n";
    let row = |product: &str, fee: &str, state: &str, balance: &str| {
        format!("Topup,{product},2026-03-01 08:00:00,2026-03-02 08:00:01,Mia,50.00,{fee},USD,{state},{balance}\n")
    };
    let sound =
        format!("{head}{}{}", row("Current", "0.00", "COMPLETED", "150.00"), row("Current", "0.00", "PENDING", ""));
    let found = read(&sound, "USD", DecimalMark::Point);
    assert_eq!((balances(&found), found.left_out), ((Some(10_000), Some(15_000)), 1));
    assert_eq!(found.passed_over, ["Started Date"]);
    let fee = refused(&format!("{head}{}", row("Current", "0.50", "COMPLETED", "150.00")), "USD");
    assert!(fee.starts_with("line 2: Fee is not zero"), "{fee}");
    let pocket = format!("{head}{}{}", row("Current", "0", "COMPLETED", ""), row("Savings", "0", "COMPLETED", ""));
    assert_eq!(refused(&pocket, "USD"), "line 3: Product is SAVINGS, not CURRENT");
}

#[test]
fn numbers_may_be_as_wide_as_the_letters_around_them() {
    let text = "取引日,お支払金額,お預り金額,通貨,摘要\n２０２６年３月２日,,＄１，２５０．５０,USD,BANK-4711\n\
                ２０２６／０３／０３,５０．００,,USD,手数料\n";
    let found = read(text, "USD", DecimalMark::Point);
    assert_eq!(moved(&found), [("2026-03-02".into(), 125_050), ("2026-03-03".into(), -5_000)]);
    let dashed = read("Date,Amount,Currency\n2026–03–02,–5.00,USD\n", "USD", DecimalMark::Point);
    assert_eq!(moved(&dashed), [("2026-03-02".into(), -500)]);
    let marked = "Date,Amount,Currency\n\u{200e}3\u{200e}/\u{200e}31\u{200e}/\u{200e}2026,\u{202d}-$5.00\u{202c},USD\n";
    assert_eq!(moved(&read(marked, "USD", DecimalMark::Point)), [("2026-03-31".into(), -500)]);
    let kept = "Date,Amount,Currency\n=\"2026-03-31\",\"=\"\"-5.00\"\"\",USD\n";
    assert_eq!(moved(&read(kept, "USD", DecimalMark::Point)), [("2026-03-31".into(), -500)]);
}

#[test]
fn years_of_two_digits_need_a_word() {
    let text = "Date,Amount,Currency\n03/02/26,5.00,USD\n04/02/26,7.00,USD\n";
    assert!(refused(text, "USD").starts_with("line 2: Date has a year of two digits; --dates says"));
    let days = |order| {
        let said = Said { order: Some(order), ..Said::default() };
        let found = table_as(text.as_bytes(), &form("USD", DecimalMark::Point), said).expect("read");
        moved(&found).into_iter().map(|(day, _)| day).collect::<Vec<_>>()
    };
    assert_eq!(days(DayOrder::DayFirst), ["2026-02-03", "2026-02-04"]);
    assert_eq!(days(DayOrder::MonthFirst), ["2026-03-02", "2026-04-02"]);
}

#[test]
fn chinese_names_of_both_sides_are_known() {
    let text =
        "日期,收入金额,支出金额,币种,摘要\n2026年03月02日,50.00,,USD,BANK-4711\n2026年03月03日,,3.00,USD,手续费\n";
    let found = moved(&read(text, "USD", DecimalMark::Point));
    assert_eq!(found, [("2026-03-02".into(), 5_000), ("2026-03-03".into(), -300)]);
}

#[test]
fn names_of_other_countries_are_known() {
    for (text, mark) in [
        (
            "交易日期,支出金額,存入金額,餘額,幣別,備註\n2026/03/02,,50.00,150.00,USD,BANK-4711\n2026/03/03,3.00,,147.00,USD,手續費\n",
            DecimalMark::Point,
        ),
        (
            "Data lançamento;Data valor;Descrição;Montante;Tipo;Saldo;Moeda\n02-03-2026;02-03-2026;BANK-4711;50,00;Crédito;150,00;USD\n\
             03-03-2026;03-03-2026;TAXA;3,00;Débito;147,00;USD\n31-03-2026;31-03-2026;X;0,00;Débito;147,00;USD\n",
            DecimalMark::Comma,
        ),
        (
            "Txn Date,Value Date,Description,Chq/Ref Number,DR,CR,Bal,Currency\n02-Mar-2026,,BANK-4711,,,50.00,150.00 CR,USD\n\
             03-Mar-2026,,FEE,,3.00,,147.00 CR,USD\n",
            DecimalMark::Point,
        ),
        (
            "booking_date,value_date,amount,currency,description\n2026-03-02,2026-03-02,50.00,USD,BANK-4711\n2026-03-03,,-3.00,USD,x\n",
            DecimalMark::Point,
        ),
    ] {
        let found = read(text, "USD", mark);
        assert_eq!(moved(&found), [("2026-03-02".into(), 5_000), ("2026-03-03".into(), -300)], "{text}");
        assert!(found.lines.iter().all(|line| !line.description.is_empty()), "{text}");
    }
}

#[test]
fn an_amount_may_have_the_code_of_its_currency() {
    let text = "日付,お支払金額,お預り金額,残高,通貨,摘要\n2026/3/2,,\"1,250.00 USD\",USD 1350.00,USD,BANK-4711\n";
    let found = read(text, "USD", DecimalMark::Point);
    assert_eq!(
        (moved(&found), balances(&found)),
        (vec![("2026-03-02".into(), 125_000)], (Some(10_000), Some(135_000)))
    );
    assert!(refused(&text.replace("\"1,250.00 USD\"", "1250.00 EUR"), "USD").contains("is no plain amount"));
}
