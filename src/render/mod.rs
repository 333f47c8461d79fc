//! Pictures and the report: a graph with its path, a row of cards, the curve of a run, and one page with all of it.
//!
//! Everything is text in SVG or HTML that needs nothing beside it: no network, no script library, no font. Colours follow the
//! reader's dark or light setting.
//!
//! # Example
//! ```
//! use longhaul::io::{GraphFile, ReadOptions};
//! use longhaul::render::{Shown, picture};
//!
//! let file = GraphFile::parse("ring.el", b"a b\nb c\nc d\nd a\n", &ReadOptions::default())?;
//! let path: Vec<_> = file.graph.node_indices().collect();
//! let svg = picture(&file, &Shown { nodes: &path, closed: false });
//! assert!(svg.starts_with("<svg") && svg.contains("data-from=\"a\" data-to=\"b\""));
//! # Ok::<(), longhaul::io::FileError>(())
//! ```

mod cards;
mod curve;
mod layout;
mod picture;
mod report;
mod shown;
mod svg;
mod tree;

pub use cards::{ShownCard, cards};
pub use curve::curve;
pub use picture::picture;
pub use report::{Fact, Report};
pub use shown::Shown;
