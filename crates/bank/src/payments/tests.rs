//! Every file has the order, the forms and the lengths of pain.001.001.09, and says its payments.

use proptest::prelude::*;
use quick_xml::Reader;
use quick_xml::events::Event;

use super::*;

/// Name, whether it must be there, and whether there may be several.
type Allowed = &'static [(&'static str, bool, bool)];

/// What the schema (`pain.001.001.09.xsd`, ISO 20022) allows below each element of those that are written, in its
/// order.
const ORDER: [(&str, Allowed); 19] = [
    ("Document", &[("CstmrCdtTrfInitn", true, false)]),
    ("CstmrCdtTrfInitn", &[("GrpHdr", true, false), ("PmtInf", true, true)]),
    (
        "GrpHdr",
        &[
            ("MsgId", true, false),
            ("CreDtTm", true, false),
            ("NbOfTxs", true, false),
            ("CtrlSum", false, false),
            ("InitgPty", true, false),
        ],
    ),
    (
        "PmtInf",
        &[
            ("PmtInfId", true, false),
            ("PmtMtd", true, false),
            ("BtchBookg", false, false),
            ("NbOfTxs", false, false),
            ("CtrlSum", false, false),
            ("ReqdExctnDt", true, false),
            ("Dbtr", true, false),
            ("DbtrAcct", true, false),
            ("DbtrAgt", true, false),
            ("CdtTrfTxInf", true, true),
        ],
    ),
    ("ReqdExctnDt", &[("Dt", true, false)]),
    ("InitgPty", &[("Nm", false, false)]),
    ("Dbtr", &[("Nm", false, false)]),
    ("Cdtr", &[("Nm", false, false)]),
    ("DbtrAcct", &[("Id", true, false)]),
    ("CdtrAcct", &[("Id", true, false)]),
    ("DbtrAgt", &[("FinInstnId", true, false)]),
    ("CdtrAgt", &[("FinInstnId", true, false)]),
    // Its `Id` below is a text; that of an account is a choice.
    ("FinInstnId", &[("BICFI", false, false), ("Nm", false, false), ("Othr", false, false)]),
    ("Othr", &[("Id", true, false)]),
    (
        "CdtTrfTxInf",
        &[
            ("PmtId", true, false),
            ("Amt", true, false),
            ("CdtrAgt", false, false),
            ("Cdtr", false, false),
            ("CdtrAcct", false, false),
            ("RmtInf", false, false),
        ],
    ),
    ("PmtId", &[("EndToEndId", true, false)]),
    ("Amt", &[("InstdAmt", true, false)]),
    ("RmtInf", &[("Ustrd", false, true)]),
    ("Id", &[("IBAN", false, false), ("Othr", false, false)]),
];

#[derive(Debug, Default)]
struct Node {
    name: String,
    currency: Option<String>,
    text: String,
    children: Vec<Node>,
}

impl Node {
    fn at(&self, path: &str) -> Option<&Self> {
        path.split('/').try_fold(self, |node, name| node.children.iter().find(|child| child.name == name))
    }

    fn said(&self, path: &str) -> &str {
        self.at(path).map(|node| node.text.as_str()).unwrap_or_default()
    }
}

fn read(bytes: &[u8]) -> Node {
    let (mut reader, mut open) = (Reader::from_reader(bytes), vec![Node::default()]);
    loop {
        match reader.read_event().expect("well-formed") {
            Event::Start(start) => {
                let name = String::from_utf8(start.name().as_ref().to_vec()).expect("text");
                let attribute = |wanted: &str| {
                    let found = start.try_get_attribute(wanted).expect("attributes")?;
                    Some(String::from_utf8(found.value.to_vec()).expect("text"))
                };
                if name == "Document" {
                    assert_eq!(attribute("xmlns").as_deref(), Some(NAMESPACE));
                }
                open.push(Node { currency: attribute("Ccy"), name, ..Node::default() });
            }
            Event::End(_) => {
                let node = open.pop().expect("open");
                open.last_mut().expect("a parent").children.push(node);
            }
            Event::Text(text) => {
                let text = text.decode().expect("text").into_owned();
                open.last_mut().expect("open").text.push_str(&text);
            }
            // SEPA's characters have one that is escaped.
            Event::GeneralRef(named) => {
                let known = named.decode().expect("text");
                assert!(known == "apos", "{known}");
                open.last_mut().expect("open").text.push('\'');
            }
            Event::Eof => return open.pop().expect("the document").children.remove(0),
            Event::Decl(_) => {}
            other => panic!("{other:?}"),
        }
    }
}

