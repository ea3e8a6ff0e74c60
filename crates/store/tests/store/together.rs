//! Three or four statements that PostgreSQL gets as one.

use db::bulk::{Column, together};
use db::statement;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use store::{Error, Tx, on_both};

statement!(
    ADD,
    postgres: "INSERT INTO added SELECT * FROM unnest(?, ?)",
    sqlite: "INSERT INTO added VALUES (?, ?)",
);
statement!(
    SET,
    postgres: "UPDATE changed SET b = u.b FROM unnest(?, ?) AS u(b, a) WHERE changed.a = u.a",
    sqlite: "UPDATE changed SET b = ? WHERE a = ?",
);
statement!(REMOVE, postgres: "DELETE FROM removed WHERE a = ANY(?)", sqlite: "DELETE FROM removed WHERE a = ?");
statement!(DOUBLE, postgres: "INSERT INTO doubled SELECT 2 * a FROM unnest(?) AS n(a)", sqlite: "INSERT INTO doubled VALUES (2 * ?)");

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = BigInt)]
    n: i64,
}

/// Everything in the four tables, with the table's place in front.
fn content(tx: &mut Tx<'_>) -> Vec<i64> {
    let all = "SELECT 1000 + 10 * a + b AS n FROM added UNION ALL SELECT 2000 + 10 * a + b FROM changed \
               UNION ALL SELECT 3000 + a FROM removed UNION ALL SELECT 4000 + a FROM doubled ORDER BY n";
    diesel::sql_query(all).load::<Row>(&mut **tx).expect("loads").into_iter().map(|row| row.n).collect()
}

fn run(tx: &mut Tx<'_>, add: [&[i64]; 2], set: [&[i64]; 2], remove: &[i64]) -> Result<(), Error> {
    let column = |numbers: &[i64]| Column::from(numbers.to_vec());
    let (add, set, remove) = (add.map(column), set.map(column), [column(remove)]);
    together(tx, (ADD, SET, REMOVE), [&add, &set, &remove])
}

on_both!(each_statement_has_its_own_rows, |t| {
    let write = t.db.write(|tx| {
        for sql in [
            "CREATE TEMPORARY TABLE added (a BIGINT, b BIGINT)",
            "CREATE TEMPORARY TABLE changed (a BIGINT, b BIGINT)",
            "CREATE TEMPORARY TABLE removed (a BIGINT)",
            "CREATE TEMPORARY TABLE doubled (a BIGINT)",
            "INSERT INTO changed VALUES (1, 1), (2, 2)",
            "INSERT INTO removed VALUES (1), (2), (3)",
        ] {
            diesel::sql_query(sql).execute(&mut **tx)?;
        }
        run(tx, [&[1, 2, 3], &[4, 5, 6]], [&[7], &[2]], &[1, 3])?;
        assert_eq!(content(tx), [1014, 1025, 1036, 2011, 2027, 3002]);
        // Nothing for some of them, and nothing at all.
        run(tx, [&[], &[]], [&[], &[]], &[2])?;
        run(tx, [&[], &[]], [&[], &[]], &[])?;
        assert_eq!(content(tx), [1014, 1025, 1036, 2011, 2027]);
        // One that is wrong keeps all from running.
        run(tx, [&[9], &[9]], [&[9, 9], &[1]], &[]).expect_err("uneven");
        assert_eq!(content(tx), [1014, 1025, 1036, 2011, 2027]);
        // Four, the third without rows.
        let column = |numbers: &[i64]| Column::from(numbers.to_vec());
        let (add, set, none, double) =
            ([column(&[7]), column(&[8])], [column(&[9]), column(&[1])], [column(&[])], [column(&[5, 6])]);
        together(tx, (ADD, SET, REMOVE, DOUBLE), [&add, &set, &none, &double])?;
        assert_eq!(content(tx), [1014, 1025, 1036, 1078, 2019, 2027, 4010, 4012]);
        Ok::<(), Error>(())
    });
    write.await.expect("writes");
});
