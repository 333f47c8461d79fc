//! A trail that meets everything, where one is easily found: a tree that spans enough, its parities mended by what is left.
//!
//! A connected set of edges is a trail if no more than two vertices are odd. So a tree is grown that spans a set of vertices
//! whose complement is independent and worthless (then every bundle has an end in the tree, and every gain is in it), and the
//! odd vertices of the tree are joined in pairs by the edges outside it: in each component of what is left, a spanning forest
//! read from its leaves upwards joins all odd vertices but one at most. Bundles of two or more serve both ends: in the tree
//! they may be traversed once or twice, which is a choice of parity for nothing.
//!
//! This is the way in which two edge-disjoint spanning trees make a spanning closed trail (François Jaeger, *A note on
//! sub-Eulerian graphs*, Journal of Graph Theory 3, 1979, DOI 10.1002/jgt.3190030110), with random trees instead of a proof
//! that they exist, and with less to span. A few trials of `O(m α(n))` each; dense roots need one.

use fixedbitset::FixedBitSet;
use petgraph::unionfind::UnionFind;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use super::bundle::Trail;
use super::core::Core;
use crate::instance::Budget;

/// How many trees are tried, and how many bundles they may look at in all beyond the first few.
const TRIALS: usize = 60;
const FIRST_TRIALS: usize = 6;
const WORK: usize = 4_000_000;

/// A trail worth [`Core::total`], prizes aside, if one of the trials makes one.
pub(super) fn find_cover(core: &Core, budget: &Budget) -> Option<Trail> {
    find_cover_without(core, &FixedBitSet::with_capacity(core.vertex_count()), TRIALS, budget)
}

/// The same, but for a trail that leaves certain vertices out and meets all that can be met so: after so many trials at most.
pub(super) fn find_cover_without(core: &Core, left_out: &FixedBitSet, trials: usize, budget: &Budget) -> Option<Trail> {
    if core.vertex_count() == 1 {
        return Some(core.alone(0));
    }
    let left_in = left_out.count_zeroes(..);
    let mut rng = Pcg64Mcg::seed_from_u64(budget.seed);
    let optional = [Optional::None, Optional::Side(0), Optional::Side(1), Optional::Sparse];
    let spare: Vec<FixedBitSet> = optional.iter().filter_map(|&kind| spare(core, kind)).collect();
    let mut work = 0;
    for trial in 0..trials {
        if trial >= FIRST_TRIALS && work > WORK || budget.spent().is_some() {
            break;
        }
        work += core.bundles.len();
        let spare = &spare[trial % spare.len()];
        let trail = tree(core, left_out, left_in, spare, &mut rng).and_then(|tree| mended(core, left_out, spare, tree));
        if trail.is_some() {
            return trail;
        }
    }
    None
}

/// Which vertices need not be spanned.
#[derive(Clone, Copy)]
enum Optional {
    None,
    /// The worthless ones on one side of a bipartite core.
    Side(u8),
    /// Worthless ones of small degree, no two of them adjacent.
    Sparse,
}

/// For each vertex whether it may be left out; `None` if that is no set of its own for this core.
fn spare(core: &Core, optional: Optional) -> Option<FixedBitSet> {
    let n = core.vertex_count();
    let worthless = |vertex: u32| core.gains[vertex as usize] == 0;
    let mut spare = FixedBitSet::with_capacity(n);
    match optional {
        Optional::None => {}
        Optional::Side(side) => {
            let sides = sides(core)?;
            (0..n as u32).filter(|&vertex| sides[vertex as usize] == side && worthless(vertex)).for_each(|vertex| {
                spare.insert(vertex as usize);
            });
        }
        Optional::Sparse => {
            let mut by_degree: Vec<u32> = (0..n as u32).filter(|&vertex| worthless(vertex)).collect();
            by_degree.sort_by_key(|&vertex| core.arcs(vertex).len());
            for vertex in by_degree {
                let is_spare = core.arcs(vertex).iter().all(|&(other, _)| !spare[other as usize]);
                spare.set(vertex as usize, is_spare);
            }
        }
    }
    Some(spare)
}

/// The side of each vertex, 0 or 1, if the core is bipartite.
fn sides(core: &Core) -> Option<Vec<u8>> {
    let mut side = vec![u8::MAX; core.vertex_count()];
    side[0] = 0;
    let mut queue = vec![0u32];
    let mut next = 0;
    while let Some(&vertex) = queue.get(next) {
        next += 1;
        for &(other, _) in core.arcs(vertex) {
            if side[other as usize] == u8::MAX {
                side[other as usize] = 1 - side[vertex as usize];
                queue.push(other);
            } else if side[other as usize] == side[vertex as usize] {
                return None;
            }
        }
    }
    Some(side)
}

