//! Tours: where weights differ and edges are many, a path through all vertices by chained Lin–Kernighan.
//!
//! A path with what joins its ends is a cycle through all *nodes*: the vertices and, for a path, a depot that is joined to the
//! vertices where paths may have their ends. Where the beginning and the end are not worth the same, and where edges are
//! directed, there are two nodes for one thing, an `in` and an `out`, which follow each other in every tour (R. Jonker,
//! T. Volgenant, *Transforming asymmetric into symmetric traveling salesman problems*, Operations Research Letters 2 (1983)
//! 161–163, doi:10.1016/0167-6377(83)90048-2). Where no edge joins two neighbours on the tour there is a *gap*, which costs more
//! than all weights; the path is the best that lies between gaps.
//!
//! What an edge weighs is less the *potentials* of its ends, which changes all tours alike: they are such that each node has
//! about two edges of a positive weight, by descent in one coordinate of the dual of the 2-matching relaxation after the
//! other. So the candidates for a new link are the edges of the greatest weights, wherever they lie.
//!
//! Sources: S. Lin and B. W. Kernighan, *An effective heuristic algorithm for the traveling-salesman problem*, Operations
//! Research 21 (1973) 498–516, doi:10.1287/opre.21.2.498; D. Applegate, W. Cook and A. Rohe, *Chained Lin–Kernighan for large
//! traveling salesman problems*, INFORMS Journal on Computing 15 (2003) 82–92, doi:10.1287/ijoc.15.1.82.15157; for what the
//! potentials do to the candidates, K. Helsgaun, *An effective implementation of the Lin–Kernighan traveling salesman
//! heuristic*, European Journal of Operational Research 126 (2000) 106–130, doi:10.1016/S0377-2217(99)00284-2.

mod chain;
mod nodes;
mod question;
#[cfg(test)]
mod tests;

use self::chain::Chain;
pub(super) use self::nodes::Nodes;
pub(super) use self::question::Question;
