//! A trail near a fractional one: rounded, its parities mended where that costs least, its best part kept and extended.
//!
//! Rounded values leave odd vertices behind. All but two are joined in pairs along a spanning tree of the bundles that are
//! cheapest to turn from even to odd or back. What results is closed trails and perhaps one open trail, of which the best
//! component is kept. Then its ends move on, along bundles that it doesn't traverse, whether or not it has been there before,
//! as long as that leads to anything new.

use std::collections::VecDeque;

use super::core::{Core, Trail, find};

/// Rounds and mends; `weights` are the values of each bundle's first and second line, `ends` those of the ends.
pub(super) fn guess(core: &Core, weights: &[[f64; 2]], ends: &[f64]) -> Trail {
    let mut uses: Vec<u8> =
        weights.iter().map(|pair| pair.iter().filter(|&&value| value > 0.5).count() as u8).collect();
    mend(core, weights, ends, &mut uses);
    let mut trail = best_component(core, uses);
    extend(core, &mut trail);
    trail
}

fn odd_vertices(core: &Core, uses: &[u8]) -> Vec<bool> {
    let mut odd = vec![false; core.vertex_count()];
    for (bundle, _) in core.bundles.iter().zip(uses).filter(|&(_, &uses)| uses == 1) {
        bundle.ends.iter().for_each(|&end| odd[end as usize] ^= true);
    }
    odd
}

/// Leaves two odd vertices at most.
fn mend(core: &Core, weights: &[[f64; 2]], ends: &[f64], uses: &mut [u8]) {
    let mut odd = odd_vertices(core, uses);
    let mut list: Vec<u32> = (0..core.vertex_count() as u32).filter(|&vertex| odd[vertex as usize]).collect();
    if list.len() <= 2 {
        return;
    }
    list.sort_by(|&one, &two| ends[two as usize].total_cmp(&ends[one as usize]).then(one.cmp(&two)));
    list[..2].iter().for_each(|&vertex| odd[vertex as usize] = false);

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
    let mut parent: Vec<u32> = (0..core.vertex_count() as u32).collect();
    let mut in_tree = vec![false; uses.len()];
    for bundle in order {
        let [one, two] = core.bundles[bundle as usize].ends.map(|end| find(&mut parent, end));
        if one != two {
            parent[one as usize] = two;
            in_tree[bundle as usize] = true;
        }
    }
    for (vertex, above) in tree_order(core, &in_tree).into_iter().rev() {
        if let Some((other, bundle)) = above
            && odd[vertex as usize]
        {
            odd[vertex as usize] = false;
            odd[other as usize] ^= true;
            uses[bundle as usize] = turns[bundle as usize].0;
        }
    }
}

/// The vertices of a spanning tree, each after the one above it, with that and the bundle between.
fn tree_order(core: &Core, in_tree: &[bool]) -> Vec<(u32, Option<(u32, u32)>)> {
    let mut order = vec![(0, None)];
    let mut reached = vec![false; core.vertex_count()];
    reached[0] = true;
    let mut next = 0;
    while let Some(&(vertex, _)) = order.get(next) {
        next += 1;
        for &(other, bundle) in core.arcs(vertex) {
            if in_tree[bundle as usize] && !std::mem::replace(&mut reached[other as usize], true) {
                order.push((other, Some((vertex, bundle))));
            }
        }
    }
    order
}

/// The component of the traversed bundles that is worth most, as a trail.
fn best_component(core: &Core, uses: Vec<u8>) -> Trail {
    let n = core.vertex_count();
    let mut parent: Vec<u32> = (0..n as u32).collect();
    for (bundle, _) in core.bundles.iter().zip(&uses).filter(|&(_, &uses)| uses > 0) {
        let [one, two] = bundle.ends.map(|end| find(&mut parent, end));
        parent[one as usize] = two;
    }
    let component: Vec<u32> = (0..n as u32).map(|vertex| find(&mut parent, vertex)).collect();
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
    Trail { uses: kept.collect(), start: best }
}

/// Moves the ends of the trail on as long as that meets anything new.
pub(super) fn extend(core: &Core, trail: &mut Trail) {
    let mut visited = core.visited(trail);
    let mut above: Vec<Option<(u32, u32)>> = vec![None; core.vertex_count()];
    loop {
        let odd = odd_vertices(core, &trail.uses);
        let is_closed = !odd.contains(&true);
        let may_go_on = |vertex: u32| if is_closed { visited[vertex as usize] } else { odd[vertex as usize] };
        let mut reached = vec![false; core.vertex_count()];
        let mut queue: VecDeque<u32> = (0..core.vertex_count() as u32).filter(|&vertex| may_go_on(vertex)).collect();
        queue.iter().for_each(|&vertex| reached[vertex as usize] = true);
        queue.iter().for_each(|&vertex| above[vertex as usize] = None);
        let mut found = None;
        while let Some(vertex) = queue.pop_front() {
            if !visited[vertex as usize] && is_worth_visiting(core, &visited, vertex) {
                found = Some(vertex);
                break;
            }
            for &(other, bundle) in core.arcs(vertex) {
                let is_free = u32::from(trail.uses[bundle as usize]) < core.bundles[bundle as usize].count.min(2);
                if is_free && !std::mem::replace(&mut reached[other as usize], true) {
                    above[other as usize] = Some((vertex, bundle));
                    queue.push_back(other);
                }
            }
        }
        let Some(mut vertex) = found else { return };
        visited[vertex as usize] = true;
        while let Some((other, bundle)) = above[vertex as usize] {
            trail.uses[bundle as usize] += 1;
            vertex = other;
            visited[vertex as usize] = true;
        }
    }
}

fn is_worth_visiting(core: &Core, visited: &[bool], vertex: u32) -> bool {
    core.gains[vertex as usize] > 0 || core.arcs(vertex).iter().any(|&(other, _)| !visited[other as usize])
}
