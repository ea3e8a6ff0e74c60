//! Where a user is paid to: one bank card or wallet address each.

use base::{Timestamp, UserId};
use diesel::prelude::*;

use crate::schema::bank_cards;
use crate::{Conn, Error, Tx};

const BANK_CARD: i16 = 1;
const WALLET_ADDRESS: i16 = 2;

/// A destination, complete: never shown to a client as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    BankCard(BankCard),
    WalletAddress { network: String, address: String },
}

/// Texts as the user typed them; the last two may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BankCard {
    pub card_name: String,
    pub user_name: String,
    pub mobile: String,
    pub bank_name: String,
    pub bank_account: String,
    pub branch_name: String,
    pub beneficiary_name: String,
    pub bank_address: String,
}

#[derive(Queryable, Insertable, AsChangeset)]
#[diesel(table_name = bank_cards)]
struct Row {
    user_id: i64,
    method: i16,
    card_name: String,
    user_name: String,
    mobile: String,
    bank_name: String,
    bank_account: String,
    branch_name: String,
    beneficiary_name: String,
    bank_address: String,
    network: String,
    address: String,
    updated_at: i64,
}

impl Row {
    fn of(user: UserId, destination: &Destination, now: Timestamp) -> Self {
        let (method, card, network, address) = match destination.clone() {
            Destination::BankCard(card) => (BANK_CARD, card, String::new(), String::new()),
            Destination::WalletAddress { network, address } => (WALLET_ADDRESS, BankCard::default(), network, address),
        };
        Self {
            user_id: user.0,
            method,
            card_name: card.card_name,
            user_name: card.user_name,
            mobile: card.mobile,
            bank_name: card.bank_name,
            bank_account: card.bank_account,
            branch_name: card.branch_name,
            beneficiary_name: card.beneficiary_name,
            bank_address: card.bank_address,
            network,
            address,
            updated_at: now.millis(),
        }
    }

    fn destination(self) -> Result<Destination, Error> {
        match self.method {
            BANK_CARD => Ok(Destination::BankCard(BankCard {
                card_name: self.card_name,
                user_name: self.user_name,
                mobile: self.mobile,
                bank_name: self.bank_name,
                bank_account: self.bank_account,
                branch_name: self.branch_name,
                beneficiary_name: self.beneficiary_name,
                bank_address: self.bank_address,
            })),
            WALLET_ADDRESS => Ok(Destination::WalletAddress { network: self.network, address: self.address }),
            other => Err(Error::Corrupt(format!("no such method of payment: {other}"))),
        }
    }
}

pub fn find(conn: &mut Conn, user: UserId) -> Result<Option<Destination>, Error> {
    let row: Option<Row> = bank_cards::table.find(user.0).first(conn).optional()?;
    row.map(Row::destination).transpose()
}

/// Binds a destination in place of the one before. The user's wallet must be
/// locked, or two first bindings at once could collide.
pub fn save(tx: &mut Tx<'_>, user: UserId, destination: &Destination) -> Result<(), Error> {
    let row = Row::of(user, destination, tx.now());
    let conn: &mut Conn = tx;
    let changed = diesel::update(bank_cards::table.find(user.0)).set(&row).execute(conn)?;
    if changed == 0 {
        diesel::insert_into(bank_cards::table).values(&row).execute(conn)?;
    }
    Ok(())
}

pub fn remove(tx: &mut Tx<'_>, user: UserId) -> Result<(), Error> {
    let conn: &mut Conn = tx;
    diesel::delete(bank_cards::table.find(user.0)).execute(conn)?;
    Ok(())
}
