//! Files as banks hand them out: several statements, pages, envelopes, and where references and names are.

use super::*;
use crate::{DecimalMark, Problem, Told};

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

/// A statement: its balances by code and amount, and the inside of an entry that moves the difference.
#[derive(Clone, Copy)]
struct Stmt<'a> {
    account: &'a str,
    day: &'a str,
    begin: (&'a str, &'a str),
    end: (&'a str, &'a str),
    moved: &'a str,
    details: &'a str,
    page: &'a str,
    currency: &'a str,
}

const FIRST: Stmt<'_> = Stmt {
    account: "DE02120300000000202051",
    day: "2026-03-02",
    begin: ("OPBD", "100.00"),
    end: ("CLBD", "150.00"),
    moved: "50.00",
    details: "",
    page: "",
    currency: "USD",
};

fn stmt(of: &Stmt<'_>) -> String {
    let Stmt { account, day, begin, end, moved, details, page, currency } = of;
    let balance = |(code, amount): &(&str, &str)| {
        format!(
            "<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp><Amt Ccy=\"{currency}\">{amount}</Amt>\
             <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>{day}</Dt></Dt></Bal>"
        )
    };
    let page = if page.is_empty() { String::new() } else { format!("<StmtPgntn><PgNb>{page}</PgNb></StmtPgntn>") };
    format!(
        "<Stmt><Id>S</Id>{page}<Acct><Id><IBAN>{account}</IBAN></Id><Ccy>{currency}</Ccy></Acct>{}{}<Ntry>\
         <Amt Ccy=\"{currency}\">{moved}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>{day}</Dt>\
         </BookgDt><NtryDtls><TxDtls>{details}</TxDtls></NtryDtls></Ntry></Stmt>",
        balance(begin),
        balance(end)
    )
}

