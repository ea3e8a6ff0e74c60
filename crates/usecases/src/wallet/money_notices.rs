//! Notices to users when staff move their money, in the same transaction.

use base::{Money, UserId};
use store::Tx;

use crate::Error;
use crate::notifications::{Category, notify};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    ExchangePut,
    ExchangeCompleted,
    ExchangeCancelled,
    RechargeCredited,
    RechargeRejected,
    RechargeExpired,
    Chargeback,
}

impl Deed {
    const fn template(self) -> &'static str {
        match self {
            Self::ExchangePut => "exchange_put",
            Self::ExchangeCompleted => "exchange_completed",
            Self::ExchangeCancelled => "exchange_cancelled",
            Self::RechargeCredited => "recharge_credited",
            Self::RechargeRejected => "recharge_rejected",
            Self::RechargeExpired => "recharge_expired",
            Self::Chargeback => "chargeback",
        }
    }
}

pub(crate) fn tell(
    tx: &mut Tx<'_>,
    user: UserId,
    deed: Deed,
    amount: Money,
    params: &[(&str, &str)],
) -> Result<(), Error> {
    let amount = amount.to_string();
    let params = [&[("amount", amount.as_str())], params].concat();
    notify(tx, user, Category::Activity, deed.template(), &params)
}