/// Whether everything below has the schema's order and forms.
fn fits(node: &Node) {
    if node.children.is_empty() {
        return leaf(node);
    }
    assert_eq!(node.text.trim(), "", "{}", node.name);
    let (_, allowed) = ORDER.iter().find(|(name, _)| *name == node.name).expect("a known element");
    let mut rest = node.children.iter().peekable();
    for (name, must, several) in *allowed {
        let mut found = 0;
        while rest.next_if(|child| child.name == *name).is_some() {
            found += 1;
        }
        assert!(found > 0 || !must, "{name} is missing in {}", node.name);
        assert!(found < 2 || *several, "{name} is {found} times in {}", node.name);
    }
    assert!(rest.next().is_none(), "{} has {:?} in the wrong place", node.name, node.children);
    if matches!(node.name.as_str(), "Id" | "ReqdExctnDt" | "Amt") {
        assert_eq!(node.children.len(), 1, "{} is a choice", node.name);
    }
    node.children.iter().for_each(fits);
}

fn leaf(node: &Node) {
    let (name, text) = (node.name.as_str(), node.text.as_str());
    let long = |most: usize| (1..=most).contains(&text.chars().count());
    let decimal = |digits: usize, fraction: usize| {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let all = [whole, part].iter().all(|half| half.bytes().all(|b| b.is_ascii_digit()));
        all && !whole.is_empty() && whole.len() + part.len() <= digits && part.len() <= fraction
    };
    let good = match name {
        // Max35Text, and SEPA's characters.
        "MsgId" | "PmtInfId" | "EndToEndId" => long(35) && !text.starts_with('/') && !text.contains("//"),
        // Max140Text, of which SEPA allows 70.
        "Nm" => long(70),
        "Ustrd" => long(140),
        "CreDtTm" => Timestamp::parse(text).is_some(),
        "Dt" => Day::parse(text).is_some(),
        // Max15NumericText.
        "NbOfTxs" => long(15) && text.bytes().all(|b| b.is_ascii_digit()),
        // DecimalNumber: 18 digits, 17 of them behind the point.
        "CtrlSum" => decimal(18, 17),
        "PmtMtd" => text == "TRF",
        "BtchBookg" => matches!(text, "true" | "false"),
        // ActiveOrHistoricCurrencyAndAmount_SimpleType: 18 digits, 5 of them behind the point.
        "InstdAmt" => {
            let currency = node.currency.as_deref().unwrap_or_default();
            decimal(18, 5) && currency.len() == 3 && currency.bytes().all(|b| b.is_ascii_uppercase())
        }
        // IBAN2007Identifier: [A-Z]{2,2}[0-9]{2,2}[a-zA-Z0-9]{1,30}.
        "IBAN" => text.len() >= 5 && PartyAccount::Iban(text.to_owned()).is_written(),
        // BICFIDec2014Identifier: [A-Z0-9]{4,4}[A-Z]{2,2}[A-Z0-9]{2,2}([A-Z0-9]{3,3}){0,1}.
        "BICFI" => is_bic(text),
        // Max34Text of an account, Max35Text of a bank.
        "Id" => long(34),
        _ => panic!("{name} is no element that is written"),
    };
    assert!(good, "{name}: {text:?}");
    assert!(name == "InstdAmt" || node.currency.is_none());
    assert!(text.bytes().all(|b| b.is_ascii() && !b.is_ascii_control()), "{name}: {text:?}");
}

fn party() -> impl Strategy<Value = Party> {
    let account = prop_oneof![
        "[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}".prop_map(PartyAccount::Iban),
        "[A-Z0-9]{6,34}".prop_map(PartyAccount::Other),
    ];
    let text = "[A-Za-z0-9/?:().,'+-]{1,20}( [A-Za-z0-9/?:().,'+-]{1,20}){0,2}";
    let bic = prop::option::of("[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?");
    (text, account, bic, prop::option::of(text)).prop_map(|(name, account, bic, bank)| Party {
        name,
        account,
        bic,
        bank,
    })
}

prop_compose! {
    fn order()(
        payer in party(),
        of in prop::collection::vec((1..=LARGEST.minor(), party()), 1..12),
        day in 0_i64..40_000,
        second in 0_i64..4_000_000_000,
    ) -> PaymentOrder {
        PaymentOrder {
            message: format!("PLC-F7-{second}"),
            made_at: Timestamp::from_seconds(second),
            execute_on: Day::of(Timestamp::from_millis(day * 86_400_000)),
            currency: "EUR".to_owned(),
            payer,
            payments: of.into_iter().enumerate().map(|(at, (minor, to))| Payment {
                end_to_end: format!("PLC-W{at}-F7"),
                amount: Money::from_minor(minor),
                to,
            }).collect(),
        }
    }
}

