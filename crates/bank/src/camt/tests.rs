use super::*;
use crate::{MOST_LINES, Problem};

const NAMESPACE: &str = "urn:iso:std:iso:20022:tech:xsd:camt.053.001.";

fn balance(code: &str, amount: &str) -> String {
    let (sign, amount) = amount.strip_prefix('-').map_or(("CRDT", amount), |amount| ("DBIT", amount));
    format!(
        "<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp><Amt Ccy=\"EUR\">{amount}</Amt>\
         <CdtDbtInd>{sign}</CdtDbtInd><Dt><Dt>2026-03-02</Dt></Dt></Bal>\n"
    )
}

fn entry(amount: &str, inside: &str) -> String {
    let (sign, amount) = amount.strip_prefix('-').map_or(("CRDT", amount), |amount| ("DBIT", amount));
    format!(
        "<Ntry><Amt Ccy=\"EUR\">{amount}</Amt><CdtDbtInd>{sign}</CdtDbtInd><Sts>BOOK</Sts>\
         <BookgDt><Dt>2026-03-02</Dt></BookgDt>{inside}</Ntry>\n"
    )
}

fn file(closing: &str, entries: &str) -> String {
    let (opening, closing) = (balance("OPBD", "100.00"), balance("CLBD", closing));
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Document xmlns=\"{NAMESPACE}02\"><BkToCstmrStmt><GrpHdr/>\n\
         <Stmt><Id>S-1</Id><Acct><Id><IBAN>DE02120300000000202051</IBAN></Id></Acct>\n{opening}{closing}{entries}\
         </Stmt></BkToCstmrStmt></Document>\n"
    )
}

fn read(text: &str) -> Statement {
    camt_053(text.as_bytes(), "EUR", None).unwrap_or_else(|mistakes| panic!("{mistakes}\n{text}"))
}

fn refused(text: &str) -> Vec<(u64, String, Problem)> {
    let mistakes = camt_053(text.as_bytes(), "EUR", None).expect_err("refused");
    mistakes.listed().iter().map(|m| (m.line, m.field.clone(), m.problem.clone())).collect()
}

#[test]
fn an_entry_becomes_a_line() {
    let inside = "<AcctSvcrRef>B&amp;1</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>BANK-4711</EndToEndId>\
         <TxId>NOTPROVIDED</TxId></Refs><RltdPties><Dbtr><Nm>Mia Chen</Nm></Dbtr><Cdtr><Nm>Us</Nm></Cdtr></RltdPties>\
         <RmtInf><Ustrd>For my</Ustrd><Ustrd><![CDATA[plan & more]]></Ustrd></RmtInf></TxDtls></NtryDtls>";
    let statement = read(&file("105.50", &entry("5.50", inside)));
    assert_eq!((statement.account.as_str(), statement.number.as_str()), ("DE02120300000000202051", "S-1"));
    let line = &statement.lines[0];
    assert_eq!((line.id.as_str(), line.amount.minor(), line.counterparty.as_str()), ("B&1", 550, "Mia Chen"));
    assert_eq!(
        (line.references.as_slice(), line.description.as_str()),
        (&["BANK-4711".to_owned()][..], "For my plan & more")
    );
    assert_eq!((statement.from, statement.to), (line.booked_on, line.booked_on));
}

#[test]
fn later_versions_and_prefixes_are_read_alike() {
    let inside = "<NtryDtls><TxDtls><Refs><EndToEndId>OUT-1</EndToEndId></Refs>\
         <RltdPties><Cdtr><Pty><Nm>Mia Chen</Nm></Pty></Cdtr></RltdPties></TxDtls></NtryDtls>";
    let old = file("94.50", &entry("-5.50", inside)).replace("<Sts>BOOK</Sts>", "<Sts><Cd>BOOK</Cd></Sts>");
    let prefixed = old.replace("</", "</n:").replace('<', "<n:").replace("<n:/n:", "</n:").replace("<n:?", "<?");
    for text in [old.replace("053.001.02", "053.001.08"), prefixed.replace("xmlns=", "xmlns:n=")] {
        let line = read(&text).lines.remove(0);
        assert_eq!(
            (line.amount.minor(), line.counterparty.as_str(), line.references[0].as_str()),
            (-550, "Mia Chen", "OUT-1")
        );
    }
}

