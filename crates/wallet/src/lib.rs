//! The ledger: which account holds how much money, and which movements are allowed.
//!
//! This crate decides, among others:
//! - whether an amount may be put on a plan, withdrawn, exchanged or recharged;
//! - how a plan's budget is billed, settled and released;
//! - what a conversion earns, and what a chargeback takes back;
//! - whether a second person may approve a request.
//!
//! Each decision is a pure function. It takes balances and a command, and returns
//! [`Postings`] or the reason for refusing, [`Refused`]. Postings are built from
//! transfers alone, so they always sum to zero. [`Balances::apply`] turns them into
//! new balances, and [`hash`] chains each record to the one before.
//!
//! The caller loads the balances under a lock, makes one decision, applies the
//! postings and saves them, all in one transaction. This crate knows no database,
//! clock or random source. Amounts are whole minor units of the platform currency.
//! docs/LEDGER.md describes the accounts and the laws.
//!
//! A user with 100.00 withdraws 30.00, then asks for more than is left:
//!
//! ```
//! use base::{Money, UserId};
//! use wallet::{Balances, Refused, UserAccount, Wallet, Withdraw, withdraw};
//!
//! let wallet = Wallet { available: Money::from_minor(100_00), ..Wallet::empty(UserId(1)) };
//! let postings = withdraw(&wallet, &Withdraw { amount: Money::from_minor(30_00), card_bound: true, due: Money::ZERO })?;
//!
//! let mut balances = Balances::default();
//! balances.insert_wallet(wallet);
//! balances.apply(&postings)?;
//! let wallet = balances.wallet(UserId(1)).expect("inserted above");
//! assert_eq!(wallet.available, Money::from_minor(70_00));
//! assert_eq!(wallet.withdrawing, Money::from_minor(30_00));
//!
//! let more = Withdraw { amount: Money::from_minor(70_01), card_bound: true, due: Money::ZERO };
//! assert!(matches!(withdraw(wallet, &more), Err(Refused::InsufficientBalance { .. })));
//! # Ok::<(), Refused>(())
//! ```

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
mod startup_loan;
#[cfg(test)]
mod testing;
mod withdrawal;

pub use approval::{Approval, FirstDecision, SecondOperator};
pub use bank::{BankDocument, LineStatus, MatchReview, MatchStatus, clear, reopen};
pub use bill::{Paid, Refunded, bill, refund_delivery, with_late_prices};
pub use books::{
    Account, AccountKey, Balances, ClaimedDay, Entry, FlowAccount, GENESIS, Leg, PUBLISHER_EARNINGS, PlatformAccount,
    Postings, Record, Source, UserAccount, day, hash,
};
pub use chargeback::{charge_back, collect_chargeback, waive_chargeback};
pub use conversion::{accept_conversion, reverse_conversion};
pub use deposit::{ReturnDeposit, pay_deposit, return_deposit};
pub use document::{Document, DocumentKind};
pub use exchange::{
    AcceptorType, BAND_DAYS, Band, ExchangeLimits, ExchangeReview, ExchangeStatus, LONGEST_QUOTE_MILLIS, QUOTE_SECONDS,
    cancel_exchange, complete_exchange, exchanged, put_exchange,
};
pub use funding::{correct_publisher, fund_advertiser, pay_publisher};
pub use kinds::{FlowKind, TransactionKind};
pub use model::{Advertiser, Hold, Wallet, to_be_consumed, total_assets};
pub use promotion::{grant_promotion, revoke_promotion};
pub use put::{PutOnPlan, add_to_plan, put_on_plan};
pub use recharge::{Announced, AnnouncementOutcome, AnnouncementStatus, recharge};
pub use refused::Refused;
pub use release::release;
pub use request::{RequestDocument, RequestKind, RequestReview, RequestStatus};
pub use review::{WithdrawalReview, WithdrawalStatus};
pub use settle::{Settle, settle};
pub use spend::subscribe_vip;
pub use startup_loan::{advance_startup_loan, repay_startup_loan};
pub use withdrawal::{Withdraw, pay_withdrawal, reject_withdrawal, withdraw, withdrawal_barriers};