proptest! {
    #[test]
    fn every_file_fits_the_schema_and_says_what_is_paid(order in order()) {
        let document = read(&order.xml().expect("written"));
        fits(&document);
        let batch = document.at("CstmrCdtTrfInitn/PmtInf").expect("a batch");
        let header = document.at("CstmrCdtTrfInitn/GrpHdr").expect("a header");
        let said: Vec<&Node> = batch.children.iter().filter(|node| node.name == "CdtTrfTxInf").collect();
        prop_assert_eq!(said.len(), order.payments.len());
        let mut sum = 0;
        for (node, payment) in said.iter().zip(&order.payments) {
            let amount: Money = node.said("Amt/InstdAmt").parse().expect("an amount");
            sum += amount.minor();
            prop_assert_eq!(amount, payment.amount);
            prop_assert_eq!(node.said("PmtId/EndToEndId"), payment.end_to_end.as_str());
            prop_assert_eq!(node.said("Cdtr/Nm"), payment.to.name.as_str());
            let account = match &payment.to.account {
                PartyAccount::Iban(iban) => (node.said("CdtrAcct/Id/IBAN"), iban.as_str()),
                PartyAccount::Other(number) => (node.said("CdtrAcct/Id/Othr/Id"), number.as_str()),
            };
            prop_assert_eq!(account.0, account.1);
        }
        for part in [header, batch] {
            prop_assert_eq!(part.said("NbOfTxs"), order.payments.len().to_string());
            prop_assert_eq!(part.said("CtrlSum").parse::<Money>().expect("a sum").minor(), sum);
        }
    }
}

fn one() -> PaymentOrder {
    let party = |name: &str, iban: &str| Party {
        name: name.to_owned(),
        account: PartyAccount::Iban(iban.to_owned()),
        bic: None,
        bank: None,
    };
    PaymentOrder {
        message: "PLC-F7-20261126T124000".to_owned(),
        made_at: Timestamp::parse("2026-11-26T12:40:00Z").expect("a time"),
        execute_on: Day::parse("2026-11-27").expect("a day"),
        currency: "EUR".to_owned(),
        payer: party("Placard Ltd", "DE02120300000000202051"),
        payments: vec![Payment {
            end_to_end: "PLC-W12-F7".to_owned(),
            amount: Money::from_minor(40_50),
            to: party("Conor O'Neill", "DE89370400440532013000"),
        }],
    }
}

#[test]
fn a_file_is_written_like_this() {
    let xml = String::from_utf8(one().xml().expect("written")).expect("text");
    assert!(xml.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:pain.001.001.09\">\n"), "{xml}");
    for part in [
        "<CreDtTm>2026-11-26T12:40:00.000Z</CreDtTm>",
        "<CtrlSum>40.50</CtrlSum>",
        "<InstdAmt Ccy=\"EUR\">40.50</InstdAmt>",
        "<Id>NOTPROVIDED</Id>",
        "<Nm>Conor O&apos;Neill</Nm>",
        "<Dt>2026-11-27</Dt>",
    ] {
        assert!(xml.contains(part), "{part} in {xml}");
    }
}

#[test]
fn what_a_bank_would_refuse_is_not_written() {
    let with = |change: fn(&mut PaymentOrder)| {
        let mut order = one();
        change(&mut order);
        order.xml().expect_err("refused")
    };
    let first = |order: &mut PaymentOrder| order.payments.first().expect("one").clone();
    assert_eq!(with(|order| order.payments.clear()), UnwritableOrder::Empty);
    assert!(matches!(with(|order| order.message = "x".repeat(36)), UnwritableOrder::Id(_)));
    for id in ["", "/a", "a/", "a//b", "ü", "a\nb", " a"] {
        let mut order = one();
        order.payments[0].end_to_end = id.to_owned();
        assert!(matches!(order.xml(), Err(UnwritableOrder::Id(_))), "{id:?}");
    }
    for minor in [0, -1, LARGEST.minor() + 1, i64::MAX] {
        let mut order = one();
        order.payments[0].amount = Money::from_minor(minor);
        assert!(matches!(order.xml(), Err(UnwritableOrder::Amount(_))), "{minor}");
    }
    for name in ["", "陈", "a\u{301}", "a  b", &"x".repeat(71), "<x>"] {
        let mut order = one();
        order.payments[0].to.name = name.to_owned();
        assert!(matches!(order.xml(), Err(UnwritableOrder::Name(_))), "{name:?}");
    }
    assert!(matches!(with(|order| order.payer.bic = Some("DEUTDEF".into())), UnwritableOrder::Bic(_)));
    assert!(matches!(with(|order| order.currency = "eur".into()), UnwritableOrder::Currency(_)));
    assert_eq!(with(|order| order.payer.account = PartyAccount::Iban("DE".into())), UnwritableOrder::Account);
    let mut twice = one();
    let again = first(&mut twice);
    twice.payments.push(again);
    assert_eq!(twice.xml(), Err(UnwritableOrder::Twice("PLC-W12-F7".into())));
}
