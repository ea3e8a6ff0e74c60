//! The user's payout account.

use actix_web::{get, post, web};
use base::Field;
use desk::installation::basic_config::PayoutMethod;
use foundation::people::pay_password;
use money::wallet::bank_card::{self, Binder, CardView, NewBankCard};
use serde::Deserialize;
use utoipa::ToSchema;
use validator::Validate;

use crate::Shell;
use crate::envelope::{Handled, Reply};
use crate::extract::{Body, FreshSession, Session, required};
use crate::failure::Failure;
use crate::routes::wallet::verify_password;

/// Masked except for the last four characters of its number; null if none is bound.
#[utoipa::path(tag = "wallet", responses((status = 200, body = Option<CardView>)))]
#[get("/bank_card/detail")]
pub async fn show(shell: web::Data<Shell>, session: Session) -> Handled<Option<CardView>> {
    Ok(Reply(bank_card::bank_card(&shell.app, session.user).await?))
}

/// For `bank_card` every field but the last two and `network`, and without `branch_name` where the
/// account is an IBAN; for `wallet_address` only `network` and `address`.
#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct CardRequest {
    /// `bank_card` or `wallet_address`.
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true, value_type = PayoutMethod)]
    pub method: String,
    pub card_name: String,
    pub user_name: String,
    pub mobile: String,
    pub bank_name: String,
    pub bank_account: String,
    pub branch_name: String,
    pub beneficiary_name: Option<String>,
    pub bank_address: Option<String>,
    pub network: String,
    pub address: String,
    /// The transaction password's MD5, in lower-case hex; needed once one is set.
    pub password: Option<String>,
}

impl CardRequest {
    fn typed(self) -> Result<CardView, Failure> {
        match self.method.as_str() {
            "bank_card" => Ok(CardView::BankCard {
                card_name: self.card_name,
                user_name: self.user_name,
                mobile: self.mobile,
                bank_name: self.bank_name,
                bank_account: self.bank_account,
                branch_name: self.branch_name,
                beneficiary_name: self.beneficiary_name,
                bank_address: self.bank_address,
            }),
            "wallet_address" => Ok(CardView::WalletAddress { network: self.network, address: self.address }),
            _ => Err(Failure::field(Field::Method, "invalid")),
        }
    }
}

/// Binds a card or an address, replacing the previous one. In a live installation, withdrawals and
/// exchanges are then refused for a day.
#[utoipa::path(tag = "wallet", request_body = CardRequest, responses((status = 200, body = CardView)))]
#[post("/bank_card/edit")]
pub async fn edit(shell: web::Data<Shell>, session: FreshSession, body: Body<CardRequest>) -> Handled<CardView> {
    let mut request = body.read()?;
    let password = request.password.take().unwrap_or_default();
    // An invalid card is refused before the password is checked, so that it uses no attempt.
    let typed = NewBankCard::read(&shell.app, request.typed()?)?;
    let binder = if pay_password::is_set(&shell.app, session.user).await? {
        let password = required(Some(password), Field::Password)?;
        Binder::Proven(verify_password(&shell, &session, &password).await?)
    } else {
        Binder::WithoutPassword(session.user)
    };
    Ok(Reply(bank_card::bind_card(&shell.app, binder, typed).await?))
}