#[test]
fn what_is_not_booked_or_moves_nothing_is_left_out() {
    let pending = entry("7.00", "").replace("BOOK", "PDNG");
    let statement = read(&file("105.00", &(entry("5.00", "") + &pending + &entry("0.00", ""))));
    assert_eq!((statement.lines.len(), statement.left_out), (1, 2));
}

#[test]
fn a_batch_with_amounts_is_several_lines() {
    let part = |amount: &str, reference: &str| {
        format!(
            "<TxDtls><Refs><EndToEndId>{reference}</EndToEndId></Refs>\
             <AmtDtls><TxAmt><Amt Ccy=\"EUR\">{amount}</Amt></TxAmt></AmtDtls></TxDtls>"
        )
    };
    let batch = |parts: &str| format!("<AcctSvcrRef>B1</AcctSvcrRef><NtryDtls>{parts}</NtryDtls>");
    let both = part("2.00", "A") + &part("3.00", "B");
    let lines = read(&file("105.00", &entry("5.00", &batch(&both)))).lines;
    let told: Vec<_> = lines.iter().map(|l| (l.id.as_str(), l.amount.minor(), l.references.concat())).collect();
    assert_eq!(told, [("B1", 200, "A".into()), ("B1#2", 300, "B".into())]);
    // Parts that don't make the whole stay one line, for a person to look at.
    let lines = read(&file("106.00", &entry("6.00", &batch(&both)))).lines;
    assert_eq!((lines.len(), lines[0].amount.minor(), lines[0].references.join(" ").as_str()), (1, 600, "A B"));
}

#[test]
fn a_reversal_moves_as_its_sign_says() {
    let text = file("95.00", &entry("-5.00", "<RvslInd>true</RvslInd>"));
    let line = read(&text).lines.remove(0);
    assert_eq!((line.amount.minor(), line.reversal), (-500, true));
}

#[test]
fn the_lines_lead_from_one_balance_to_the_other() {
    let found = refused(&file("105.01", &entry("5.00", "")));
    assert_eq!((found[0].0, found[0].1.as_str()), (5, "Bal CLBD"), "{found:?}");
    assert!(matches!(&found[0].2, Problem::Unbalanced { sum, .. } if sum.minor() == 10_500));
    let overdrawn = file("-20.00", &entry("-120.00", ""));
    assert_eq!(read(&overdrawn).closing.map(base::Money::minor), Some(-2_000));
    let before = file("105.00", &entry("5.00", "")).replace("OPBD", "PRCD");
    assert_eq!(read(&before).opening.map(base::Money::minor), Some(10_000));
}

#[test]
fn all_mistakes_are_told_at_once() {
    let wrong = entry("5.00", "").replace("CRDT", "UP")
        + &entry("NaN", "")
        + &entry("1.00", "").replace("EUR", "USD")
        + &entry("1.00", "").replace("2026-03-02", "02.03.2026")
        + "<Ntry><Sts>BOOK</Sts></Ntry>\n"
        + &entry("1234567890123456789", "");
    let found = refused(&file("105.00", &wrong));
    let told: Vec<_> = found.iter().map(|(line, field, _)| (*line, field.as_str())).collect();
    assert_eq!(
        told,
        [
            (6, "Ntry/CdtDbtInd"),
            (7, "Ntry/Amt"),
            (8, "Ntry/Amt"),
            (9, "BookgDt"),
            (10, "Ntry/Amt"),
            (10, "Ntry/CdtDbtInd"),
            (10, "Ntry/BookgDt"),
            (11, "Ntry/Amt"),
        ]
    );
    assert_eq!(found[7].2, Problem::TooLarge);
}

