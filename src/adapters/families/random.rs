//! Random graphs without places.

use hashbrown::HashSet;
use rand::{Rng, RngExt};

use super::{MOST_EDGES, MOST_NODES, NoSuchGraph, check, graph};
use crate::io::GraphFile;

/// G(n, p): each pair of `n` nodes is joined with probability `p`, by itself (E. N. Gilbert, *Random Graphs*, Annals of
/// Mathematical Statistics 30, 1959, DOI 10.1214/aoms/1177706098). Takes time for the edges it makes only (V. Batagelj,
/// U. Brandes, *Efficient generation of large random networks*, Physical Review E 71, 2005, DOI 10.1103/PhysRevE.71.036113).
///
/// # Errors
/// Unless `p` is a probability, n ≤ 10⁷, and 10⁸ edges at most are to be expected.
pub fn gnp(n: usize, p: f64, rng: &mut impl Rng) -> Result<GraphFile, NoSuchGraph> {
    check_nodes("G(n, p)", n)?;
    check((0.0..=1.0).contains(&p), "G(n, p)", "a probability p from 0 to 1", || p.to_string())?;
    check_edges("G(n, p)", p * pairs(n) as f64)?;
    let mut edges = Vec::new();
    // Pairs in a row, from one that is joined to the next: so many lie between as a geometric distribution says.
    let (mut high, mut low) = (1usize, -1i64);
    let between = (1.0 - p).ln();
    while p > 0.0 && high < n {
        let skipped = if p == 1.0 { 0.0 } else { ((1.0 - rng.random::<f64>()).ln() / between).floor() };
        low = low.saturating_add(1).saturating_add(skipped.min(1e18) as i64);
        while high < n && low >= high as i64 {
            low -= high as i64;
            high += 1;
        }
        if high < n {
            edges.push((low as usize, high));
        }
    }
    Ok(graph(n, edges))
}

/// G(n, m): each simple graph of `n` nodes and `m` edges is equally likely (P. Erdős, A. Rényi, *On random graphs I*,
/// Publicationes Mathematicae Debrecen 6, 1959).
///
/// # Errors
/// Unless there are `m` pairs of nodes, n ≤ 10⁷ and m ≤ 10⁸.
pub fn gnm(n: usize, m: usize, rng: &mut impl Rng) -> Result<GraphFile, NoSuchGraph> {
    check_nodes("G(n, m)", n)?;
    check(m as u128 <= pairs(n), "G(n, m)", format!("{} edges at most", pairs(n)), || m.to_string())?;
    check_edges("G(n, m)", m as f64)?;
    // Where more than half of the pairs are edges, those that are none are fewer.
    let dense = m as u128 > pairs(n) / 2;
    let wanted = if dense { (pairs(n) - m as u128) as usize } else { m };
    let mut drawn = HashSet::with_capacity(wanted);
    let mut order = Vec::with_capacity(wanted);
    while order.len() < wanted {
        let (one, two) = (rng.random_range(0..n), rng.random_range(0..n));
        let pair = (one.min(two), one.max(two));
        if one != two && drawn.insert(pair) {
            order.push(pair);
        }
    }
    if dense {
        order =
            (0..n).flat_map(|two| (0..two).map(move |one| (one, two))).filter(|pair| !drawn.contains(pair)).collect();
    }
    Ok(graph(n, order))
}

/// A random simple graph in which each of `n` nodes has `degree` neighbours: half-edges are paired at random, and pairs that
/// are loops or parallel are exchanged with others until none is. Not each graph is exactly as likely as another.
///
/// # Errors
/// Unless n · degree is even, degree < n, n ≤ 10⁷ and there are 10⁸ edges at most.
pub fn regular(n: usize, degree: usize, rng: &mut impl Rng) -> Result<GraphFile, NoSuchGraph> {
    const FAMILY: &str = "a regular graph";
    check_nodes(FAMILY, n)?;
    check(degree < n.max(1), FAMILY, "a degree below the number of nodes", || degree.to_string())?;
    check((n as u128 * degree as u128).is_multiple_of(2), FAMILY, "an even number of ends of edges", || {
        format!("{n} nodes of degree {degree}")
    })?;
    check_edges(FAMILY, n as f64 * degree as f64 / 2.0)?;
    if degree > n / 2 {
        // Who isn't joined makes a regular graph as well, and a sparser one is found sooner.
        let sparse = regular(n, n - 1 - degree, rng)?;
        let ends = sparse.graph.raw_edges().iter().map(|edge| (edge.source().index(), edge.target().index()));
        let absent: HashSet<(usize, usize)> = ends.map(|(one, two)| (one.min(two), one.max(two))).collect();
        let all = (0..n).flat_map(|two| (0..two).map(move |one| (one, two)));
        return Ok(graph(n, all.filter(|pair| !absent.contains(pair))));
    }
    let mut points: Vec<usize> = (0..n * degree).map(|point| point / degree).collect();
    loop {
        shuffle(&mut points, rng);
        if let Some(edges) = repaired(&mut points, |_, _| true, rng) {
            return Ok(graph(n, edges));
        }
    }
}

