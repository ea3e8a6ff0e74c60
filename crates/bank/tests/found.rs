//! From what a bank writes to the payment that it is of: files with one entry each, and what is found.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

use bank::{DecimalMark, Document, Finding, Line, LineFacts, Told, match_up, read};
use base::Money;

/// A statement of one day with this entry, from 100.00 on.
fn lines(amount: &str, details: &str) -> Vec<Line> {
    let moved: Money = amount.parse().expect("an amount");
    let balance = |code: &str, minor: i64| {
        let shown = Money::from_minor(minor);
        format!(
            "<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp><Amt Ccy=\"USD\">{shown}</Amt>\
             <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-03-02</Dt></Dt></Bal>"
        )
    };
    let file = format!(
        "<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.08\"><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Id>\
         <IBAN>DE02120300000000202051</IBAN></Id></Acct>{}{}<Ntry><Amt Ccy=\"USD\">{amount}</Amt><CdtDbtInd>CRDT\
         </CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt><NtryDtls>{details}</NtryDtls></Ntry>\
         </Stmt></BkToCstmrStmt></Document>",
        balance("OPBD", 10_000),
        balance("CLBD", 10_000 + moved.minor())
    );
    let told = Told {
        account: None,
        currency: "USD".into(),
        currency_of_file: None,
        decimal: DecimalMark::Point,
        order: None,
        opening: None,
        closing: None,
        encoding: None,
        latest: None,
    };
    read(file.as_bytes(), &told).unwrap_or_else(|mistakes| panic!("{mistakes}")).remove(0).lines
}

/// What is found for each line: of orders of 50.00, 70.00 and 80.00.
fn found(lines: &[Line]) -> Vec<Finding<&'static str>> {
    let day = lines[0].booked_on;
    let order = |key: &'static str, minor: i64, reference: &str| Document {
        key,
        amount: Money::from_minor(minor),
        reference: reference.into(),
        counterparty: String::new(),
        day,
    };
    let orders = [
        order("fifty", 5_000, "SHOP-4711"),
        order("seventy", 7_000, "PAY/2026/77"),
        order("eighty", 8_000, "RF18539007547034"),
    ];
    let texts: Vec<Vec<String>> =
        lines.iter().map(|line| line.references.iter().chain([&line.description]).cloned().collect()).collect();
    let seen: Vec<LineFacts<'_>> = lines
        .iter()
        .zip(&texts)
        .map(|(line, texts)| LineFacts {
            id: &line.id,
            booked_on: line.booked_on,
            amount: line.amount,
            texts,
            counterparty: &line.counterparty,
        })
        .collect();
    match_up(&seen, &orders, day).lines
}

#[test]
fn a_reference_is_found_wherever_and_however_the_bank_writes_it() {
    for (amount, details, order) in [
        ("50.00", "<Refs><EndToEndId>SHOP-4711</EndToEndId></Refs>", "fifty"),
        // Cut where a line of the bank's form ends.
        ("50.00", "<RmtInf><Ustrd>payment for my account at SHOP-47</Ustrd><Ustrd>11 thanks</Ustrd></RmtInf>", "fifty"),
        ("50.00", "<RmtInf><Strd><AddtlRmtInf>SHOP-4711</AddtlRmtInf></Strd></RmtInf>", "fifty"),
        ("80.00", "<RmtInf><Ustrd>RF18 5390 0754 7034</Ustrd></RmtInf>", "eighty"),
        ("80.00", "<RmtInf><Strd><CdtrRefInf><Ref>RF18539007547034</Ref></CdtrRefInf></Strd></RmtInf>", "eighty"),
    ] {
        let lines = lines(amount, &format!("<TxDtls>{details}</TxDtls>"));
        assert_eq!(found(&lines), [Finding::Match(order)], "{details}");
    }
}

/// A payment with its own amount and reference.
fn paid(amount: &str, reference: &str) -> String {
    format!(
        "<TxDtls><Refs><EndToEndId>{reference}</EndToEndId></Refs><Amt Ccy=\"USD\">{amount}</Amt>\
         <CdtDbtInd>CRDT</CdtDbtInd></TxDtls>"
    )
}

#[test]
fn payments_booked_together_are_found_one_by_one_and_with_a_fee_by_name() {
    let both = paid("50.00", "SHOP-4711") + &paid("70.00", "PAY/2026/77");
    let whole = lines("120.00", &both);
    assert_eq!(whole.iter().map(|line| line.amount.minor()).collect::<Vec<_>>(), [5_000, 7_000]);
    assert_eq!(found(&whole), [Finding::Match("fifty"), Finding::Match("seventy")]);
    let less = lines("117.00", &both);
    assert_eq!(less.iter().map(|line| line.amount.minor()).collect::<Vec<_>>(), [11_700]);
    assert_eq!(found(&less), [Finding::Difference(vec!["fifty", "seventy"])]);
    let fee = "<Chrgs><Rcrd><Amt Ccy=\"USD\">2.50</Amt></Rcrd></Chrgs></TxDtls>";
    let one = lines("47.50", &paid("50.00", "SHOP-4711").replace("</TxDtls>", fee));
    assert_eq!((one.len(), one[0].amount.minor()), (1, 4_750));
    assert_eq!(found(&one), [Finding::Difference(vec!["fifty"])]);
}
