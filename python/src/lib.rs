//! What the Python package `longhaul` calls: graphs as arrays of numbers in, answers as numbers out.
//!
//! The package's own Python reads graphs of all kinds and gives nodes their names back; here every question runs as a
//! [search](search) on a thread of its own, without the GIL.

mod adjacency;
mod answer;
mod cards;
mod edges;
mod failure;
mod games;
mod k_path;
mod limits;
mod path;
mod pieces;
mod search;
mod structure;
mod trail;

use pyo3::prelude::*;

#[pymodule]
mod _longhaul {
    #[pymodule_export]
    use crate::adjacency::read_adjacency;
    #[pymodule_export]
    use crate::cards::{Listing, check_dobble, dobble, maximal_cliques, rummy, rummy_count, rummy_list};
    #[pymodule_export]
    use crate::edges::Edges;
    #[pymodule_export]
    use crate::games::{maximum_clique, read_deck, uno, uno_count};
    #[pymodule_export]
    use crate::k_path::k_path;
    #[pymodule_export]
    use crate::path::{PathList, count, list_paths, longest_path};
    #[pymodule_export]
    use crate::pieces::{Asking, Solving, Sweeping};
    #[pymodule_export]
    use crate::structure::{picture, read_file, structure};
    #[pymodule_export]
    use crate::trail::longest_trail;

    use longhaul::Engine;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("ENGINES", Engine::ALL.map(|(name, _)| name))?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
