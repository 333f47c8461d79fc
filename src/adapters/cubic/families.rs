//! Families of cubic graphs.

use petgraph::graph::{NodeIndex, UnGraph};
use rand::{Rng, RngExt};

/// Parameters for which a family has no cubic graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{family} needs {needs}, not {given}")]
pub struct NoSuchGraph {
    family: &'static str,
    needs: &'static str,
    given: String,
}

impl NoSuchGraph {
    fn check(
        holds: bool,
        family: &'static str,
        needs: &'static str,
        given: impl FnOnce() -> String,
    ) -> Result<(), Self> {
        if holds { Ok(()) } else { Err(NoSuchGraph { family, needs, given: given() }) }
    }
}

/// Greater parameters would make graphs of gigabytes.
const MOST: usize = 10_000_000;

/// The generalised Petersen graph GP(n, k): an outer cycle of `n` nodes (`0..n`), a spoke from each to an inner node
/// (`n..2n`), and each inner node joined to those `k` steps from it.
///
/// Source: H. S. M. Coxeter, *Self-dual configurations and regular graphs*, Bulletin of the American Mathematical Society 56,
/// 1950, DOI 10.1090/S0002-9904-1950-09407-5; the name: M. E. Watkins, *A theorem on Tait colorings with an application to the
/// generalized Petersen graphs*, Journal of Combinatorial Theory 6, 1969, DOI 10.1016/S0021-9800(69)80116-X.
///
/// # Errors
/// Unless 3 ≤ `n` ≤ 10⁷ and 1 ≤ `k` < `n`/2: the graph would not be cubic.
pub fn generalised_petersen(n: usize, k: usize) -> Result<UnGraph<(), ()>, NoSuchGraph> {
    let holds = (3..=MOST).contains(&n) && k >= 1 && 2 * k < n;
    NoSuchGraph::check(
        holds,
        "the generalised Petersen graph GP(n, k)",
        "3 <= n <= 10000000 and 1 <= k < n/2",
        || format!("n = {n}, k = {k}"),
    )?;
    Ok(graph(2 * n, (0..n).flat_map(|at| [(at, (at + 1) % n), (at, n + at), (n + at, n + (at + k) % n)])))
}

/// The prism over a cycle of `n` nodes: two such cycles (`0..n` and `n..2n`), joined node by node.
///
/// # Errors
/// Unless 3 ≤ `n` ≤ 10⁷.
pub fn prism(n: usize) -> Result<UnGraph<(), ()>, NoSuchGraph> {
    NoSuchGraph::check((3..=MOST).contains(&n), "a prism", "3 <= n <= 10000000", || format!("n = {n}"))?;
    generalised_petersen(n, 1)
}

/// The Möbius ladder: a cycle of `n` nodes, each joined to the opposite one (R. K. Guy and F. Harary, *On the Möbius
/// ladders*, Canadian Mathematical Bulletin 10, 1967, DOI 10.4153/CMB-1967-046-4).
///
/// # Errors
/// Unless `n` is even, ≥ 4 and ≤ 10⁷.
pub fn moebius_ladder(n: usize) -> Result<UnGraph<(), ()>, NoSuchGraph> {
    let holds = (4..=MOST).contains(&n) && n.is_multiple_of(2);
    NoSuchGraph::check(holds, "a Möbius ladder", "an even number of nodes from 4 to 10000000", || n.to_string())?;
    Ok(graph(n, (0..n).map(|at| (at, (at + 1) % n)).chain((0..n / 2).map(|at| (at, at + n / 2)))))
}

