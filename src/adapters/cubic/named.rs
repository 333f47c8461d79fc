//! Cubic graphs with a name.

use petgraph::graph::UnGraph;

use super::families::{flower_snark, generalised_petersen, graph};

/// How a named graph is made.
enum Recipe {
    /// A Hamiltonian cycle `0, 1, …` and chords, in the notation of Lederberg, Coxeter and Frucht: from node `i` a chord leads
    /// as many steps along the cycle as the `i`-th entry says, and the entries are repeated.
    Chords(&'static [i32], usize),
    Petersen(usize, usize),
    Flower(usize),
    Coxeter,
    ThreeBridges,
}

/// The names, in the order of the numbers of nodes.
const NAMED: [(&str, Recipe); 25] = [
    ("tetrahedron", Recipe::Chords(&[2], 4)),
    ("utility", Recipe::Chords(&[3], 6)),
    ("cube", Recipe::Chords(&[3, -3], 4)),
    ("wagner", Recipe::Chords(&[4], 8)),
    ("petersen", Recipe::Petersen(5, 2)),
    ("bidiakis-cube", Recipe::Chords(&[-6, 4, -4], 4)),
    ("duerer", Recipe::Petersen(6, 2)),
    ("franklin", Recipe::Chords(&[5, -5], 6)),
    ("frucht", Recipe::Chords(&[-5, -2, -4, 2, 5, -2, 2, 5, -2, -5, 4, 2], 1)),
    ("tietze", Recipe::Flower(3)),
    ("truncated-tetrahedron", Recipe::Chords(&[2, 6, -2], 4)),
    ("heawood", Recipe::Chords(&[5, -5], 7)),
    ("moebius-kantor", Recipe::Chords(&[5, -5], 8)),
    ("three-bridges", Recipe::ThreeBridges),
    ("pappus", Recipe::Chords(&[5, 7, -7, 7, -7, -5], 3)),
    ("desargues", Recipe::Chords(&[5, -5, 9, -9], 5)),
    ("dodecahedron", Recipe::Chords(&[10, 7, 4, -4, -7, 10, -4, 7, -7, 4], 2)),
    ("mcgee", Recipe::Chords(&[12, 7, -7], 8)),
    ("nauru", Recipe::Chords(&[5, -9, 7, -7, 9, -5], 4)),
    ("coxeter", Recipe::Coxeter),
    ("tutte-coxeter", Recipe::Chords(&[-13, -9, 7, -7, 9, 13], 5)),
    ("dyck", Recipe::Chords(&[5, -5, 13, -13], 8)),
    ("gray", Recipe::Chords(&[-25, 7, -7, 13, -13, 25], 9)),
    ("foster", Recipe::Chords(&[17, -9, 37, -37, 9, -17], 15)),
    (
        "tutte-12-cage",
        Recipe::Chords(&[17, 27, -13, -59, -35, 35, -11, 13, -53, 53, -27, 21, 57, 11, -21, -57, 59, -17], 7),
    ),
];

/// A name that no graph here has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no cubic graph '{0}'; the named ones are {names}", names = names().collect::<Vec<_>>().join(", "))]
pub struct UnknownName(String);

/// The names that [`named`] knows, in the order of the numbers of nodes.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMED.iter().map(|(name, _)| *name)
}

/// The cubic graph of this name: the platonic ones, cages, symmetric graphs, and small ones without Hamiltonian cycle.
///
/// `three-bridges` is the smallest connected cubic graph without perfect matching (16 nodes: a centre with three bridges, each
/// to a tetrahedron with a subdivided edge); it has no Hamiltonian path either.
///
/// Source of the notation for most: R. Frucht, *A canonical representation of trivalent Hamiltonian graphs*, Journal of Graph
/// Theory 1, 1977, DOI 10.1002/jgt.3190010111.
///
/// # Errors
/// If no graph here has that name.
///
/// # Example
/// ```
/// use longhaul::adapters::cubic::{Cubic, Hamilton, named};
///
/// let cube = named("cube")?;
/// assert_eq!(Hamilton::of(&Cubic::new(&cube)?).count_cycles(), Ok(6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn named(name: &str) -> Result<UnGraph<(), ()>, UnknownName> {
    let entry = NAMED.iter().find(|(known, _)| *known == name);
    let (_, recipe) = entry.ok_or_else(|| UnknownName(name.to_owned()))?;
    Ok(match *recipe {
        Recipe::Chords(steps, repeats) => chords(steps, repeats),
        Recipe::Petersen(n, k) => generalised_petersen(n, k).expect("parameters of the table"),
        Recipe::Flower(n) => flower_snark(n).expect("parameters of the table"),
        Recipe::Coxeter => coxeter(),
        Recipe::ThreeBridges => three_bridges(),
    })
}

/// Each chord comes up at both its ends and is taken once.
fn chords(steps: &[i32], repeats: usize) -> UnGraph<(), ()> {
    let n = steps.len() * repeats;
    let far = |at: usize| (at as i64 + i64::from(steps[at % steps.len()])).rem_euclid(n as i64) as usize;
    let chords = (0..n).map(|at| (at, far(at))).filter(|(one, two)| one < two);
    graph(n, (0..n).map(|at| (at, (at + 1) % n)).chain(chords))
}

/// Seven stars, whose leaves form three cycles, in steps of 1, 2 and 3 (W. T. Tutte, *A non-Hamiltonian graph*, Canadian
/// Mathematical Bulletin 3, 1960, DOI 10.4153/CMB-1960-001-5).
fn coxeter() -> UnGraph<(), ()> {
    const STARS: usize = 7;
    let leaves = (1..=3).flat_map(|kind| (0..STARS).map(move |at| (kind, at)));
    graph(
        4 * STARS,
        leaves.flat_map(|(kind, at)| {
            let leaf = |at: usize| kind * STARS + at;
            [(at, leaf(at)), (leaf(at), leaf((at + kind) % STARS))]
        }),
    )
}

fn three_bridges() -> UnGraph<(), ()> {
    // From the end of the bridge to two neighbours, which are joined to two more, and those to each other.
    const PART: [(usize, usize); 7] = [(0, 1), (0, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let parts = [1, 6, 11];
    let inside = parts.iter().flat_map(|first| PART.map(|(one, two)| (first + one, first + two)));
    graph(16, parts.map(|first| (0, first)).into_iter().chain(inside))
}
