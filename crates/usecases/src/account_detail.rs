//! One account as staff see it: who it is, what it has, what it does. Never a
//! password or a hash.

use base::UserId;
use serde::Serialize;
use store::PageRequest;

use crate::accounts::find_account;
use crate::flow_list::{FlowQuery, FlowView, flow_list};
use crate::plan_views::{self, PlanView};
use crate::property::{Property, property};
use crate::user_info::{UserView, user_info};
use crate::zone::Zone;
use crate::{App, Error};

const LATEST: i64 = 10;

#[derive(Clone, Debug, Serialize)]
pub struct AccountDetail {
    pub user: UserView,
    pub property: Property,
    /// The latest lines of the statement.
    pub flow: Vec<FlowView>,
    /// The latest plans.
    pub plans: Vec<PlanView>,
    /// What whoever helps this user should know first.
    pub flags: Vec<String>,
}

/// # Errors
/// `not_found` for a name nobody has.
pub async fn account_detail(app: &App, name: &str) -> Result<AccountDetail, Error> {
    let id: UserId = find_account(app, name).await?;
    let page = PageRequest { before: None, limit: LATEST };
    let user = user_info(app, id, None).await?;
    let property = property(app, id).await?;
    let statement = flow_list(app, id, FlowQuery { month: None, kind: None, zone: Zone::UTC, page }).await?;
    let plans = plan_views::list(app, id, None, page).await?;
    let flags = flags(&user, &property);
    Ok(AccountDetail { user, property, flow: statement.lines.items, plans: plans.items, flags })
}

fn flags(user: &UserView, property: &Property) -> Vec<String> {
    let standing = format!("account_{}", user.status);
    let said = [
        (user.status != "active", standing.as_str()),
        (!user.store_opened, "store_not_opened"),
        (!property.pay_password_set, "pay_password_not_set"),
        (!property.bank_card_bound, "bank_card_not_bound"),
        (property.startup_outstanding != "0.00", "startup_funds_outstanding"),
        (property.withdrawing != "0.00", "withdrawal_open"),
    ];
    said.into_iter().filter(|(applies, _)| *applies).map(|(_, flag)| flag.to_owned()).collect()
}