/// Pairs neighbours in the list, exchanging the ends of pairs that are loops, parallel or not `allowed`, until all are
/// well; `None` if that takes too long.
pub(super) fn repaired(
    points: &mut [usize],
    allowed: impl Fn(usize, usize) -> bool,
    rng: &mut impl Rng,
) -> Option<Vec<(usize, usize)>> {
    const ROUNDS: usize = 400;
    let pair = |points: &[usize], at: usize| (points[at].min(points[at + 1]), points[at].max(points[at + 1]));
    for _ in 0..ROUNDS {
        let mut met = HashSet::with_capacity(points.len() / 2);
        let mut bad = Vec::new();
        for at in (0..points.len()).step_by(2) {
            let (one, two) = pair(points, at);
            if one == two || !allowed(one, two) || !met.insert((one, two)) {
                bad.push(at);
            }
        }
        if bad.is_empty() {
            return Some((0..points.len()).step_by(2).map(|at| pair(points, at)).collect());
        }
        for at in bad {
            points.swap(at, rng.random_range(0..points.len()));
        }
    }
    None
}

/// Preferential attachment: beginning with a star of `links` + 1 nodes, each new node is joined to `links` others, each chosen
/// with a probability in proportion to its degree (A.-L. Barabási, R. Albert, *Emergence of scaling in random networks*, Science
/// 286, 1999, DOI 10.1126/science.286.5439.509).
///
/// # Errors
/// Unless 1 ≤ links < n, n ≤ 10⁷ and there are 10⁸ edges at most.
pub fn barabasi_albert(n: usize, links: usize, rng: &mut impl Rng) -> Result<GraphFile, NoSuchGraph> {
    const FAMILY: &str = "a graph of preferential attachment";
    check_nodes(FAMILY, n)?;
    check((1..n).contains(&links), FAMILY, "1 link or more, and fewer than nodes", || {
        format!("{links} links, {n} nodes")
    })?;
    check_edges(FAMILY, n as f64 * links as f64)?;
    let mut edges: Vec<(usize, usize)> = (1..=links).map(|leaf| (0, leaf)).collect();
    // Every node as often as its degree.
    let mut ends: Vec<usize> = edges.iter().flat_map(|&(one, two)| [one, two]).collect();
    let mut chosen: Vec<usize> = Vec::with_capacity(links);
    for node in links + 1..n {
        chosen.clear();
        while chosen.len() < links {
            let other = ends[rng.random_range(0..ends.len())];
            if !chosen.contains(&other) {
                chosen.push(other);
            }
        }
        for &other in &chosen {
            edges.push((other, node));
            ends.extend([other, node]);
        }
    }
    Ok(graph(n, edges))
}

pub(super) fn shuffle(points: &mut [usize], rng: &mut impl Rng) {
    for last in (1..points.len()).rev() {
        points.swap(last, rng.random_range(0..=last));
    }
}

pub(super) fn check_nodes(family: &'static str, n: usize) -> Result<(), NoSuchGraph> {
    check((1..=MOST_NODES).contains(&n), family, format!("1 to {MOST_NODES} nodes"), || n.to_string())
}

fn check_edges(family: &'static str, edges: f64) -> Result<(), NoSuchGraph> {
    check(edges <= MOST_EDGES as f64, family, format!("{MOST_EDGES} edges at most"), || format!("about {edges:.0}"))
}

fn pairs(n: usize) -> u128 {
    n as u128 * (n as u128).saturating_sub(1) / 2
}
