//! Each figure of a wallet in detail: the account behind it, its parts, and the
//! latest entries.

use base::{Money, Timestamp, UserId, coded};
use foundation::accounts::finding;
use foundation::{App, Error, Refusal};
use money::wallet::records::EntryView;
use serde::Serialize;
use store::plans::plan as plans;
use store::wallet::property::Property;
use store::wallet::{exchange, property, records, withdrawals};
use store::{Conn, PageRequest};
use wallet::UserAccount;

coded!(
    /// A figure that the wallet shows.
    Figure {
        TotalAssets = 1 "total_assets",
        Available = 2 "available",
        ToBeConsumed = 3 "to_be_consumed",
        ToBeSettled = 4 "to_be_settled",
        Withdrawing = 5 "withdrawing",
        Exchanging = 6 "exchanging",
        Deposit = 7 "deposit",
        Promotional = 8 "promotional",
        StartupLoanOutstanding = 9 "startup_outstanding",
    }
);

/// The most plans, withdrawals or orders that a figure is broken down into.
const PARTS: PageRequest = PageRequest { before: None, limit: 1_000 };

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FigureView {
    pub figure: Figure,
    pub amount: Money,
    /// The ledger account behind it; null if it consists of others.
    pub account: Option<UserAccount>,
    /// Its current parts: plans, withdrawals, an order, or other figures. Empty if it
    /// consists of entries only.
    pub parts: Vec<PartView>,
    /// Whether the parts add up to the amount; null if there are none.
    pub adds_up: Option<bool>,
    /// The latest entries on the account, newest first.
    pub entries: Vec<EntryView>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PartView {
    /// A plan's number, `withdrawal:7`, `exchange:3`, or a figure's name.
    pub what: String,
    pub amount: Money,
    pub status: Option<String>,
    pub since: Option<Timestamp>,
}

/// The figures of a user, all from one moment, each with at most this many of its latest
/// entries.
///
/// # Errors
/// `not_found`, `ambiguous`.
pub async fn account_figures(
    app: &App,
    name: &str,
    only: Option<Figure>,
    limit: i64,
) -> Result<Vec<FigureView>, Error> {
    let name = name.to_owned();
    let last = PageRequest { before: None, limit: limit.clamp(1, PageRequest::MAX_LIMIT) };
    app.db
        .snapshot(move |conn| {
            let user = finding::read_named(conn, &name)?.user;
            let found = property::of(conn, user)?.ok_or(Refusal::NotFound)?;
            let wanted = Figure::ALL.iter().filter(|figure| only.is_none_or(|only| only == **figure));
            wanted.map(|figure| view(conn, user, &found, *figure, last)).collect()
        })
        .await
}

fn view(
    conn: &mut Conn,
    user: UserId,
    found: &Property,
    figure: Figure,
    last: PageRequest,
) -> Result<FigureView, Error> {
    let amount = amount(found, figure)?;
    let parts = parts(conn, user, found, figure)?;
    let account = account(figure);
    let entries = match account {
        Some(account) => records::of_account(conn, user, account, last)?.items,
        None => Vec::new(),
    };
    let sum = parts.as_ref().map(|parts| Money::sum(parts.iter().map(|part| part.amount))).transpose()?;
    Ok(FigureView {
        figure,
        amount,
        account,
        adds_up: sum.map(|sum| sum == amount),
        parts: parts.unwrap_or_default().into_iter().map(PartView::from).collect(),
        entries: entries.into_iter().map(EntryView::from).collect(),
    })
}

fn amount(found: &Property, figure: Figure) -> Result<Money, Error> {
    let wallet = &found.wallet;
    Ok(match figure {
        Figure::TotalAssets => wallet::total_assets(wallet, found.to_be_consumed)?,
        Figure::Available => wallet.available,
        Figure::ToBeConsumed => found.to_be_consumed,
        Figure::ToBeSettled => wallet.pending,
        Figure::Withdrawing => wallet.withdrawing,
        Figure::Exchanging => wallet.exchanging,
        Figure::Deposit => wallet.deposit,
        Figure::Promotional => wallet.promotional,
        Figure::StartupLoanOutstanding => wallet.startup_loan_outstanding()?,
    })
}

/// The account behind a figure, unless it consists of other figures or of holds.
const fn account(figure: Figure) -> Option<UserAccount> {
    match figure {
        Figure::TotalAssets | Figure::ToBeConsumed => None,
        Figure::Available => Some(UserAccount::Available),
        Figure::ToBeSettled => Some(UserAccount::Pending),
        Figure::Withdrawing => Some(UserAccount::Withdrawing),
        Figure::Exchanging => Some(UserAccount::Exchanging),
        Figure::Deposit => Some(UserAccount::Deposit),
        Figure::Promotional => Some(UserAccount::Promotional),
        Figure::StartupLoanOutstanding => Some(UserAccount::Advance),
    }
}

struct Part {
    what: String,
    amount: Money,
    status: Option<&'static str>,
    since: Option<Timestamp>,
}

impl From<Part> for PartView {
    fn from(part: Part) -> Self {
        Self { what: part.what, amount: part.amount, status: part.status.map(str::to_owned), since: part.since }
    }
}

fn parts(conn: &mut Conn, user: UserId, found: &Property, figure: Figure) -> Result<Option<Vec<Part>>, Error> {
    Ok(Some(match figure {
        Figure::TotalAssets => of_assets(found)?,
        Figure::ToBeConsumed => of_holds(conn, user)?,
        Figure::ToBeSettled => of_conversions(conn, user)?,
        Figure::Withdrawing => {
            let open = withdrawals::open_of(conn, user, PARTS)?;
            let part = |w: withdrawals::Withdrawal| Part {
                what: format!("withdrawal:{}", w.id),
                amount: w.amount,
                status: Some(w.review.status.name()),
                since: Some(w.requested_at),
            };
            open.into_iter().map(part).collect()
        }
        Figure::Exchanging => {
            let part = |order: exchange::Order| Part {
                what: format!("exchange:{}", order.id),
                amount: order.amount,
                status: Some(order.review.status.name()),
                since: Some(order.created_at),
            };
            exchange::current(conn, user)?.into_iter().map(part).collect()
        }
        Figure::Available | Figure::Deposit | Figure::Promotional | Figure::StartupLoanOutstanding => return Ok(None),
    }))
}

fn of_assets(found: &Property) -> Result<Vec<Part>, Error> {
    let owned = [
        Figure::Available,
        Figure::ToBeConsumed,
        Figure::ToBeSettled,
        Figure::Withdrawing,
        Figure::Exchanging,
        Figure::Deposit,
    ];
    let part = |figure: Figure| {
        let amount = amount(found, figure)?;
        Ok(Part { what: figure.name().to_owned(), amount, status: None, since: None })
    };
    owned.into_iter().map(part).collect()
}

/// The user's own money in the holds of plans.
fn of_holds(conn: &mut Conn, user: UserId) -> Result<Vec<Part>, Error> {
    let held = plans::holding(conn, user, PARTS)?;
    let part = |(plan, available): (plans::PlanRow, Money)| {
        Ok(Part { what: plan.plan_no.clone(), amount: available, status: Some(plan.status.name()), since: plan.put_at })
    };
    held.into_iter().map(part).collect()
}

/// The unsettled commission of accepted conversions, by plan.
fn of_conversions(conn: &mut Conn, user: UserId) -> Result<Vec<Part>, Error> {
    let earned = records::sum_unsettled(conn, user)?;
    let open = plans::under_way(conn, user, PARTS)?;
    let earning = open.into_iter().filter_map(|(plan, _)| earned.get(&plan.id.0).map(|sum| (*sum, plan)));
    let part = |(amount, plan): (Money, plans::PlanRow)| {
        Ok(Part { what: plan.plan_no.clone(), amount, status: Some(plan.status.name()), since: plan.started_at })
    };
    earning.map(part).collect()
}
