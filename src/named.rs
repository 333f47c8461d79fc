//! Things with names: how the command line spells them, and back.

/// Gives an enum its `ALL`, with names, its `name` and its [`Display`](std::fmt::Display); what its things are called, in the
/// singular and the plural.
macro_rules! named {
    ($type:ident, $one:literal, $many:literal, $count:literal: $($name:literal => $variant:ident),+ $(,)?) => {
        impl $type {
            #[doc = concat!("All ", $many, " with their names.")]
            pub const ALL: [(&'static str, $type); $count] = [$(($name, $type::$variant)),+];

            #[doc = concat!("The name of the ", $one, ", as the command line spells it.")]
            pub fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name,)+
                }
            }

            /// What has this name.
            fn of_name(name: &str) -> Option<Self> {
                Self::ALL.iter().find(|(known, _)| *known == name).map(|&(_, named)| named)
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(self.name())
            }
        }
    };
}

pub(crate) use named;
