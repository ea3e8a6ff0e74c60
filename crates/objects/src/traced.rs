//! Passes the trace of a request on to the bucket (W3C Trace Context, section 3.2), so that a
//! store that keeps traces shows its part of it.

use async_trait::async_trait;
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpRequest, HttpResponse, HttpService, ReqwestConnector,
};
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry_http::HeaderInjector;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

#[derive(Debug, Default)]
pub struct TracedConnector(ReqwestConnector);

impl HttpConnector for TracedConnector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(TracedClient(self.0.connect(options)?)))
    }
}

#[derive(Debug)]
struct TracedClient(HttpClient);

#[async_trait]
impl HttpService for TracedClient {
    async fn call(&self, mut request: HttpRequest) -> Result<HttpResponse, HttpError> {
        // Without a trace, nothing is added. The signature does not cover it.
        let context = Span::current().context();
        TraceContextPropagator::new().inject_context(&context, &mut HeaderInjector(request.headers_mut()));
        self.0.execute(request).await
    }
}
