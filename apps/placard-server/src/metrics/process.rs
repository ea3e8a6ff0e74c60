//! The process, by the names that every program has for Prometheus.

use std::fmt::Error;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Unit;

#[derive(Debug)]
pub struct Process;

impl Collector for Process {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), Error> {
        let Some(bytes) = resident_bytes() else { return Ok(()) };
        let (name, help) = ("process_resident_memory", "Memory that the process holds");
        ConstGauge::new(bytes).encode(encoder.encode_descriptor(name, help, Some(&Unit::Bytes), MetricType::Gauge)?)
    }
}

/// The resident memory from the system's statistics of this process, if it has them.
fn resident_bytes() -> Option<i64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<i64>().ok()?.checked_mul(1024)
}
