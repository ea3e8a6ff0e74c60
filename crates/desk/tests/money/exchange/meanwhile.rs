//! What staff change after a code was accepted and before its order is put.

use foundation::{Error, Refusal};
use store::on_both;
use store::testing::execute;

use super::{Shop, shop};
use crate::support::why;

impl Shop {
    /// From now on, accepting a code that follows a wrong one changes the acceptors as well, as staff might at that moment.
    fn change_when_accepted(&self, change: &str) {
        let change = format!("UPDATE acceptors SET {change}");
        let planted = if self.is_sqlite() {
            format!("CREATE TRIGGER meanwhile AFTER UPDATE ON acceptance_tries BEGIN {change}; END")
        } else {
            format!(
                "CREATE FUNCTION meanwhile() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {change}; RETURN NEW; END $$; \
                 CREATE TRIGGER meanwhile AFTER UPDATE ON acceptance_tries FOR EACH ROW EXECUTE FUNCTION meanwhile()"
            )
        };
        execute(&self.w.test.url, &planted).expect("planted");
    }

    fn change_no_more(&self, undo: &str) {
        let pulled = if self.is_sqlite() {
            "DROP TRIGGER meanwhile"
        } else {
            "DROP TRIGGER meanwhile ON acceptance_tries; DROP FUNCTION meanwhile()"
        };
        execute(&self.w.test.url, &format!("{pulled}; UPDATE acceptors SET {undo}")).expect("as it was");
    }

    fn is_sqlite(&self) -> bool {
        self.w.test.url.starts_with("sqlite")
    }
}

on_both!(an_order_counts_with_what_its_acceptor_is_when_it_is_put, |test| {
    let s = shop(test, "100").await;
    s.look().await;
    let other_code = if s.is_sqlite() { "zeroblob(32)" } else { "decode(repeat('00', 32), 'hex')" };
    let renewed = format!("code_hash = {other_code}");
    for (change, undo) in [
        ("order_limit = 500", "order_limit = 5000"),
        ("active = false", "active = true"),
        ("draft = true", "draft = false"),
        (renewed.as_str(), "active = true"),
    ] {
        assert_eq!(why(s.look_with("WRONG-CODE").await), "acceptance_code_wrong");
        s.change_when_accepted(change);
        match s.put(s.order("10", "EUR")).await {
            Err(Error::Refused(Refusal::AcceptorLimitExceeded { limit })) => {
                assert_eq!((change, limit.to_string().as_str()), ("order_limit = 500", "5.00"));
            }
            // The code was right, so no attempt is lost.
            Err(Error::Refused(Refusal::AcceptanceCodeWrong { attempts_left })) => {
                assert_eq!(attempts_left, 5, "{change}");
            }
            other => panic!("{change}: {other:?}"),
        }
        s.change_no_more(undo);
        assert_eq!(s.figures().await, ("100.00".into(), "0.00".into()), "{change}");
    }
});
