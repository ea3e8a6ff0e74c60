//! Values in answers. Named enumerations are shown by their names, and the OpenAPI
//! document lists them. Amounts, moments and ids are texts, so that no client loses digits.

use std::fmt::Display;
use std::str::FromStr;

pub use serde;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
pub use utoipa;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};

use crate::{Money, Rate, Timestamp};

/// The schema name of a value that is a plain text. The OpenAPI document has no such schema: each place says `string`
/// itself.
pub const TEXT: &str = "Text";

/// Shows a value as its `Display` writes it.
macro_rules! shown_as_text {
    ($($name:ty),+ $(,)?) => {$(
        impl $crate::views::serde::Serialize for $name {
            fn serialize<S: $crate::views::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> $crate::views::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::views::serde::Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
                $crate::views::parse(value)
            }
        }

        impl $crate::views::utoipa::PartialSchema for $name {
            fn schema() -> $crate::views::utoipa::openapi::RefOr<$crate::views::utoipa::openapi::schema::Schema> {
                $crate::views::text()
            }
        }

        impl $crate::views::utoipa::ToSchema for $name {
            fn name() -> std::borrow::Cow<'static, str> {
                std::borrow::Cow::Borrowed($crate::views::TEXT)
            }
        }
    )+};
}
pub(crate) use shown_as_text;

shown_as_text!(Money, Rate, Timestamp);

pub(crate) fn text() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).into()
}

/// # Errors
/// If the type's `Display` does not write this text.
pub(crate) fn parse<'de, D: Deserializer<'de>, T: FromStr>(value: D) -> Result<T, D::Error>
where
    T::Err: Display,
{
    String::deserialize(value)?.parse().map_err(D::Error::custom)
}

/// # Errors
/// If the text is no name of this enumeration.
pub fn read<'de, D: Deserializer<'de>, T>(value: D, from_name: fn(&str) -> Option<T>) -> Result<T, D::Error> {
    let name = String::deserialize(value)?;
    from_name(&name).ok_or_else(|| D::Error::custom(format!("{name} is not known here")))
}

pub fn schema(names: impl Iterator<Item = &'static str>) -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names)).into()
}

/// Lets an enumeration with `ALL`, `name` and `from_name` be a field of a view.
#[macro_export]
macro_rules! shown_by_name {
    ($name:ident) => {
        $crate::shown_by_name!($name as stringify!($name));
    };
    ($name:ident as $schema:expr) => {
        impl $crate::views::serde::Serialize for $name {
            fn serialize<S: $crate::views::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.name())
            }
        }

        impl<'de> $crate::views::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::views::serde::Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
                $crate::views::read(value, Self::from_name)
            }
        }

        impl $crate::views::utoipa::PartialSchema for $name {
            fn schema() -> $crate::views::utoipa::openapi::RefOr<$crate::views::utoipa::openapi::schema::Schema> {
                $crate::views::schema(Self::ALL.iter().map(|each| each.name()))
            }
        }

        impl $crate::views::utoipa::ToSchema for $name {
            fn name() -> std::borrow::Cow<'static, str> {
                std::borrow::Cow::Borrowed($schema)
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use utoipa::PartialSchema;

    use super::*;
    use crate::PlanId;

    #[test]
    fn amounts_moments_and_ids_are_texts() {
        let at = Timestamp::from_millis(1_700_000_000_123);
        let value = (Money::from_minor(-5), at, PlanId(12), Rate::percent(5));
        let text = r#"["-0.05","2023-11-14T22:13:20.123Z","12","0.05"]"#;
        assert_eq!(serde_json::to_string(&value).expect("JSON"), text);
        assert_eq!(serde_json::from_str::<(Money, Timestamp, PlanId, Rate)>(text).expect("values"), value);
        assert!(serde_json::from_str::<PlanId>(r#""0""#).is_err());
        assert!(serde_json::from_str::<Money>("5").is_err());
        let described = serde_json::to_value(Money::schema()).expect("JSON");
        assert_eq!(described, serde_json::json!({ "type": "string" }));
    }
}
