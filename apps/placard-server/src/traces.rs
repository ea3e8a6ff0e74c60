//! Traces of requests, sent by OTLP over HTTP to a collector, if `PLACARD_TRACES_URL` names one.

use std::time::Duration;

use async_trait::async_trait;
use desk::installation::settings::InvalidSetting;
use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};
use ureq::Agent;

/// How long a batch may take on its way.
const SENT_WITHIN: Duration = Duration::from_secs(5);
/// How long the end of the server waits for the last ones.
const LAST: Duration = Duration::from_secs(2);

pub struct Traces(SdkTracerProvider);

impl Traces {
    /// How many requests are traced is told by OpenTelemetry's own variables: all, or as
    /// `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG` say.
    pub fn open(url: &str) -> Result<Self, InvalidSetting> {
        let exporter = SpanExporter::builder().with_http().with_http_client(Sender::default()).with_endpoint(url);
        let exporter =
            exporter.build().map_err(|e| InvalidSetting::new("PLACARD_TRACES_URL", format!("{url}: {e}")))?;
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
struct Sender(Agent);

impl Default for Sender {
    fn default() -> Self {
        // If it fails, the same provider was installed before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let config = Agent::config_builder().timeout_global(Some(SENT_WITHIN)).http_status_as_error(false);
        Self(config.build().into())
    }
}

#[async_trait]
impl HttpClient for Sender {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let sent = self.0.run(request.map(|body| body.to_vec()));
        let answer = sent.inspect_err(|error| tracing::warn!(%error, "traces were not sent"))?;
        let (head, mut body) = answer.into_parts();
        Ok(Response::from_parts(head, body.read_to_vec()?.into()))
    }
}
