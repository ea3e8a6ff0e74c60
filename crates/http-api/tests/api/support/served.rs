//! The service that answers a test's requests. To make one takes as long as to answer many.

use std::rc::Rc;

use actix_web::dev::ServiceResponse;
use actix_web::test::TestRequest;
use actix_web::{App, Error, test};
use futures_util::future::LocalBoxFuture;
use http_api::{Shell, configure};
use tokio::sync::OnceCell;

type Answered = LocalBoxFuture<'static, Result<ServiceResponse, Error>>;
type Service = dyn Fn(TestRequest) -> Answered;

/// A server's service, made when it is first asked.
#[derive(Clone, Default)]
pub struct Served(Rc<OnceCell<Rc<Service>>>);

impl Served {
    /// The answer, or why there is none: it took too long, for example.
    pub async fn by(&self, shell: &Shell, request: TestRequest) -> Result<ServiceResponse, Error> {
        let service = self.0.get_or_init(|| made(shell)).await;
        service(request).await
    }
}

/// The answer of a server that is asked once.
pub async fn answered(shell: &Shell, request: TestRequest) -> ServiceResponse {
    let service = made(shell).await;
    service(request).await.expect("an answer")
}

async fn made(shell: &Shell) -> Rc<Service> {
    let service = Rc::new(test::init_service(App::new().configure(configure(shell.clone()))).await);
    Rc::new(move |request: TestRequest| {
        let service = Rc::clone(&service);
        Box::pin(async move { test::try_call_service(&*service, request.to_request()).await })
    })
}
