//! What was approved to be paid out, and was not paid.

use base::WithdrawalId;
use desk::requests;
use foundation::Error;
use money::wallet::payment_files::unpaid::GivenBack;
use money::wallet::payment_files::{self, PaidByFile};
use money::wallet::withdrawals::reject_withdrawal;

use super::Market;

pub async fn withdrawal(market: &Market, id: WithdrawalId) {
    let (app, ann, bob) = (&market.world.app, &market.world.ann, &market.world.bob);
    let document = PaidByFile::Withdrawal(id);
    payment_files::report_not_taken(app, ann, document).await.expect_err("it goes to a wallet");
    agree(market, reject_withdrawal(app, bob, id).await).await;
}

/// Ann agrees with Bob that it was not paid.
pub async fn agree<V>(market: &Market, asked: Result<GivenBack<V>, Error>) {
    let Ok(GivenBack::Asked(asked)) = asked else { panic!("not requested") };
    requests::approve(&market.world.app, &market.world.ann, asked.id.into()).await.expect("given back");
}
