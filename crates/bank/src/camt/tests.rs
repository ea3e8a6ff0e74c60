use super::*;
use crate::{Line, MOST_LINES, Problem};

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
    let mut read = camt_053(text, "EUR", None).unwrap_or_else(|mistakes| panic!("{mistakes}\n{text}"));
    assert_eq!(read.len(), 1, "{text}");
    read.remove(0)
}

fn refused(text: &str) -> Vec<(u64, String, Problem)> {
    let mistakes = camt_053(text, "EUR", None).expect_err("refused");
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
    let later = entry("7.00", "").replace("<Sts>BOOK</Sts>", "<Sts>\n<Cd>PDNG</Cd>\n</Sts>");
    let statement = read(&file("105.00", &(entry("5.00", "") + &pending + &later + &entry("0.00", ""))));
    assert_eq!((statement.lines.len(), statement.left_out), (1, 3));
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
    // What the entry says is said of each of its parts.
    let said = "<NtryRef>R-77</NtryRef><AddtlNtryInf>Batch of May</AddtlNtryInf>";
    for line in read(&file("105.00", &entry("5.00", &(said.to_owned() + &batch(&both))))).lines {
        assert!(line.references.contains(&"R-77".to_owned()), "{line:?}");
        assert_eq!(line.description, "Batch of May");
    }
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
fn a_reversal_names_whoever_the_payment_that_it_undoes_names() {
    let parties = "<NtryDtls><TxDtls><RltdPties><Dbtr><Nm>Mia Chen</Nm></Dbtr><Cdtr><Nm>Us</Nm></Cdtr></RltdPties>\
         </TxDtls></NtryDtls>";
    for (closing, amount, reversal, name) in [
        ("105.00", "5.00", "false", "Mia Chen"),
        ("95.00", "-5.00", "true", "Mia Chen"),
        ("95.00", "-5.00", "0", "Us"),
        ("105.00", "5.00", "1", "Us"),
    ] {
        let inside = format!("<RvslInd>{reversal}</RvslInd>{parties}");
        assert_eq!(read(&file(closing, &entry(amount, &inside))).lines[0].counterparty, name, "{amount} {reversal}");
    }
}

#[test]
fn an_amount_without_a_currency_is_told_for_that() {
    let text = file("105.00", &entry("5.00", "")).replace("<Ntry><Amt Ccy=\"EUR\">", "<Ntry><Amt>");
    assert_eq!(refused(&text), [(6, "Ntry/Amt Ccy".into(), Problem::Missing)]);
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
    let told: Vec<_> = refused(&text).into_iter().map(|(line, field, _)| (line, field)).collect();
    // Where the statement begins.
    assert_eq!(told, [(3, "Acct/Id".into()), (3, "Bal CLBD".into())]);
    assert_eq!(refused("<Document><BkToCstmrStmt/></Document>")[0].1, "Stmt");
}

#[test]
fn one_of_several_accounts_is_chosen_by_its_number() {
    let one = file("105.00", &entry("5.00", ""));
    let begin = one.find("<Stmt>").expect("a statement");
    let end = one.find("</Stmt>").expect("its end") + "</Stmt>".len();
    let second = one[begin..end].replace("DE02120300000000202051", "OTHER 7").replace("5.00", "6.00");
    let both = format!("{}{second}{}", &one[..end], &one[end..]);
    assert!(matches!(refused(&both)[0].2, Problem::ManyStatements { .. }));
    let chosen = camt_053(&both, "EUR", Some("other7")).expect("a statement");
    assert_eq!(chosen[0].lines[0].amount.minor(), 600);
    assert!(camt_053(&both, "EUR", Some("third")).is_err());
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
fn too_many_lines_are_refused() {
    let many = file("100.00", &entry("1.00", "").repeat(MOST_LINES + 10));
    let found = refused(&many);
    assert_eq!((found.len(), &found[0].2), (1, &Problem::TooManyLines { most: MOST_LINES }));
}

/// The one line of an entry of 5.00 with this inside.
fn one_line(inside: &str) -> Line {
    let mut lines = read(&file("105.00", &entry("5.00", inside))).lines;
    assert_eq!(lines.len(), 1, "{inside}");
    lines.remove(0)
}

#[test]
fn an_entrys_own_reference_counts_where_it_is_no_mere_number() {
    for (own, references) in [("123456", &[][..]), ("1234567", &["1234567"]), ("A1", &["A1"]), ("NotProvided", &[])] {
        assert_eq!(one_line(&format!("<NtryRef>{own}</NtryRef>")).references, references, "{own}");
    }
    let batch = "<Btch><MsgId>M</MsgId><PmtInfId>P</PmtInfId></Btch>";
    let twice = "<TxDtls><Refs><EndToEndId>E</EndToEndId><TxId>M</TxId></Refs></TxDtls>";
    assert_eq!(one_line(&format!("<NtryDtls>{batch}{twice}</NtryDtls>")).references, ["M", "P", "E"]);
    let many: String = (0..70).map(|n| format!("<MsgId>R-{n}</MsgId>")).collect();
    let kept = one_line(&format!("<NtryDtls><Btch>{many}</Btch></NtryDtls>")).references;
    assert_eq!((kept.len(), kept.last().map(String::as_str)), (64, Some("R-63")));
}

#[test]
fn an_entry_has_the_banks_own_reference_or_that_of_its_one_payment() {
    let payment = "<NtryDtls><TxDtls><Refs><AcctSvcrRef>T1</AcctSvcrRef></Refs></TxDtls></NtryDtls>";
    assert_eq!(one_line(&format!("<AcctSvcrRef>B1</AcctSvcrRef>{payment}")).id, "B1");
    assert_eq!(one_line(&format!("<AcctSvcrRef>nonref</AcctSvcrRef>{payment}")).id, "T1");
    assert_eq!(one_line("<AcctSvcrRef>NONREF</AcctSvcrRef>").id.len(), 32);
    // A code of the way in which it was paid, which many entries share.
    let entries: String = ["0101", "0101", "7564"]
        .iter()
        .map(|code| entry("5.00", &format!("<AcctSvcrRef>{code}</AcctSvcrRef>")))
        .collect();
    let ids: Vec<String> = read(&file("115.00", &entries)).lines.into_iter().map(|line| line.id).collect();
    assert_eq!(ids, ["0101", "0101#2", "7564"]);
    let longest = "x".repeat(56);
    assert_eq!(one_line(&format!("<AcctSvcrRef>{longest}</AcctSvcrRef>")).id, longest);
    let found = refused(&file("105.00", &entry("5.00", &format!("<AcctSvcrRef>{longest}x</AcctSvcrRef>"))));
    assert_eq!(found, [(6, "AcctSvcrRef".into(), Problem::TooLong { most: 56 })]);
}

#[test]
fn what_a_payment_is_for_comes_before_what_the_bank_adds() {
    let payment = "<TxDtls><RmtInf><Ustrd>For</Ustrd><Ustrd> </Ustrd></RmtInf><AddtlTxInf>you</AddtlTxInf></TxDtls>";
    let line = one_line(&format!("<AddtlNtryInf>SEPA</AddtlNtryInf><NtryDtls>{payment}</NtryDtls>"));
    assert_eq!(line.description, "For you SEPA");
    let many = "<Ustrd>x</Ustrd>".repeat(70);
    let added = "<AddtlNtryInf>x</AddtlNtryInf>".repeat(70);
    for inside in [format!("<NtryDtls><TxDtls><RmtInf>{many}</RmtInf></TxDtls></NtryDtls>"), added] {
        assert_eq!(one_line(&inside).description.split(' ').count(), 64, "{inside}");
    }
}

#[test]
fn who_paid_is_told_by_the_first_payment_that_names_them() {
    let named = |debtor: &str| format!("<TxDtls><RltdPties><Dbtr><Nm>{debtor}</Nm></Dbtr></RltdPties></TxDtls>");
    let parts = named("") + &named("Mia") + &named("Ben");
    assert_eq!(one_line(&format!("<NtryDtls>{parts}</NtryDtls>")).counterparty, "Mia");
}

#[test]
fn the_parts_of_a_batch_have_amounts_and_signs_of_their_own() {
    let part = |inside: &str| format!("<TxDtls>{inside}</TxDtls>");
    let amount = |amount: &str| format!("<Amt Ccy=\"EUR\">{amount}</Amt>");
    let amounts = |parts: &[String]| {
        let inside = format!("<NtryDtls>{}</NtryDtls>", parts.concat());
        let lines = read(&file("105.00", &entry("5.00", &inside))).lines;
        lines.iter().map(|line| line.amount.minor()).collect::<Vec<_>>()
    };
    let back = part(&(amount("2.00") + "<CdtDbtInd>DBIT</CdtDbtInd>"));
    assert_eq!(amounts(&[part(&amount("7.00")), back]), [700, -200]);
    let [one, two] = ["1.00", "2.00"].map(|each| part(&amount(each)));
    assert_eq!(amounts(&[two.clone(), one, two]), [200, 100, 200]);
    assert_eq!(amounts(&[part(&amount("5.00")), part(&amount("0.00"))]), [500], "what moves nothing is no line");
    assert_eq!(amounts(&[part(&amount("5.00")), part("")]), [500], "not all are told");
    assert_eq!(amounts(&[part(&amount("7.50"))]), [500], "the bank kept its fee: what was booked counts");
    // The amount of the booking comes before that of the order, wherever it stands.
    let order = |amount: &str| format!("<AmtDtls><TxAmt><Amt Ccy=\"EUR\">{amount}</Amt></TxAmt></AmtDtls>");
    let (before, after) = (part(&(order("9.00") + &amount("3.00"))), part(&(amount("2.00") + &order("9.00"))));
    assert_eq!(amounts(&[before, after]), [300, 200]);
    // The first versions tell only what was ordered. Where that is not what was booked, nothing is taken apart.
    let ordered = |kind: &str, amount: &str| part(&order(amount).replace("TxAmt", kind));
    assert_eq!(amounts(&[ordered("InstdAmt", "3.00"), ordered("CntrValAmt", "2.00")]), [300, 200]);
    assert_eq!(amounts(&[ordered("InstdAmt", "3.00"), ordered("InstdAmt", "2.50")]), [500]);
    let foreign = part(&amount("3.00").replace("EUR", "USD"));
    assert_eq!(amounts(&[foreign, part(&amount("2.00"))]), [500]);
}

#[test]
fn what_follows_an_element_within_another_is_told_by_its_line() {
    let amount = "<Amt Ccy=\"EUR\">5.00</Amt>";
    let text = file("105.00", &entry("5.00", ""));
    let text = text.replace(amount, "<Amt Ccy=\"EUR\">\n<Of/>5.00</Amt>");
    let line = 1 + text.split("<Of/>").next().unwrap_or_default().matches('\n').count() as u64;
    let lines: Vec<u64> = refused(&text).iter().map(|(line, ..)| *line).collect();
    assert_eq!(lines, [line], "{text}");
}

#[test]
fn an_amount_has_no_sign() {
    for (text, read) in [("5.00", Ok(500)), (" 5 ", Ok(500)), ("-5.00", Err(())), ("-0.00", Err(()))] {
        assert_eq!(crate::DecimalMark::read_unsigned(text).map(base::Money::minor).map_err(|_| ()), read, "{text}");
    }
}

#[test]
fn a_day_is_that_of_the_booking_or_of_the_value() {
    let moments = ["2026-03-02T23:30:00+01:00", "2026-03-02Z", "2026-03-02-05:00", " 2026-03-02 "];
    for text in moments {
        let text =
            file("105.00", &entry("5.00", "")).replace("<BookgDt><Dt>2026-03-02", &format!("<BookgDt><Dt>{text}"));
        assert_eq!(read(&text).lines[0].booked_on.to_string(), "2026-03-02");
    }
    for text in ["2026-03-0212", "2026-03-02x", "2026-03-2", "2026-03-0２"] {
        let odd =
            file("105.00", &entry("5.00", "")).replace("<BookgDt><Dt>2026-03-02", &format!("<BookgDt><Dt>{text}"));
        assert_eq!(refused(&odd)[0], (6, "BookgDt".into(), Problem::NotADay), "{text}");
    }
    let valued = "<ValDt><Dt>2026-03-05</Dt></ValDt>";
    assert_eq!(one_line(valued).booked_on.to_string(), "2026-03-02");
    let alone = file("105.00", &entry("5.00", valued)).replace("<BookgDt><Dt>2026-03-02</Dt></BookgDt>", "");
    let read = read(&alone);
    assert_eq!((read.from.to_string().as_str(), read.to.to_string().as_str()), ("2026-03-02", "2026-03-05"));
    let told = "<FrToDt><FrDtTm>2026-03-01T00:00:00</FrDtTm><ToDtTm>2026-03-31T23:59:59</ToDtTm></FrToDt><Acct>";
    let told = self::read(&file("105.00", &entry("5.00", "")).replace("<Acct>", told));
    assert_eq!((told.from.to_string().as_str(), told.to.to_string().as_str()), ("2026-03-02", "2026-03-02"));
}

#[test]
fn what_is_booked_back_into_an_earlier_day_does_not_widen_the_statement() {
    let back = entry("5.00", "").replace("2026-03-02", "2026-02-27");
    let days = |text: &str| {
        let read = read(text);
        (read.from.to_string(), read.to.to_string(), read.lines[0].booked_on.to_string())
    };
    let told = |from: &str| (from.to_owned(), "2026-03-02".to_owned(), "2026-02-27".to_owned());
    let text = file("105.00", &back);
    assert_eq!(days(&text), told("2026-03-02"));
    // The closing balance of the day before is one as well.
    assert_eq!(
        days(&text.replace(&balance("OPBD", "100.00"), &balance("PRCD", "100.00").replace("03-02", "03-01"))),
        told("2026-03-01")
    );
    // Where balances have no date, or the bank says that the period began earlier, the lines do.
    let period =
        |from: &str| text.replace("<Acct>", &format!("<FrToDt><FrDtTm>{from}T00:00:00</FrDtTm></FrToDt><Acct>"));
    assert_eq!((days(&period("2026-02-27")), days(&period("2026-02-28"))), (told("2026-02-27"), told("2026-03-02")));
    assert_eq!(
        days(
            &text
                .replace("<Dt><Dt>2026-03-02</Dt></Dt></Bal>", "</Bal>")
                .replace("<Stmt>", "<Stmt><FrToDt><ToDtTm>2026-03-02T23:00:00</ToDtTm></FrToDt>")
        ),
        told("2026-02-27")
    );
}

#[test]
fn an_opening_balance_is_better_than_the_closing_one_before() {
    let (opening, previous) = (balance("OPBD", "100.00"), balance("PRCD", "7.00"));
    for both in [opening.clone() + &previous, previous + &opening] {
        let text = file("105.00", &entry("5.00", "")).replace(&opening, &both);
        assert_eq!(read(&text).opening.map(base::Money::minor), Some(10_000));
    }
}

#[test]
fn a_balance_is_missing_once_and_not_where_it_could_not_be_read() {
    let sound = file("105.00", &entry("5.00", ""));
    let closing = balance("CLBD", "105.00");
    let told = |changed: String| refused(&sound.replace(&closing, &changed));
    let without = closing.replace("<CdtDbtInd>CRDT</CdtDbtInd>", "");
    assert_eq!(told(without.clone())[0], (5, "Bal/CdtDbtInd".into(), Problem::Missing));
    let odd = told(closing.replace("CRDT", "UP"));
    let fields: Vec<_> = odd.iter().map(|(_, field, _)| field.as_str()).collect();
    assert_eq!(fields, ["Bal/CdtDbtInd", "Bal CLBD"]);
    let both = sound.replace(&closing, &without).replacen("CRDT", "UP", 1);
    let told_of_both: Vec<_> = refused(&both).into_iter().map(|(line, field, _)| (line, field)).collect();
    assert_eq!(told_of_both[..2], [(4, "Bal/CdtDbtInd".into()), (5, "Bal/CdtDbtInd".into())]);
    let negative = told(closing.replace(">105.00<", ">-105.00<"));
    assert_eq!(negative[0], (5, "Bal/Amt".into(), Problem::Negative));
}

#[test]
fn elements_stand_only_so_deep_and_texts_are_only_so_long() {
    let nested = |levels: usize| format!("{}{}", "<a>".repeat(levels), "</a>".repeat(levels));
    let within = |levels| refused(&nested(levels))[0].2.clone();
    let nothing = |found: &str| Problem::OtherElements { found: found.into() };
    assert_eq!((within(32), within(33)), (nothing("a/a"), Problem::TooDeep));
    let named = |length: usize| refused(&format!("<{}/>", "a".repeat(length)))[0].2.clone();
    assert_eq!((named(64), named(65)), (nothing(&"a".repeat(64)), Problem::TooDeep));
    let text = |length: usize| format!("<AddtlNtryInf>{}</AddtlNtryInf>", "x".repeat(length));
    assert_eq!(one_line(&text(4_000)).description.len(), 4_000);
    assert_eq!(
        refused(&file("105.00", &entry("5.00", &text(4_001)))),
        [(6, "RmtInf".into(), Problem::TooLong { most: 4_000 })]
    );
}

#[test]
fn a_statement_of_another_name_is_none() {
    let text = file("105.00", &entry("5.00", ""))
        .replace("Stmt>", "StmtOther>")
        .replace("BkToCstmrStmtOther", "BkToCstmrStmt");
    assert_eq!(refused(&text)[0].1, "Stmt");
}