fn document(statements: &[Stmt<'_>]) -> String {
    let inside: String = statements.iter().map(stmt).collect();
    format!(
        "<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.08\"><BkToCstmrStmt>{inside}</BkToCstmrStmt></Document>"
    )
}

fn read(text: &str) -> Vec<Statement> {
    crate::read(text.as_bytes(), &told()).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

fn refused(text: &str) -> Problem {
    crate::read(text.as_bytes(), &told()).expect_err("refused").listed()[0].problem.clone()
}

fn balances(statements: &[Statement]) -> Vec<(String, String)> {
    let shown = |balance: Option<base::Money>| balance.as_ref().map(base::Money::to_string).unwrap_or_default();
    statements.iter().map(|each| (shown(each.opening), shown(each.closing))).collect()
}

#[test]
fn several_statements_of_an_account_are_read_one_after_the_other() {
    let next = Stmt { day: "2026-03-03", begin: ("OPBD", "150.00"), end: ("CLBD", "170.00"), moved: "20.00", ..FIRST };
    let found = read(&document(&[FIRST, next]));
    let all = [("100.00", "150.00"), ("150.00", "170.00")].map(|(one, other)| (one.to_owned(), other.to_owned()));
    assert_eq!(balances(&found), all);
}

#[test]
fn pages_with_a_balance_between_are_one_statement() {
    let first = Stmt { page: "1", end: ("ITBD", "150.00"), ..FIRST };
    let second = Stmt { page: "2", begin: ("ITBD", "150.00"), end: ("ITBD", "160.00"), moved: "10.00", ..FIRST };
    let third = Stmt { page: "3", begin: ("ITBD", "160.00"), end: ("CLBD", "165.00"), moved: "5.00", ..FIRST };
    let found = read(&document(&[first, second, third]));
    assert_eq!(balances(&found), [("100.00".to_owned(), "165.00".to_owned())]);
    assert_eq!(found[0].lines.len(), 3);
    // A page alone covers what it says.
    let alone = Stmt { page: "2", begin: ("ITBD", "150.00"), end: ("CLBD", "160.00"), moved: "10.00", ..FIRST };
    assert_eq!(balances(&read(&document(&[alone]))), [("150.00".to_owned(), "160.00".to_owned())]);
}

#[test]
fn a_message_says_which_page_it_is_before_statements_did() {
    let alone = Stmt { begin: ("ITBD", "150.00"), end: ("CLBD", "160.00"), moved: "10.00", ..FIRST };
    let with = |page: &str, last: &str, of: Stmt<'_>| {
        let page = format!("<MsgPgntn><PgNb>{page}</PgNb><LastPgInd>{last}</LastPgInd></MsgPgntn>");
        document(&[of]).replace("<BkToCstmrStmt>", &format!("<BkToCstmrStmt><GrpHdr>{page}</GrpHdr>"))
    };
    for (page, of, found) in [
        (("2", "true"), alone, ("150.00", "160.00")),
        (("0001", "false"), Stmt { end: ("ITBD", "150.00"), ..FIRST }, ("100.00", "150.00")),
    ] {
        assert_eq!(balances(&read(&with(page.0, page.1, of))), [(found.0.to_owned(), found.1.to_owned())]);
    }
    assert_eq!(refused(&with("1", "true", alone)), Problem::Missing, "the only page has balances of its own");
    // Another message in the same file is none.
    let both = with("2", "true", alone) + &document(&[alone]);
    assert_eq!(refused(&both), Problem::Missing);
}

#[test]
fn of_the_balances_of_several_days_the_first_and_the_last_count() {
    let days = Stmt { day: "2026-03-03", begin: ("OPBD", "140.00"), ..FIRST };
    let text = document(&[Stmt { moved: "50.00", ..days }]);
    let other = |code: &str, amount: &str, day: &str| {
        format!(
            "<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp><Amt Ccy=\"USD\">{amount}</Amt>\
             <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>{day}</Dt></Dt></Bal>"
        )
    };
    let first = other("OPBD", "100.00", "2026-03-02") + &other("CLBD", "140.00", "2026-03-02");
    for text in [text.replacen("<Bal>", &(first.clone() + "<Bal>"), 1), text.replace("<Ntry>", &(first + "<Ntry>"))] {
        let found = read(&text);
        assert_eq!(balances(&found), [("100.00".to_owned(), "150.00".to_owned())]);
        assert_eq!(
            (found[0].from.to_string().as_str(), found[0].to.to_string().as_str()),
            ("2026-03-02", "2026-03-03")
        );
    }
}

#[test]
fn what_is_not_booked_may_be_in_another_currency() {
    let text = document(&[FIRST]);
    let (begin, end) = (text.find("<Ntry>").expect("an entry"), text.find("</Stmt>").expect("its end"));
    let pending = text[begin..end].replace("Ccy=\"USD\"", "Ccy=\"EUR\"").replace("BOOK", "PDNG");
    let found = read(&text.replace("<Ntry>", &(pending.clone() + "<Ntry>")));
    assert_eq!((found[0].lines.len(), found[0].left_out), (1, 1));
    let own_word = pending.replace("<Cd>PDNG</Cd>", "<Prtry>PDNG</Prtry>");
    assert_eq!(read(&text.replace("<Ntry>", &(own_word + "<Ntry>")))[0].left_out, 1);
    let booked = text.replace("<Ntry>", &(pending.replace("PDNG", "BOOK") + "<Ntry>"));
    assert!(matches!(refused(&booked), Problem::OtherCurrency { .. }));
}

#[test]
fn a_day_that_has_not_begun_is_refused() {
    let told = Told { latest: Day::parse("2026-03-02"), ..told() };
    let of = |text: &str| crate::read(text.as_bytes(), &told).map_err(|mistakes| mistakes.to_string());
    assert_eq!(of(&document(&[FIRST])).map(|found| found.len()), Ok(1));
    let ahead = document(&[Stmt { day: "2026-03-03", ..FIRST }]);
    let refused = "is 2026-03-03, which has not begun anywhere; check it, or import the file when it has";
    assert_eq!(of(&ahead), Err(format!("line 1: Ntry/BookgDt {refused}\nline 1: Bal CLBD {refused}")));
    assert_eq!(read(&ahead).len(), 1, "nobody said what day it is");
    // What is only announced may be ahead.
    let announced = document(&[FIRST]).replace(
        "<Ntry>",
        "<Ntry><Amt Ccy=\"USD\">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>PDNG</Cd></Sts><BookgDt><Dt>2026-03-09</Dt>\
         </BookgDt></Ntry><Ntry>",
    );
    assert_eq!(of(&announced).map(|found| found[0].left_out), Ok(1));
}

#[test]
fn a_status_that_nobody_knows_is_told_and_not_taken_for_one() {
    let with = |status: &str| document(&[FIRST]).replace("<Cd>BOOK</Cd>", status);
    assert_eq!(read(&with("<Cd>book</Cd>"))[0].lines.len(), 1);
    for (status, text) in [("<Cd>Booked</Cd>", "Booked"), ("<Cd>XYZ</Cd>", "XYZ")] {
        assert_eq!(refused(&with(status)), Problem::OtherStatus { text: text.into() });
    }
}

#[test]
fn a_sign_is_none_of_an_amounts() {
    let text = document(&[FIRST]);
    assert_eq!(refused(&text.replace(">50.00<", ">-50.00<")), Problem::Negative);
    assert_eq!(refused(&text.replace(">50.00<", ">5-0.00<")), Problem::NotAnAmount);
}

#[test]
fn an_account_is_named_once_however_its_statements_take_turns() {
    let other = Stmt { account: "DE89370400440532013000", ..FIRST };
    let accounts = "DE02120300000000202051, DE89370400440532013000".to_owned();
    assert_eq!(refused(&document(&[FIRST, other, FIRST, other])), Problem::ManyStatements { accounts });
}

#[test]
fn an_envelope_is_passed_over_and_what_is_no_statement_is_named() {
    let inside = document(&[FIRST]);
    assert_eq!(read(&format!("<Env><AppHdr><Id>1</Id></AppHdr>{inside}</Env>")).len(), 1);
    let without_document = inside.replace("</Document>", "");
    assert_eq!(read(without_document.split_once('>').map_or("", |(_, message)| message)).len(), 1);
    let other = |name: &str| refused(&inside.replace("BkToCstmrStmt", name));
    assert_eq!(other("BkToCstmrAcctRpt"), Problem::OtherForm { what: "camt.052, a report within the day" });
    let notification = Problem::OtherForm { what: "camt.054, a notification of single payments" };
    assert_eq!(other("BkToCstmrDbtCdtNtfctn"), notification);
    assert_eq!(other("CstmrCdtTrfInitn"), Problem::OtherForm { what: "pain.001, an order to pay" });
    let answer = Problem::OtherForm { what: "pain.002, the bank's answer to an order to pay" };
    assert_eq!(other("CstmrPmtStsRpt"), answer);
    let wrapped = refused(&format!("<Document><Reply><![CDATA[{inside}]]></Reply></Document>"));
    assert_eq!(wrapped, Problem::OtherElements { found: "Document/Reply".into() });
}

#[test]
fn the_first_version_is_read_like_those_after_it() {
    let account = "<Acct><Id><PrtryAcct><Id>0000202051</Id></PrtryAcct></Id></Acct>";
    let details = "<RmtInf><Strd><CdtrRefInf><CdtrRef>RF18539007547034</CdtrRef></CdtrRefInf></Strd></RmtInf>";
    let text = document(&[Stmt { details, ..FIRST }])
        .replace("BkToCstmrStmt>", "BkToCstmrStmtV01>")
        .replace("<CdOrPrtry>", "")
        .replace("</CdOrPrtry>", "")
        .replace("<NtryDtls>", "")
        .replace("</NtryDtls>", "")
        .replace("<Sts><Cd>BOOK</Cd></Sts>", "<Sts>BOOK</Sts>")
        .replace(&format!("<Acct><Id><IBAN>{}</IBAN></Id><Ccy>USD</Ccy></Acct>", FIRST.account), account);
    let found = read(&text);
    assert_eq!(balances(&found), [("100.00".to_owned(), "150.00".to_owned())]);
    assert_eq!(
        (found[0].account.as_str(), &found[0].lines[0].references[..]),
        ("0000202051", &["RF18539007547034".to_owned()][..])
    );
    let report = refused("<Document><BkToCstmrAcctRptV01/></Document>");
    assert_eq!(report, Problem::OtherForm { what: "camt.052, a report within the day" });
}

#[test]
fn an_account_in_another_currency_beside_ours_is_left_alone() {
    let euros = Stmt { account: "DE89370400440532013000", currency: "EUR", moved: "9.99", ..FIRST };
    for statements in [[euros, FIRST], [FIRST, Stmt { account: "DE89370400440532013000", currency: "EUR", ..FIRST }]] {
        assert_eq!(read(&document(&statements))[0].account, FIRST.account);
    }
    let alone = refused(&document(&[Stmt { currency: "EUR", ..FIRST }]));
    assert!(matches!(alone, Problem::OtherCurrency { .. }), "{alone}");
}

#[test]
fn amounts_with_zeros_before_them_are_amounts() {
    let padded = Stmt {
        begin: ("OPBD", "0000100.00"),
        end: ("CLBD", "000000000000150.00"),
        moved: "000000000000050.00",
        ..FIRST
    };
    let found = read(&document(&[padded]));
    assert_eq!((found[0].lines.len(), found[0].lines[0].amount.minor()), (1, 5_000));
    assert_eq!(balances(&found), [("100.00".to_owned(), "150.00".to_owned())]);
}

#[test]
fn a_statement_of_a_day_without_movements_is_one() {
    let text = document(&[Stmt { end: ("CLBD", "100.00"), ..FIRST }]);
    let (begin, end) = (text.find("<Ntry>").expect("an entry"), text.find("</Stmt>").expect("its end"));
    let found = read(&format!("{}{}", &text[..begin], &text[end..]));
    assert_eq!((found[0].lines.len(), found[0].left_out), (0, 0));
    assert_eq!((found[0].from.to_string(), found[0].to.to_string()), (FIRST.day.to_owned(), FIRST.day.to_owned()));
    assert_eq!(balances(&found), [("100.00".to_owned(), "100.00".to_owned())]);
}

#[test]
fn the_declared_encoding_is_used() {
    let details = "<RltdPties><Dbtr><Pty><Nm>Jürgen Größe</Nm></Pty></Dbtr></RltdPties>";
    let inside = document(&[Stmt { details, ..FIRST }]);
    let latin = format!("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>{inside}");
    let latin: Vec<u8> = latin.chars().map(|c| u8::try_from(u32::from(c)).expect("Latin")).collect();
    let wide = format!("\u{feff}<?xml version=\"1.0\" encoding=\"UTF-16\"?>{inside}");
    let wide: Vec<u8> = wide.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let marked = format!("\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?>{inside}").into_bytes();
    for bytes in [latin, wide, marked] {
        assert_eq!(crate::read(&bytes, &told()).expect("read")[0].lines[0].counterparty, "Jürgen Größe");
    }
}

fn line(details: &str) -> crate::Line {
    read(&document(&[Stmt { details, ..FIRST }])).remove(0).lines.remove(0)
}

#[test]
fn what_a_payment_is_for_is_found_wherever_it_stands() {
    let additional = line("<RmtInf><Strd><AddtlRmtInf>BANK-4711</AddtlRmtInf></Strd></RmtInf>");
    assert_eq!(additional.description, "BANK-4711");
    for inside in [
        "<RltdRmtInf><RmtId>BANK-4711</RmtId></RltdRmtInf>",
        "<Refs><ChqNb>BANK-4711</ChqNb></Refs>",
        "<Refs><AcctOwnrTxId>BANK-4711</AcctOwnrTxId></Refs>",
    ] {
        assert_eq!(line(inside).description, "BANK-4711", "{inside}");
    }
    let returned = line("<RtrInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>Account closed</AddtlInf></RtrInf>");
    assert_eq!(returned.description, "AC04 Account closed");
    let tagged = line("<RmtInf><Ustrd>EREF+BANK-4711MREF+M 1SVWZ+rent</Ustrd></RmtInf>");
    assert_eq!(
        (tagged.references.as_slice(), tagged.description.as_str()),
        (&["BANK-4711".to_owned()][..], "EREF+BANK-4711 MREF+M 1 SVWZ+rent")
    );
    assert!(line("<RmtInf><Ustrd>EREF+NOTPROVIDED SVWZ+x</Ustrd></RmtInf>").references.is_empty());
    let last = line("<RmtInf><Ustrd>SVWZ+BANK-4711PURP+RINPIBAN+DE02BIC+X</Ustrd></RmtInf>");
    assert_eq!(last.description, "SVWZ+BANK-4711 PURP+RINP IBAN+DE02 BIC+X");
}

#[test]
fn whom_a_payment_was_made_for_is_a_name_where_there_is_no_other() {
    let named = |inside: &str| line(&format!("<RltdPties>{inside}</RltdPties>")).counterparty;
    let ultimate = "<UltmtDbtr><Nm>Mia Chen</Nm></UltmtDbtr>";
    assert_eq!(named(ultimate), "Mia Chen");
    assert_eq!(named(&ultimate.replace("<Nm>", "<Pty><Nm>").replace("</Nm>", "</Nm></Pty>")), "Mia Chen");
    for bank in ["<Dbtr><Nm>A Bank</Nm></Dbtr>", "<Dbtr><Agt><FinInstnId><Nm>A Bank</Nm></FinInstnId></Agt></Dbtr>"] {
        assert_eq!(named(&format!("{ultimate}{bank}")), "A Bank");
    }
}

#[test]
fn what_another_account_lacks_or_has_too_much_of_does_not_matter_to_ours() {
    let of = |text: &str, account: &str| {
        crate::read(text.as_bytes(), &Told { account: Some(account.into()), ..told() })
            .map_err(|mistakes| mistakes.listed()[0].problem.clone())
    };
    // A card without an opening balance, and with a closing one that is no amount.
    let card = Stmt { account: "CARD7", begin: ("OPAV", "1.00"), end: ("CLBD", "x"), ..FIRST };
    for statements in [[card, FIRST], [FIRST, card]] {
        let text = document(&statements);
        let found = of(&text, FIRST.account).expect("read");
        assert_eq!(balances(&found), [("100.00".to_owned(), "150.00".to_owned())]);
        assert_eq!(of(&text, "card 7"), Err(Problem::NotAnAmount));
        assert_eq!(of(&text, "third"), Err(Problem::NoStatement { account: "THIRD".into() }));
        assert_eq!(refused(&text), Problem::NotAnAmount, "nobody said which");
    }
    let (head, tail) = document(&[FIRST]).split_once("<Stmt>").map(|(a, b)| (a.to_owned(), b.to_owned())).expect("one");
    let entry =
        "<Ntry><Amt Ccy=\"USD\">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-03-02</Dt></BookgDt></Ntry>";
    let busy = format!(
        "{head}<Stmt><Acct><Id><Othr><Id>BUSY</Id></Othr></Id></Acct>{}</Stmt><Stmt>{tail}",
        entry.repeat(crate::MOST_LINES + 1)
    );
    assert_eq!(of(&busy, FIRST.account).expect("read")[0].lines.len(), 1);
    assert_eq!(of(&busy, "BUSY"), Err(Problem::TooManyLines { most: crate::MOST_LINES }));
}

#[test]
fn an_account_in_another_currency_is_told_for_that_whatever_it_has() {
    let ours = document(&[FIRST]);
    let text = ours.replace("<Ccy>USD</Ccy>", "<Ccy>EUR</Ccy>");
    let other = Problem::OtherCurrency { found: "EUR".into(), expected: "USD".into() };
    assert_eq!(refused(&text), other, "its amounts are said to be in ours");
    // A blank makes no other currency.
    assert_eq!(read(&ours.replace("Ccy=\"USD\"", "Ccy=\" usd \"")).len(), 1);
}

#[test]
fn balances_that_do_not_count_are_not_judged() {
    let with = |code: &str, amount: &str, currency: &str| {
        let balance = format!(
            "<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp><Amt Ccy=\"{currency}\">{amount}</Amt>\
             <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-03-02</Dt></Dt></Bal><Ntry>"
        );
        document(&[FIRST]).replacen("<Ntry>", &balance, 1)
    };
    for (code, amount, currency) in [("CLAV", "150.00", "EUR"), ("FWAV", "-5.00", "USD"), ("INFO", "", "USD")] {
        assert_eq!(
            balances(&read(&with(code, amount, currency))),
            [("100.00".to_owned(), "150.00".to_owned())],
            "{code}"
        );
    }
    assert!(matches!(refused(&with("CLBD", "150.00", "EUR")), Problem::OtherCurrency { .. }));
    let in_own_words = document(&[FIRST]).replace("<Cd>OPBD</Cd>", "<Prtry>OPBD</Prtry>");
    assert_eq!(read(&in_own_words), read(&document(&[FIRST])));
    assert_eq!(refused(&with("PRCD", "-5.00", "USD")), Problem::Negative);
}

#[test]
fn an_element_that_says_nothing_is_as_if_it_were_not_there() {
    let plain = document(&[FIRST]);
    let empty = document(&[Stmt { details: "<Amt Ccy=\"USD\"/><CdtDbtInd></CdtDbtInd>", ..FIRST }])
        .replace("<Id>S</Id>", "<Id>S</Id><FrToDt><FrDtTm/><ToDtTm> </ToDtTm></FrToDt>")
        .replace("</IBAN>", "</IBAN><Othr><Id/></Othr>")
        .replace("<BookgDt><Dt>2026-03-02</Dt>", "<ValDt><Dt>2026-03-02</Dt></ValDt><BookgDt><Dt></Dt>");
    assert_eq!(read(&empty), read(&plain));
    assert_eq!(refused(&plain.replace(">50.00<", "> <")), Problem::Missing);
}

#[test]
fn amounts_of_parts_in_another_form_make_no_parts() {
    let two = "<Amt Ccy=\"USD\">20.00123</Amt></TxDtls><TxDtls><Amt Ccy=\"USD\">29.99877</Amt>";
    for details in [two, "<Amt Ccy=\"USD\">-50.00</Amt>"] {
        let lines = read(&document(&[Stmt { details, ..FIRST }])).remove(0).lines;
        assert_eq!(lines.iter().map(|line| line.amount.minor()).collect::<Vec<_>>(), [5_000], "{details}");
    }
}
