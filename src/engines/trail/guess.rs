//! A trail near a fractional one: rounded, its parities mended where that costs least, its best part kept and extended.
//!
//! Rounded values leave odd vertices behind. All but two are joined in pairs along a spanning tree of the bundles that are
//! cheapest to turn from even to odd or back. What results is closed trails and perhaps one open trail, of which the best
//! component is kept. Then its ends move on, along bundles that it doesn't traverse, whether or not it has been there before,
//! as long as that leads to anything new.

use std::collections::VecDeque;

use fixedbitset::FixedBitSet;
use petgraph::unionfind::UnionFind;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::bundle::{Bundle, Trail};
use super::core::Core;
use super::pendants::odd_vertices;
use crate::instance::Budget;

/// Trails made of a trail by chance: at most, at least, and for how many vertices and bundles in all.
const MOST_ROUNDS: usize = 200;
const FEWEST_ROUNDS: usize = 8;
const ROUND_WORK: usize = 4_000_000;

/// How far chance moves what is rounded.
const NOISE: f64 = 0.6;

/// Vertices that the ends of a trail may look at as they move on.
const EXTENSION_WORK: usize = 20_000_000;

/// The best of a few trails: that through everything, mended, and what becomes of the best so far when its bundles are
/// rounded and mended again with a little chance.
pub(super) fn climb(core: &Core, budget: &Budget) -> Trail {
    let mut rng = Pcg64Mcg::seed_from_u64(budget.seed);
    let none = vec![0.0; core.vertex_count()];
    let mut weights = vec![[1.0, 0.5]; core.bundles.len()];
    let mut best = guess(core, &weights, &none);
    let mut worth = core.value(&best);
    let rounds = (ROUND_WORK / (core.vertex_count() + core.bundles.len())).clamp(FEWEST_ROUNDS, MOST_ROUNDS);
    for _ in 0..rounds {
        if worth == core.most() || budget.spent().is_some() {
            break;
        }
        for (pair, &uses) in weights.iter_mut().zip(&best.uses) {
            let moved = |used: bool, chance: f64| if used { 1.0 - chance * NOISE } else { chance * NOISE };
            *pair = [moved(uses > 0, rng.random()), moved(uses > 1, rng.random())];
        }
        let trail = guess(core, &weights, &none);
        let value = core.value(&trail);
        if value >= worth {
            (best, worth) = (trail, value);
        }
    }
    best
}

/// Rounds and mends; `weights` are the values of each bundle's first and second line, `ends` those of the ends.
pub(super) fn guess(core: &Core, weights: &[[f64; 2]], ends: &[f64]) -> Trail {
    let rounded = |(bundle, pair): (&Bundle, &[f64; 2])| {
        let lines = &pair[..bundle.count.min(2) as usize];
        lines.iter().filter(|&&value| value > 0.5).count() as u8
    };
    let mut uses: Vec<u8> = core.bundles.iter().zip(weights).map(rounded).collect();
    mend(core, weights, ends, &mut uses);
    let trail = best_component(core, uses);
    if core.is_closed() {
        return trail;
    }
    let mut extended = trail.clone();
    extend(core, &mut extended);
    if core.pendants().is_none() {
        return extended;
    }
    // What is gained by moving the ends may be lost by their prizes.
    let [trail, extended] = [trail, extended].map(|trail| core.with_pendants(trail));
    if core.value(&extended) > core.value(&trail) { extended } else { trail }
}

/// Leaves two odd vertices at most, none where trails are closed.
fn mend(core: &Core, weights: &[[f64; 2]], ends: &[f64], uses: &mut [u8]) {
    let mut odd = odd_vertices(core.vertex_count(), &core.bundles, uses);
    let mut list: Vec<u32> = odd.ones().map(|vertex| vertex as u32).collect();
    if list.len() <= core.most_odd() {
        return;
    }
    list.sort_by(|&one, &two| ends[two as usize].total_cmp(&ends[one as usize]).then(one.cmp(&two)));
    list[..core.most_odd()].iter().for_each(|&vertex| odd.remove(vertex as usize));

    // What each bundle is turned to, and what that costs.
    let turned = |bundle: usize| -> (u8, f64) {
        let [one, two] = weights[bundle];
        match uses[bundle] {
            0 => (1, 1.0 - one),
            1 if core.bundles[bundle].count >= 2 && 1.0 - two < one => (2, 1.0 - two),
            1 => (0, one),
            _ => (1, two),
        }
    };
    let turns: Vec<(u8, f64)> = (0..uses.len()).map(turned).collect();
    let mut order: Vec<u32> = (0..uses.len() as u32).collect();
    order.sort_by(|&one, &two| turns[one as usize].1.total_cmp(&turns[two as usize].1).then(one.cmp(&two)));
    let mut sets = UnionFind::new(core.vertex_count());
    let mut in_tree = FixedBitSet::with_capacity(uses.len());
    for bundle in order {
        let [one, two] = core.bundles[bundle as usize].ends;
        in_tree.set(bundle as usize, sets.union(one, two));
    }
    for (vertex, above) in tree_order(core, &in_tree).into_iter().rev() {
        if let Some((other, bundle)) = above
            && odd[vertex as usize]
        {
            odd.remove(vertex as usize);
            odd.toggle(other as usize);
            uses[bundle as usize] = turns[bundle as usize].0;
        }
    }
}

