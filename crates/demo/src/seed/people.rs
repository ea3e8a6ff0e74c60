//! The demonstration's staff, and its user with codes, a transaction password and money.

use auth::{PayPassword, Role};
use base::{Field, Money, RequestId, UserId, refuse_if};
use desk::installation::simulated;
use desk::requests::{MoneyRequestDraft, approve, request, requests};
use foundation::amount::positive;
use foundation::people::codes::{Activation, issue_codes};
use foundation::people::register::{Register, register};
use foundation::people::staff_accounts::find_account;
use foundation::staff::Staff;
use foundation::staff::founders::declare_founders;
use foundation::staff::operator_keys::rotate_operator;
use foundation::staff::operators::{add_operator, list_operators};
use foundation::staff::requests::{RequestFilter, RequestKind, RequestView};
use foundation::{App, Error, Refusal};
use money::wallet::property::property;
use store::PageRequest;
use store::staff::operators::Operator;
use wallet::RequestStatus;

use super::{DemoOperator, DemoUser, every};
use crate::Failure;

pub const DEMO: DemoUser = DemoUser { username: "demo", password: "demo-password", pay_password: "123456" };

const REASON: &str = "demonstration";
pub const FIRST: &str = "demo-anna";
const OPERATORS: [&str; 2] = [FIRST, "demo-ben"];
const UNUSED_CODES: usize = 10;
/// The amount that is available to the user at first.
const MONEY: &str = "10000.00";
const REFERENCE: &str = "DEMO-RECHARGE-1";

/// The two operators who act for the demonstration.
pub struct Pair {
    pub first: Staff,
    pub second: Staff,
}

/// They are the founders of an installation that has none. Their keys are printed as they
/// have rotated them.
pub async fn operators(app: &App, by: Option<Operator>) -> Result<(Pair, Vec<DemoOperator>), Failure> {
    let by = by.map(|by| Staff::new(by, REASON)).transpose()?;
    let [first_name, second_name] = OPERATORS;
    if !simulated::has_founders(app).await? {
        let others = list_operators(app).await?.into_iter().any(|one| !OPERATORS.contains(&one.name.as_str()));
        refuse_if(others && by.is_none(), Error::NotSignedIn)?;
        declare_founders(app, by, OPERATORS).await?;
        let (first, first_shown) = founder(app, first_name).await?;
        let (second, second_shown) = founder(app, second_name).await?;
        return Ok((Pair { first, second }, vec![first_shown, second_shown]));
    }
    let (first, first_shown) = operator(app, by, first_name).await?;
    let (second, second_shown) = operator(app, Some(first.clone()), second_name).await?;
    Ok((Pair { first, second }, vec![first_shown, second_shown]))
}

async fn founder(app: &App, name: &'static str) -> Result<(Staff, DemoOperator), Failure> {
    let declared = simulated::operator(app, name).await?.ok_or(Refusal::NotFound)?;
    let staff = Staff::new(declared, REASON)?;
    let (_, key) = rotate_operator(app, &staff, name).await?;
    Ok((staff, DemoOperator { operator: name, key: Some(key.text().to_owned()) }))
}

async fn operator(app: &App, by: Option<Staff>, name: &'static str) -> Result<(Staff, DemoOperator), Failure> {
    if let Some(found) = simulated::operator(app, name).await? {
        return Ok((Staff::new(found, REASON)?, DemoOperator { operator: name, key: None }));
    }
    let (_, key) = add_operator(app, by, name, Role::Admin).await?;
    let made = simulated::operator(app, name).await?.ok_or(Refusal::NotFound)?;
    // They count as two people, whoever created them.
    simulated::own_person(app, made.id).await?;
    Ok((Staff::new(made, REASON)?, DemoOperator { operator: name, key: Some(key.text().to_owned()) }))
}

pub async fn user(app: &App, staff: &Pair) -> Result<UserId, Failure> {
    let user = match account(app).await? {
        None => register_user(app, staff).await?,
        Some(found) => found,
    };
    if !property(app, user).await?.pay_password_set {
        simulated::pay_password(app, user, PayPassword::from_digits(DEMO.pay_password)).await?;
    }
    Ok(user)
}

/// Whether the demonstration's user has registered.
pub async fn exists(app: &App) -> Result<bool, Failure> {
    Ok(account(app).await?.is_some())
}

async fn account(app: &App) -> Result<Option<UserId>, Failure> {
    match find_account(app, DEMO.username).await {
        Err(Error::Refused(Refusal::NotFound | Refusal::Unknown { .. })) => Ok(None),
        found => Ok(Some(found?)),
    }
}

/// One code is for the user; the others remain for visitors.
async fn register_user(app: &App, staff: &Pair) -> Result<UserId, Failure> {
    let codes = issue_codes(app, staff.first.clone(), UNUSED_CODES + 1, None, Activation::Automatic).await?;
    let command = Register {
        username: DEMO.username.to_owned(),
        password: DEMO.password.to_owned(),
        email: "demo@example.com".to_owned(),
        phone: "+10005550100".to_owned(),
        license_key: codes.into_iter().next().unwrap_or_default(),
        lang: i18n::Lang::default(),
        device: "demonstration".to_owned(),
        address: None,
    };
    register(app, command).await?;
    Ok(find_account(app, DEMO.username).await?)
}

/// Books the difference to the amount that the user has at first, once. It is the newest line of the statement, because
/// it is booked last.
pub async fn recharge(app: &App, staff: &Pair, user: UserId) -> Result<(), Failure> {
    let available = property(app, user).await?.available;
    let missing = positive(Field::Amount, MONEY)?.minus(available).map_err(Error::from)?;
    if missing <= Money::ZERO {
        return Ok(());
    }
    book(app, staff, MoneyRequestDraft::recharge(user, &missing.to_string(), REFERENCE), REFERENCE).await
}

/// Requests a payment and approves it, unless that was done before.
pub async fn book(app: &App, staff: &Pair, ask: MoneyRequestDraft, reference: &str) -> Result<(), Failure> {
    let asked = match request(app, &staff.first, ask).await {
        Err(Error::Refused(Refusal::ReferenceUsed)) => find_request(app, reference).await?,
        asked => Some(asked?.id),
    };
    if let Some(id) = asked {
        approve(app, &staff.second, id.into()).await?;
    }
    Ok(())
}

/// A request that an interrupted run did not approve.
async fn find_request(app: &App, reference: &str) -> Result<Option<RequestId>, Failure> {
    waiting(app, |asked| asked.reference.as_deref() == Some(reference)).await
}

/// Approves a request about something with this name.
pub async fn approve_named(app: &App, staff: &Pair, kind: RequestKind, name: &str) -> Result<(), Failure> {
    let asked = waiting(app, |asked| asked.kind == kind && asked.name.as_deref() == Some(name)).await?;
    if let Some(id) = asked {
        approve(app, &staff.second, id.into()).await?;
    }
    Ok(())
}

/// The number of an open request.
async fn waiting(app: &App, is: impl Fn(&RequestView) -> bool) -> Result<Option<RequestId>, Failure> {
    let open = RequestFilter { status: Some(RequestStatus::Requested), ..RequestFilter::default() };
    let asked = every(|page| requests(app, open, page)).await?;
    Ok(asked.into_iter().find(is).map(|asked| asked.id))
}

pub async fn unused_codes(app: &App) -> Result<Vec<String>, Failure> {
    let request = PageRequest { before: None, limit: PageRequest::MAX_LIMIT };
    let mut codes = simulated::unused_codes(app, request).await?;
    codes.truncate(UNUSED_CODES);
    Ok(codes)
}
