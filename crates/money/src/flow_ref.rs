use foundation::Error;
use serde::Serialize;
use utoipa::ToSchema;
use wallet::DocumentKind;

/// The document behind a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FlowRef {
    #[serde(rename = "type")]
    pub kind: DocumentKind,
    pub id: String,
}

impl FlowRef {
    /// Reads a reference from its stored kind and id.
    pub fn of(kind: &str, id: i64) -> Result<Self, Error> {
        let unknown = || store::Error::Corrupt(format!("there are no documents {kind}"));
        Ok(Self { kind: DocumentKind::from_name(kind).ok_or_else(unknown)?, id: id.to_string() })
    }
}
