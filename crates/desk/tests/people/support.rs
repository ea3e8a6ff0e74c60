//! An installation with a user and staff of every role.

use campaigns::AdServer;
use std::sync::Arc;

use auth::{PayPassword, Role, Secrets};
use base::UserId;
use foundation::people::entry::{enter, issue_ticket};
use foundation::people::sessions::{Caller, authenticate};
use foundation::people::set_pay_password::{SetPayPassword, set_pay_password};
use foundation::staff::Staff;
use foundation::staff::audit_log::{AuditFilter, AuditLine, audit_lines};
use foundation::{App, Error, Settings};
use store::PageRequest;
use store::testing::TestDb;

pub fn app(test: &TestDb) -> AdServer {
    AdServer::new(App::new(test.db.clone(), Secrets::new([1; 32], [2; 32], [3; 32]), Settings::default()))
}

pub async fn staff(test: &TestDb, name: &'static str, role: Role) -> Staff {
    Staff::new(test.operator(name, role).await, "a test").expect("a reason")
}

/// A user with this transaction password.
pub async fn user_with(app: &AdServer, test: &TestDb, digits: &str) -> UserId {
    let user = test.user("demo").await;
    let command = SetPayPassword { password: PayPassword::from_digits(digits), old_password: None };
    set_pay_password(app, user, command).await.expect("set");
    user
}

/// `demo`, signed in on another device.
pub async fn demo_signed_in(app: &AdServer) -> Arc<Caller> {
    let ticket = issue_ticket(app, None, "demo").await.expect("a ticket");
    let token = enter(app, ticket.text(), "a phone").await.expect("signed in").token;
    authenticate(app, &token).await.expect("good")
}

/// The audit log, newest first, as `operator action subject`.
pub async fn deeds(app: &AdServer) -> Vec<String> {
    let lines: Vec<AuditLine> =
        audit_lines(app, AuditFilter { by_staff: true, ..AuditFilter::default() }, PageRequest::default())
            .await
            .expect("the audit")
            .items;
    lines.iter().map(|l| format!("{} {} {}", l.operator, l.action, l.subject)).collect()
}

/// The key of an error, with the wrong fields.
pub fn why<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
    let error = result.expect_err("refused");
    match &error {
        Error::Fields(fields) => {
            fields.iter().map(|(name, problem)| format!("{name}={problem}")).collect::<Vec<_>>().join(" ")
        }
        other => other.key().to_owned(),
    }
}
