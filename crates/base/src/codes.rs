//! Enumerations with a name for clients. Those that are in the database have a
//! number as well, which never changes its meaning.

/// The number belongs to no variant: the row is damaged, or a newer version wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no such code: {0}")]
pub struct UnknownCode(pub i16);

/// Declares an enumeration with the name of each variant beside it. Views show this name. `as` names the type in the
/// OpenAPI document.
#[macro_export]
macro_rules! named {
    ($(#[$doc:meta])* $name:ident $(as $schema:literal)? { $($(#[$variant_doc:meta])* $variant:ident $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The snake_case name that clients see.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// Reads what `name` wrote; `None` for anything else.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|each| each.name() == name)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        $crate::shown_by_name!($name $(as $schema)?);
    };
}

/// Declares a named enumeration with its stable code as well, on one line each,
/// so that neither can be forgotten or drift from the other.
#[macro_export]
macro_rules! coded {
    ($(#[$doc:meta])* $name:ident $(as $schema:literal)? { $($(#[$variant_doc:meta])* $variant:ident = $code:literal $text:literal),+ $(,)? }) => {
        $crate::named!($(#[$doc])* $name $(as $schema)? { $($(#[$variant_doc])* $variant $text),+ });

        impl $name {
            /// The number kept in the database; never reused.
            pub const fn code(self) -> i16 {
                match self { $(Self::$variant => $code),+ }
            }
        }

        impl TryFrom<i16> for $name {
            type Error = $crate::UnknownCode;
            fn try_from(code: i16) -> Result<Self, Self::Error> {
                match code {
                    $($code => Ok(Self::$variant),)+
                    other => Err($crate::UnknownCode(other)),
                }
            }
        }

        $crate::stored_by_code!($name { $($variant = $code),+ });
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    coded!(
        /// For the tests.
        Colour as "Paint" {
            Red = 1 "red",
            DarkBlue = 7 "dark_blue",
        }
    );

    #[test]
    fn codes_and_names_lead_back() {
        for colour in Colour::ALL.iter().copied() {
            assert_eq!(Colour::try_from(colour.code()), Ok(colour));
            assert_eq!(Colour::from_name(colour.name()), Some(colour));
        }
        assert_eq!(Colour::try_from(2), Err(UnknownCode(2)));
        assert_eq!(Colour::from_name("Red"), None);
        assert_eq!(Colour::DarkBlue.to_string(), "dark_blue");
    }

    #[cfg(feature = "views")]
    #[test]
    fn views_show_names_and_describe_them() {
        use utoipa::{PartialSchema, ToSchema};
        assert_eq!(serde_json::to_string(&Colour::DarkBlue).expect("JSON"), r#""dark_blue""#);
        assert_eq!(serde_json::from_str::<Colour>(r#""red""#).ok(), Some(Colour::Red));
        assert!(serde_json::from_str::<Colour>(r#""green""#).is_err());
        let described = serde_json::to_value(Colour::schema()).expect("JSON");
        assert_eq!(described, serde_json::json!({ "type": "string", "enum": ["red", "dark_blue"] }));
        assert_eq!(Colour::name(Colour::Red), "red");
        assert_eq!(<Colour as ToSchema>::name(), "Paint");
    }
}
