//! The ledger: who has how much money where, and what may happen to it.
//!
//! A decision is a pure function from balances and a command to [`Postings`]
//! or a refusal. Postings are built from transfers alone, so they sum to zero
//! by construction. [`Balances::apply`] turns them into new balances, and
//! [`hash`] chains what was written to what was written before.
//!
//! The shell loads balances under a lock, calls one decision, applies what it
//! answered and writes it down, all in one transaction. Nothing here knows a
//! database, a clock or a random source. Amounts are whole minor units of the
//! one platform currency; docs/LEDGER.md tells the accounts and the laws.

mod approval;
mod bank;
mod bill;
mod books;
mod chargeback;
mod conversion;
mod deposit;
mod document;
mod exchange;
mod funding;
mod kinds;
mod model;
mod promotion;
mod put;
mod recharge;
mod refused;
mod release;
mod request;
mod review;
mod settle;
mod spend;
mod startup;
#[cfg(test)]
mod testing;
mod withdrawal;

pub use approval::{Approval, Second, Word};
pub use bank::{BankDocument, LineStatus, MatchReview, MatchStatus, clear, reopen};
pub use bill::{bill, publisher_share};
pub use books::{
    Account, AccountKey, Balances, Entry, GENESIS, Leg, PlatformAccount, Postings, Record, Source, UserAccount, hash,
};
pub use chargeback::charge_back;
pub use conversion::{accept_conversion, reverse_conversion};
pub use deposit::{ReturnDeposit, pay_deposit, return_deposit};
pub use document::Document;
pub use exchange::{
    AcceptorType, ExchangeLimits, ExchangeReview, ExchangeStatus, cancel_exchange, complete_exchange, exchanged,
    put_exchange,
};
pub use funding::fund_advertiser;
pub use kinds::{FlowKind, TransactionKind};
pub use model::{Advertiser, Hold, Wallet, to_be_consumed, total_assets};
pub use promotion::{grant_promotion, revoke_promotion};
pub use put::{PutOnPlan, put_on_plan};
pub use recharge::recharge;
pub use refused::Refused;
pub use release::release;
pub use request::{RequestDocument, RequestKind, RequestReview, RequestStatus};
pub use review::{WithdrawalReview, WithdrawalStatus};
pub use settle::{Settle, settle};
pub use spend::subscribe_vip;
pub use startup::{advance_startup_funds, return_startup_funds};
pub use withdrawal::{Withdraw, pay_withdrawal, reject_withdrawal, withdraw, withdrawal_barriers};