/// The vertices of a spanning tree, each after the one above it, with that and the bundle between.
fn tree_order(core: &Core, in_tree: &FixedBitSet) -> Vec<(u32, Option<(u32, u32)>)> {
    let mut order = vec![(0, None)];
    let mut reached = FixedBitSet::with_capacity(core.vertex_count());
    reached.insert(0);
    let mut next = 0;
    while let Some(&(vertex, _)) = order.get(next) {
        next += 1;
        for &(other, bundle) in core.arcs(vertex) {
            if in_tree[bundle as usize] && !reached.put(other as usize) {
                order.push((other, Some((vertex, bundle))));
            }
        }
    }
    order
}

/// The component of the traversed bundles that is worth most, as a trail.
fn best_component(core: &Core, uses: Vec<u8>) -> Trail {
    let n = core.vertex_count();
    let mut sets = UnionFind::new(n);
    for (bundle, _) in core.bundles.iter().zip(&uses).filter(|&(_, &uses)| uses > 0) {
        sets.union(bundle.ends[0], bundle.ends[1]);
    }
    // Named by their first vertices.
    let mut component: Vec<u32> = (0..n as u32).collect();
    let mut first_of = vec![u32::MAX; n];
    for vertex in 0..n as u32 {
        let first = &mut first_of[sets.find_mut(vertex) as usize];
        *first = vertex.min(*first);
        component[vertex as usize] = *first;
    }
    let mut worth = vec![0i64; n];
    for vertex in 0..n {
        worth[component[vertex] as usize] += core.gains[vertex];
    }
    for bundle in &core.bundles {
        let [one, two] = bundle.ends.map(|end| component[end as usize]);
        worth[one as usize] += i64::from(bundle.count);
        if one != two {
            worth[two as usize] += i64::from(bundle.count);
        }
    }
    let best = (0..n as u32).max_by_key(|&top| (worth[top as usize], std::cmp::Reverse(top)));
    let best = best.expect("a core has a vertex");
    let is_kept = |bundle: usize| component[core.bundles[bundle].ends[0] as usize] == best;
    let kept = uses.iter().enumerate().map(|(bundle, &uses)| if is_kept(bundle) { uses } else { 0 });
    Trail { uses: kept.collect(), start: best, ends: None }
}

/// Moves the ends of the trail on as long as that meets anything new.
pub(super) fn extend(core: &Core, trail: &mut Trail) {
    let mut visited = core.visited(trail);
    let mut above: Vec<Option<(u32, u32)>> = vec![None; core.vertex_count()];
    for _ in 0..EXTENSION_WORK / core.vertex_count() {
        let odd = odd_vertices(core.vertex_count(), &core.bundles, &trail.uses);
        let mut reached = if odd.is_clear() { visited.clone() } else { odd };
        let mut queue: VecDeque<u32> = reached.ones().map(|vertex| vertex as u32).collect();
        queue.iter().for_each(|&vertex| above[vertex as usize] = None);
        let mut found = None;
        while let Some(vertex) = queue.pop_front() {
            if !visited[vertex as usize] && is_worth_visiting(core, &visited, vertex) {
                found = Some(vertex);
                break;
            }
            for &(other, bundle) in core.arcs(vertex) {
                let is_free = u32::from(trail.uses[bundle as usize]) < core.bundles[bundle as usize].count.min(2);
                if is_free && !reached.put(other as usize) {
                    above[other as usize] = Some((vertex, bundle));
                    queue.push_back(other);
                }
            }
        }
        let Some(mut vertex) = found else { return };
        visited.insert(vertex as usize);
        while let Some((other, bundle)) = above[vertex as usize] {
            trail.uses[bundle as usize] += 1;
            vertex = other;
            visited.insert(vertex as usize);
        }
    }
}

fn is_worth_visiting(core: &Core, visited: &FixedBitSet, vertex: u32) -> bool {
    core.gains[vertex as usize] > 0 || core.arcs(vertex).iter().any(|&(other, _)| !visited[other as usize])
}