/// A random tree through all vertices but those left out and some of the spare ones, of bundles of two or more where that is
/// possible; as a mark for each bundle. `None` if what is left in does not hang together.
fn tree(
    core: &Core,
    left_out: &FixedBitSet,
    left_in: usize,
    spare: &FixedBitSet,
    rng: &mut Pcg64Mcg,
) -> Option<FixedBitSet> {
    let n = core.vertex_count();
    let mut sets = UnionFind::new(n);
    let is_in = |bundle: &u32| core.bundles[*bundle as usize].ends.iter().all(|&end| !left_out[end as usize]);
    let mut order: Vec<u32> = (0..core.bundles.len() as u32).filter(is_in).collect();
    order.shuffle(rng);
    let mut joined = 1;
    // Spare vertices are joined last, so that most of them end as leaves.
    let rank = |bundle: u32| {
        let bundle = core.bundles[bundle as usize];
        let to_spare = bundle.ends.iter().any(|&end| spare[end as usize]);
        (to_spare, bundle.count < 2)
    };
    let mut in_tree = FixedBitSet::with_capacity(core.bundles.len());
    let mut degree = vec![0u32; n];
    for wanted in [(false, false), (false, true), (true, false), (true, true)] {
        for &bundle in order.iter().filter(|&&bundle| rank(bundle) == wanted) {
            let ends = core.bundles[bundle as usize].ends;
            if sets.union(ends[0], ends[1]) {
                joined += 1;
                in_tree.insert(bundle as usize);
                ends.iter().for_each(|&end| degree[end as usize] += 1);
            }
        }
    }
    if joined < left_in {
        return None;
    }
    let mut leaves: Vec<u32> =
        (0..n as u32).filter(|&vertex| spare[vertex as usize] && degree[vertex as usize] == 1).collect();
    while let Some(leaf) = leaves.pop() {
        let arc = core.arcs(leaf).iter().find(|&&(_, bundle)| in_tree[bundle as usize]);
        let Some(&(other, bundle)) = arc else { continue };
        in_tree.remove(bundle as usize);
        degree[leaf as usize] -= 1;
        degree[other as usize] -= 1;
        if spare[other as usize] && degree[other as usize] == 1 {
            leaves.push(other);
        }
    }
    Some(in_tree)
}

/// The tree with its parities mended, if two odd vertices at most remain.
fn mended(core: &Core, left_out: &FixedBitSet, spare: &FixedBitSet, in_tree: FixedBitSet) -> Option<Trail> {
    let n = core.vertex_count();
    let mut uses: Vec<u8> = (0..core.bundles.len()).map(|bundle| u8::from(in_tree[bundle])).collect();
    let mut odd = FixedBitSet::with_capacity(n);
    let mut start = (0..n as u32).find(|&vertex| !spare[vertex as usize] && !left_out[vertex as usize])?;
    for bundle in in_tree.ones().map(|bundle| &core.bundles[bundle]) {
        start = bundle.ends[0];
        bundle.ends.iter().for_each(|&end| odd.toggle(end as usize));
    }
    // Depth first through the bundles whose parity is free; each vertex after all that was reached from it.
    let is_free = |bundle: u32| !in_tree[bundle as usize] || core.bundles[bundle as usize].count >= 2;
    let mut order: Vec<(u32, Option<(u32, u32)>)> = Vec::with_capacity(n);
    let mut reached = FixedBitSet::with_capacity(n);
    for top in 0..n as u32 {
        if left_out[top as usize] || reached.put(top as usize) {
            continue;
        }
        let mut next = order.len();
        order.push((top, None));
        while let Some(&(vertex, _)) = order.get(next) {
            next += 1;
            for &(other, bundle) in core.arcs(vertex) {
                if is_free(bundle) && !left_out[other as usize] && !reached.put(other as usize) {
                    order.push((other, Some((vertex, bundle))));
                }
            }
        }
    }
    let mut left = 0;
    for &(vertex, above) in order.iter().rev() {
        match above {
            Some((other, bundle)) if odd[vertex as usize] => {
                odd.remove(vertex as usize);
                odd.toggle(other as usize);
                let uses = &mut uses[bundle as usize];
                *uses = if *uses == 1 { 2 } else { 1 };
            }
            None if odd[vertex as usize] => left += 1,
            _ => {}
        }
    }
    (left <= core.most_odd()).then_some(Trail { uses, start, ends: None })
}
