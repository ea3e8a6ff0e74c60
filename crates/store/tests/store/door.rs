//! The only way into a transaction: all or nothing, whatever happens inside.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use store::{Error, Tx, on_both};

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    n: i64,
}

fn add(tx: &mut Tx<'_>, name: &str) -> Result<(), Error> {
    store::plans::advertiser::insert(tx, name, base::Money::ZERO).map(|_| ())
}

async fn count(db: &store::Db) -> i64 {
    let count = db.read(|conn| {
        diesel::sql_query("SELECT COUNT(*) AS n FROM advertisers").get_result::<Count>(conn).map_err(Error::from)
    });
    count.await.expect("a count").n
}

on_both!(an_error_undoes_everything_of_its_own_and_nothing_of_others, |test| {
    let jobs: Vec<_> = (0..200)
        .map(|n| {
            let db = test.db.clone();
            tokio::spawn(async move {
                db.write(move |tx| {
                    add(tx, &format!("advertiser {n}"))?;
                    if n % 3 == 0 { Err(Error::Corrupt("on purpose".into())) } else { Ok(()) }
                })
                .await
            })
        })
        .collect();
    let mut kept = 0;
    for job in jobs {
        kept += i64::from(job.await.expect("joined").is_ok());
    }
    assert_eq!(kept, 133);
    assert_eq!(count(&test.db).await, kept);
});

on_both!(a_panic_is_undone_and_the_writer_goes_on, |test| {
    let panicked: Result<(), Error> = test
        .db
        .write(|tx| {
            add(tx, "gone")?;
            panic!("on purpose");
        })
        .await;
    assert!(matches!(panicked, Err(Error::Panicked)));
    test.db.write(|tx| add(tx, "kept")).await.expect("the writer goes on");
    assert_eq!(count(&test.db).await, 1);
});

on_both!(a_failing_statement_undoes_the_transaction, |test| {
    let failed = test.db.write(|tx| {
        add(tx, "twice")?;
        add(tx, "twice")
    });
    assert!(failed.await.expect_err("unique").is_unique_violation());
    assert_eq!(count(&test.db).await, 0);
});

on_both!(history_cannot_be_edited, |test| {
    let user = test.user("ann").await;
    let written = test.db.write(move |tx| {
        let mut books = store::wallet::books::Books::lock_user(tx, user)?;
        let postings = wallet::recharge(books.wallet()?, base::Money::from_minor(100))
            .map_err(|e| Error::Corrupt(e.to_string()))?;
        let note = store::wallet::books::Note {
            document: wallet::Document::Request(wallet::RequestDocument::Recharge, base::RequestId(1)),
            event_at: tx.now(),
            actor: "test".into(),
            reason: String::new(),
            idempotency_key: None,
        };
        books.post(tx, &postings, &note)
    });
    written.await.expect("posted");
    for sql in [
        "UPDATE entries SET amount = 5",
        "DELETE FROM entries",
        "UPDATE transactions SET reason = 'x'",
        "DELETE FROM transactions",
    ] {
        let edited = test.db.write(move |tx| tx.batch_execute(sql).map_err(Error::from)).await;
        assert!(edited.expect_err(sql).to_string().contains("append-only"), "{sql}");
    }
});

on_both!(an_overdraft_is_refused_by_the_database_too, |test| {
    let user = test.user("ann").await;
    let sql = format!("UPDATE wallets SET available = -1 WHERE user_id = {user}");
    let edited = test.db.write(move |tx| tx.batch_execute(&sql).map_err(Error::from)).await;
    assert!(edited.is_err());
});
