//! A newer server's migration adds columns while servers of the version before are at work.

use base::{PlanId, ProductId, UserId};
use diesel::connection::SimpleConnection;
use store::plans::{plan, product};
use store::{Conn, Error, Tx, on_both};

fn read_whole_rows(tx: &mut Tx<'_>) -> Result<(), Error> {
    plan::lock(tx, PlanId(1))?;
    plan::lock_all(tx, [PlanId(1)])?;
    plan::lock_own(tx, [(PlanId(1), UserId(1))])?;
    plan::find_own(tx, [(PlanId(1), UserId(1))])?;
    product::find_all(tx, [ProductId(1)])?;
    Ok(())
}

on_both!(statements_that_are_kept_prepared_outlive_new_columns, |test| {
    let work = |tx: &mut Tx<'_>| {
        read_whole_rows(tx)?;
        let conn: &mut Conn = tx;
        conn.batch_execute("ALTER TABLE plans ADD COLUMN later BIGINT; ALTER TABLE products ADD COLUMN later BIGINT")?;
        read_whole_rows(tx)
    };
    test.db.write(work).await.expect("all rows are read");
});
