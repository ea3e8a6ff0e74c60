//! Payment files for the bank: the XML of pain.001.001.09, one batch of credit transfers from one account.
//!
//! Only what every bank takes is written: ids and names in the characters that SEPA allows, and no amount or text that
//! the schema or SEPA would refuse. What does not fit is refused, never shortened.

mod spelling;
#[cfg(test)]
mod tests;

use std::io;

use base::{Money, Timestamp, refuse_if};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use crate::day::Day;
pub use spelling::spelled;

/// The account that money leaves or reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartyAccount {
    Iban(String),
    /// The number of a bank in a country without IBANs.
    Other(String),
}

/// Whoever pays or is paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Party {
    /// The name, in the characters that [`spelled`] writes.
    pub name: String,
    pub account: PartyAccount,
    pub bic: Option<String>,
    /// The bank's name, for an account that does not say its bank.
    pub bank: Option<String>,
}

/// One payment of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment {
    /// The statement shows the payment by it.
    pub end_to_end: String,
    pub amount: Money,
    pub to: Party,
}

/// The payments that one file orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentOrder {
    /// The bank takes a file with the same one only once.
    pub message: String,
    pub made_at: Timestamp,
    pub execute_on: Day,
    pub currency: String,
    pub payer: Party,
    pub payments: Vec<Payment>,
}

/// Why an order cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnwritableOrder {
    #[error("there is nothing to pay")]
    Empty,
    #[error("{0:?} is no id of 1 to 35 letters, digits and signs of SEPA")]
    Id(String),
    #[error("{0:?} is no currency")]
    Currency(String),
    #[error("{0:?} is no name of 1 to 70 letters, digits and signs of SEPA")]
    Name(String),
    #[error("an account's number has a form that the schema does not allow")]
    Account,
    #[error("{0:?} is no BIC")]
    Bic(String),
    #[error("{0} is not between 0.01 and 999999999.99")]
    Amount(Money),
    #[error("{0:?} is in the file twice")]
    Twice(String),
    #[error("the sum is too large")]
    Sum,
    #[error("the file could not be written: {0}")]
    Xml(String),
}

/// The longest name that SEPA allows.
pub const LONGEST_NAME: usize = 70;
/// The largest amount that SEPA allows.
pub const LARGEST: Money = Money::from_minor(99_999_999_999);
const LONGEST_ID: usize = 35;
const NAMESPACE: &str = "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09";
/// What SEPA's guidelines prescribe for a bank that the IBAN already identifies.
const BY_THE_IBAN: &str = "NOTPROVIDED";

impl PaymentOrder {
    /// The sum of its payments.
    ///
    /// # Errors
    /// [`UnwritableOrder::Sum`].
    pub fn total(&self) -> Result<Money, UnwritableOrder> {
        Money::sum(self.payments.iter().map(|payment| payment.amount)).map_err(|_| UnwritableOrder::Sum)
    }

    /// The file's content.
    ///
    /// # Errors
    /// The first thing in it that the schema or SEPA would refuse.
    pub fn xml(&self) -> Result<Vec<u8>, UnwritableOrder> {
        self.check()?;
        let total = self.total()?.to_string();
        let mut xml = Elements(Writer::new_with_indent(Vec::new(), b' ', 1));
        self.document(&mut xml, &total).map_err(|error| UnwritableOrder::Xml(error.to_string()))?;
        let mut bytes = xml.0.into_inner();
        bytes.push(b'\n');
        Ok(bytes)
    }

    fn check(&self) -> Result<(), UnwritableOrder> {
        refuse_if(self.payments.is_empty(), UnwritableOrder::Empty)?;
        check_id(&self.message)?;
        if self.currency.len() != 3 || !self.currency.bytes().all(|b| b.is_ascii_uppercase()) {
            return Err(UnwritableOrder::Currency(self.currency.clone()));
        }
        self.payer.check()?;
        let mut ids = std::collections::BTreeSet::new();
        for payment in &self.payments {
            check_id(&payment.end_to_end)?;
            if !ids.insert(&payment.end_to_end) {
                return Err(UnwritableOrder::Twice(payment.end_to_end.clone()));
            }
            if !payment.amount.is_positive() || payment.amount > LARGEST {
                return Err(UnwritableOrder::Amount(payment.amount));
            }
            payment.to.check()?;
        }
        Ok(())
    }

    fn document(&self, xml: &mut Elements, total: &str) -> io::Result<()> {
        xml.0.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        let mut document = BytesStart::new("Document");
        document.push_attribute(("xmlns", NAMESPACE));
        xml.0.write_event(Event::Start(document))?;
        xml.within("CstmrCdtTrfInitn", |xml| {
            self.header(xml, total)?;
            xml.within("PmtInf", |xml| self.batch(xml, total))
        })?;
        xml.0.write_event(Event::End(BytesEnd::new("Document")))
    }

    fn header(&self, xml: &mut Elements, total: &str) -> io::Result<()> {
        xml.within("GrpHdr", |xml| {
            xml.text("MsgId", &self.message)?;
            xml.text("CreDtTm", &self.made_at.to_string())?;
            xml.text("NbOfTxs", &self.payments.len().to_string())?;
            xml.text("CtrlSum", total)?;
            xml.within("InitgPty", |xml| xml.text("Nm", &self.payer.name))
        })
    }