#[test]
fn balances_and_account_are_needed() {
    let text =
        file("105.00", &entry("5.00", "")).replace("CLBD", "ITBD").replace("<IBAN>DE02120300000000202051</IBAN>", "");
    let told: Vec<_> = refused(&text).into_iter().map(|(_, field, _)| field).collect();
    assert_eq!(told, ["Acct/Id", "Bal CLBD"]);
    assert_eq!(refused("<Document/>")[0].1, "Stmt");
}

#[test]
fn one_of_several_accounts_is_chosen_by_its_number() {
    let one = file("105.00", &entry("5.00", ""));
    let begin = one.find("<Stmt>").expect("a statement");
    let end = one.find("</Stmt>").expect("its end") + "</Stmt>".len();
    let second = one[begin..end].replace("DE02120300000000202051", "OTHER 7").replace("5.00", "6.00");
    let both = format!("{}{second}{}", &one[..end], &one[end..]);
    assert!(matches!(refused(&both)[0].2, Problem::ManyStatements { .. }));
    let chosen = camt_053(both.as_bytes(), "EUR", Some("other7")).expect("a statement");
    assert_eq!(chosen.lines[0].amount.minor(), 600);
    assert!(camt_053(both.as_bytes(), "EUR", Some("third")).is_err());
}

#[test]
fn nothing_grows_while_it_is_read() {
    let laughs: String =
        (1..10).map(|n| format!("<!ENTITY l{n} \"{}\">", format!("&l{};", n - 1).repeat(10))).collect();
    let bomb = format!("<!DOCTYPE d [<!ENTITY l0 \"ha\">{laughs}]>\n<Document><Id>&l9;</Id></Document>");
    assert!(matches!(refused(&bomb)[0].2, Problem::Entities), "{bomb}");
    let outside = "<!DOCTYPE d SYSTEM \"file:///etc/passwd\"><Document/>";
    assert!(matches!(refused(outside)[0].2, Problem::Entities));
    let entity = file("100.00", "").replace("S-1", "&xxe;");
    assert!(matches!(refused(&entity)[0].2, Problem::Entities));
    let deep = "<a>".repeat(1_000_000);
    assert!(matches!(refused(&deep)[0].2, Problem::TooDeep));
}

#[test]
fn what_is_no_xml_is_told() {
    for text in
        ["", "date,amount", "<Document>", "<Document></Other>", "<Document><Stmt", "<a b=\"\u{0}", "&", "<a/><b/>"]
    {
        assert!(!refused(text).is_empty(), "{text}");
    }
    let latin = b"<Document><Id>M\xfcller</Id></Document>";
    assert_eq!(camt_053(latin, "EUR", None).expect_err("refused").listed()[0].problem, Problem::NotUtf8);
}

/// A download that broke off: wherever that was, nothing of it is read. What
/// stands in whole elements before the cut adds up, balances and all.
#[test]
fn a_file_that_was_cut_off_is_refused_wherever_it_was() {
    let whole = file("105.50", &entry("5.50", "<AcctSvcrRef>B1</AcctSvcrRef>"));
    let whole = whole.trim_end();
    assert_eq!(read(whole).lines.len(), 1);
    for end in 0..whole.len() {
        let found = refused(&whole[..end]);
        assert!(!found.is_empty(), "{}", &whole[..end]);
    }
    for end in ["</Stmt>", "</BkToCstmrStmt>"] {
        let cut = whole.find(end).expect("an end") + end.len();
        let found = refused(&whole[..cut]);
        let [(7, field, Problem::Malformed(why))] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((field.as_str(), why.as_str()), ("the file", "it ends within an element"));
    }
}

#[test]
fn too_many_lines_and_too_many_bytes_are_refused() {
    let many = file("100.00", &entry("1.00", "").repeat(MOST_LINES + 10));
    let found = refused(&many);
    assert_eq!((found.len(), &found[0].2), (1, &Problem::TooManyLines { most: MOST_LINES }));
    let large = vec![b' '; MOST_BYTES + 1];
    let mistakes = camt_053(&large, "EUR", None).expect_err("refused");
    assert_eq!(mistakes.listed()[0].problem, Problem::TooManyBytes { most: MOST_BYTES });
}