/// The flower snark J(n): `n` stars, whose centres are `0..n` and whose leaves are `n + i`, `2n + i` and `3n + i`; the first
/// leaves form a cycle, and the others one cycle together, twice around. It is a snark for odd `n` ≥ 5, and
/// hypohamiltonian; for odd `n` it has no Hamiltonian cycle.
///
/// Source: R. Isaacs, *Infinite families of nontrivial trivalent graphs which are not Tait colorable*, American Mathematical
/// Monthly 82, 1975, DOI 10.1080/00029890.1975.11993805.
///
/// # Errors
/// Unless 3 ≤ `n` ≤ 10⁷.
pub fn flower_snark(n: usize) -> Result<UnGraph<(), ()>, NoSuchGraph> {
    NoSuchGraph::check((3..=MOST).contains(&n), "a flower snark", "3 <= n <= 10000000", || format!("n = {n}"))?;
    let leaf = |kind: usize, at: usize| kind * n + at;
    let stars = (0..n).flat_map(|at| (1..=3).map(move |kind| (at, leaf(kind, at))));
    let inner = (0..n).map(|at| (leaf(1, at), leaf(1, (at + 1) % n)));
    let outer = (0..2 * n).map(|at| (2 * n + at, 2 * n + (at + 1) % (2 * n)));
    Ok(graph(4 * n, stars.chain(inner).chain(outer)))
}

/// A random cubic graph on `n` nodes, every labelled one equally likely. It may be disconnected, which for larger `n` is
/// rare.
///
/// Each node has three points, and the points are paired at random; a pairing with a loop or parallel edges is thrown away
/// whole, and about e² = 7.4 are tried. Source: B. Bollobás, *A probabilistic proof of an asymptotic formula for the number of
/// labelled regular graphs*, European Journal of Combinatorics 1, 1980, DOI 10.1016/S0195-6698(80)80030-8.
///
/// # Errors
/// Unless `n` is even, ≥ 4 and ≤ 10⁷.
///
/// # Example
/// ```
/// use longhaul::adapters::cubic::{Cubic, random};
/// use rand::SeedableRng;
///
/// let graph = random(20, &mut rand_pcg::Pcg64Mcg::seed_from_u64(1))?;
/// assert!(Cubic::new(&graph).is_ok());
/// # Ok::<(), longhaul::adapters::cubic::NoSuchGraph>(())
/// ```
pub fn random(n: usize, rng: &mut impl Rng) -> Result<UnGraph<(), ()>, NoSuchGraph> {
    let holds = (4..=MOST).contains(&n) && n.is_multiple_of(2);
    NoSuchGraph::check(holds, "a cubic graph", "an even number of nodes from 4 to 10000000", || n.to_string())?;
    let mut points: Vec<usize> = (0..3 * n).collect();
    let mut neighbours = vec![[usize::MAX; 3]; n];
    loop {
        neighbours.fill([usize::MAX; 3]);
        if let Some(edges) = pairing(&mut points, &mut neighbours, rng) {
            return Ok(graph(n, edges.into_iter()));
        }
    }
}

/// Pairs the points; nothing where that makes a loop or parallel edges.
fn pairing(points: &mut [usize], neighbours: &mut [[usize; 3]], rng: &mut impl Rng) -> Option<Vec<(usize, usize)>> {
    let mut edges = Vec::with_capacity(points.len() / 2);
    // The last free point with a random other one: every pairing is equally likely.
    for left in (2..=points.len()).rev().step_by(2) {
        points.swap(left - 2, rng.random_range(0..left - 1));
        let [one, two] = [points[left - 1], points[left - 2]];
        if one / 3 == two / 3 || neighbours[one / 3].contains(&(two / 3)) {
            return None;
        }
        neighbours[one / 3][one % 3] = two / 3;
        neighbours[two / 3][two % 3] = one / 3;
        edges.push((one / 3, two / 3));
    }
    Some(edges)
}

/// A graph from a number of nodes and pairs of them.
pub(super) fn graph(nodes: usize, edges: impl Iterator<Item = (usize, usize)>) -> UnGraph<(), ()> {
    let mut graph = UnGraph::with_capacity(nodes, nodes / 2 * 3);
    for _ in 0..nodes {
        graph.add_node(());
    }
    for (one, two) in edges {
        graph.add_edge(NodeIndex::new(one), NodeIndex::new(two), ());
    }
    graph
}
