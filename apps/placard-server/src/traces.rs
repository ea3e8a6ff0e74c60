//! Traces of requests, sent by OTLP over HTTP to a collector, if `PLACARD_TRACES_URL` names one.

use std::error::Error;
use std::time::Duration;

use async_trait::async_trait;
use desk::installation::settings::InvalidSetting;
use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};
use reqwest::blocking::Client;
use staff::remote::cause;

/// How long a batch may take on its way.
const SENT_WITHIN: Duration = Duration::from_secs(5);
/// How long the end of the server waits for the last ones.
const LAST: Duration = Duration::from_secs(2);

pub struct Traces(SdkTracerProvider);

impl Traces {
    /// How many requests are traced is told by OpenTelemetry's own variables: all, or as
    /// `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG` say.
    pub fn open(url: &str) -> Result<Self, InvalidSetting> {
        let wrong = |error: &dyn Error| InvalidSetting::new("PLACARD_TRACES_URL", format!("{url}: {error}"));
        let sender = Sender::to(url).map_err(|e| wrong(cause(&e)))?;
        let exporter = SpanExporter::builder().with_http().with_http_client(sender).with_endpoint(url);
        let exporter = exporter.build().map_err(|e| wrong(&e))?;
        let resource = Resource::builder()
            .with_service_name("placard-server")
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .build();
        Ok(Self(SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build()))
    }

    pub fn tracer(&self) -> SdkTracer {
        self.0.tracer("placard-server")
    }

    /// Sends what is left.
    pub fn end(self) {
        if let Err(error) = self.0.shutdown_with_timeout(LAST) {
            tracing::warn!(%error, "the last traces were not sent");
        }
    }
}

/// OpenTelemetry calls it on a thread of its own, so it may block.
#[derive(Debug)]
struct Sender(Client);

impl Sender {
    fn to(url: &str) -> reqwest::Result<Self> {
        // If it fails, the same provider was installed before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        // HTTP/2 would be traced itself.
        let client = Client::builder().http1_only();
        // Without TLS, the system's certificate authorities are not needed.
        let client = if url.starts_with("http:") { client.tls_certs_only([]) } else { client };
        client.build().map(Self)
    }

    fn send(&self, request: Request<Bytes>) -> reqwest::Result<Response<Bytes>> {
        let mut request = reqwest::blocking::Request::try_from(request)?;
        // The timeout is set on the request and not on the client, so that it covers the whole answer.
        *request.timeout_mut() = Some(SENT_WITHIN);
        let mut answer = self.0.execute(request)?;
        let (status, headers) = (answer.status(), std::mem::take(answer.headers_mut()));
        let mut response = Response::new(answer.bytes()?);
        (*response.status_mut(), *response.headers_mut()) = (status, headers);
        Ok(response)
    }
}

#[async_trait]
impl HttpClient for Sender {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let sent = self.send(request);
        Ok(sent.inspect_err(|error| tracing::warn!(error = %cause(error), "traces were not sent"))?)
    }
}
