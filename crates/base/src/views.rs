//! Named enumerations in answers: in JSON by their names, in the OpenAPI
//! document as the list of them.

pub use serde;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
pub use utoipa;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};

/// # Errors
/// Text that is the name of nothing here.
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