    fn batch(&self, xml: &mut Elements, total: &str) -> io::Result<()> {
        xml.text("PmtInfId", &self.message)?;
        xml.text("PmtMtd", "TRF")?;
        // The statement shows each payment by itself.
        xml.text("BtchBookg", "false")?;
        xml.text("NbOfTxs", &self.payments.len().to_string())?;
        xml.text("CtrlSum", total)?;
        xml.within("ReqdExctnDt", |xml| xml.text("Dt", &self.execute_on.to_string()))?;
        xml.within("Dbtr", |xml| xml.text("Nm", &self.payer.name))?;
        xml.account("DbtrAcct", &self.payer.account)?;
        xml.payers_bank(&self.payer)?;
        self.payments.iter().try_for_each(|payment| xml.payment(payment, &self.currency))
    }
}

impl Party {
    /// # Errors
    /// The first part of it that a payment file cannot have.
    pub fn check(&self) -> Result<(), UnwritableOrder> {
        if self.name.is_empty() || self.name.len() > LONGEST_NAME || spelled(&self.name).as_ref() != Some(&self.name) {
            return Err(UnwritableOrder::Name(self.name.clone()));
        }
        if let Some(bank) = &self.bank
            && (bank.is_empty() || bank.len() > LONGEST_NAME || spelled(bank).as_ref() != Some(bank))
        {
            return Err(UnwritableOrder::Name(bank.clone()));
        }
        if let Some(bic) = &self.bic
            && !is_bic(bic)
        {
            return Err(UnwritableOrder::Bic(bic.clone()));
        }
        if self.account.is_written() { Ok(()) } else { Err(UnwritableOrder::Account) }
    }
}

impl PartyAccount {
    fn is_written(&self) -> bool {
        match self {
            Self::Iban(iban) => {
                let (country, rest) = iban.split_at_checked(2).unwrap_or_default();
                let (check, bban) = rest.split_at_checked(2).unwrap_or_default();
                country.len() == 2
                    && country.bytes().all(|b| b.is_ascii_uppercase())
                    && check.bytes().all(|b| b.is_ascii_digit())
                    && (1..=30).contains(&bban.len())
                    && bban.bytes().all(|b| b.is_ascii_alphanumeric())
            }
            Self::Other(number) => {
                (1..=34).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_alphanumeric())
            }
        }
    }
}

/// SEPA's ids neither begin nor end with a slash, nor have two in a row.
fn check_id(id: &str) -> Result<(), UnwritableOrder> {
    let fits = (1..=LONGEST_ID).contains(&id.len()) && spelled(id).as_deref() == Some(id);
    let slashes = id.starts_with('/') || id.ends_with('/') || id.contains("//");
    if fits && !slashes { Ok(()) } else { Err(UnwritableOrder::Id(id.to_owned())) }
}

/// Whether a text has the form of a BIC.
pub fn is_bic(text: &str) -> bool {
    let mut letters = text.bytes().enumerate();
    let in_place = |(at, b): (usize, u8)| b.is_ascii_uppercase() || (b.is_ascii_digit() && !matches!(at, 4 | 5));
    matches!(text.len(), 8 | 11) && letters.all(in_place)
}

/// Elements in the order of the schema.
struct Elements(Writer<Vec<u8>>);

impl Elements {
    fn within(&mut self, name: &str, inner: impl FnOnce(&mut Self) -> io::Result<()>) -> io::Result<()> {
        self.0.write_event(Event::Start(BytesStart::new(name)))?;
        inner(self)?;
        self.0.write_event(Event::End(BytesEnd::new(name)))
    }

    fn text(&mut self, name: &str, text: &str) -> io::Result<()> {
        self.within(name, |xml| xml.0.write_event(Event::Text(BytesText::new(text))))
    }

    fn account(&mut self, name: &str, account: &PartyAccount) -> io::Result<()> {
        self.within(name, |xml| {
            xml.within("Id", |xml| match account {
                PartyAccount::Iban(iban) => xml.text("IBAN", iban),
                PartyAccount::Other(number) => xml.within("Othr", |xml| xml.text("Id", number)),
            })
        })
    }

    /// The schema wants a bank for the payer, even where the IBAN says it.
    fn payers_bank(&mut self, payer: &Party) -> io::Result<()> {
        self.within("DbtrAgt", |xml| {
            xml.within("FinInstnId", |xml| match &payer.bic {
                Some(bic) => xml.text("BICFI", bic),
                None => xml.within("Othr", |xml| xml.text("Id", BY_THE_IBAN)),
            })
        })
    }

    fn payment(&mut self, payment: &Payment, currency: &str) -> io::Result<()> {
        self.within("CdtTrfTxInf", |xml| {
            xml.within("PmtId", |xml| xml.text("EndToEndId", &payment.end_to_end))?;
            xml.within("Amt", |xml| xml.amount(payment.amount, currency))?;
            xml.receivers_bank(&payment.to)?;
            xml.within("Cdtr", |xml| xml.text("Nm", &payment.to.name))?;
            xml.account("CdtrAcct", &payment.to.account)?;
            // Banks that cut the id still pass on the text.
            xml.within("RmtInf", |xml| xml.text("Ustrd", &payment.end_to_end))
        })
    }

    fn amount(&mut self, amount: Money, currency: &str) -> io::Result<()> {
        let mut element = BytesStart::new("InstdAmt");
        element.push_attribute(("Ccy", currency));
        self.0.write_event(Event::Start(element))?;
        self.0.write_event(Event::Text(BytesText::new(&amount.to_string())))?;
        self.0.write_event(Event::End(BytesEnd::new("InstdAmt")))
    }

    fn receivers_bank(&mut self, to: &Party) -> io::Result<()> {
        if to.bic.is_none() && to.bank.is_none() {
            return Ok(());
        }
        self.within("CdtrAgt", |xml| {
            xml.within("FinInstnId", |xml| {
                to.bic.iter().try_for_each(|bic| xml.text("BICFI", bic))?;
                to.bank.iter().try_for_each(|bank| xml.text("Nm", bank))
            })
        })
    }
}
