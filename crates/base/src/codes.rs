//! Enumerations with a number for the database, which never changes its meaning,
//! and a name for clients.

/// The number belongs to no variant: the row is damaged, or a newer version wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no such code: {0}")]
pub struct UnknownCode(pub i16);

/// Declares an enumeration with the code and the name of each variant on one line,
/// so that neither can be forgotten.
#[macro_export]
macro_rules! coded {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $code:literal $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The number kept in the database; never reused.
            pub const fn code(self) -> i16 {
                match self { $(Self::$variant => $code),+ }
            }

            /// The snake_case name that clients see.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// Reads what `name` wrote; `None` for anything else.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|each| each.name() == name)
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

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    coded!(
        /// For the tests.
        Colour {
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
}
