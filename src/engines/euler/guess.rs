//! A trail near a fractional solution.
//!
//! The edges that the solution mostly uses make a set. Without directions its odd vertices are paired, each with one that is
//! near by a path on which turning round what is used and what is not costs little; the two ends that a trail may have are
//! left over. With directions walks take what the solution prefers until they can't go on, and closed walks are woven in. What
//! hangs together and is worth most is the trail.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fixedbitset::FixedBitSet;
use petgraph::unionfind::UnionFind;

use super::Question;
use crate::instance::Budget;
use crate::rows::Rows;
use crate::sets::{set_of, set_where};

/// A trail as a set of edges, if one is found.
pub(super) fn near(question: &Question, values: &[f64], budget: &Budget) -> Option<Vec<u32>> {
    let found = if question.directed { walked(question, values, budget) } else { paired(question, values, budget) };
    found.filter(|trail| is_trail(question, trail))
}

/// Whether a set of edges, not empty, is a trail that was asked for.
pub(super) fn is_trail(question: &Question, trail: &[u32]) -> bool {
    let used = set_of(question.edges.len(), trail);
    let mut balance = balances(question, &used);
    for end in [question.from, question.to].into_iter().flatten().filter(|_| !question.closed) {
        if !question.directed {
            balance[end as usize] ^= 1;
        }
    }
    if question.directed && !question.closed {
        question.from.iter().for_each(|&from| balance[from as usize] -= 1);
        question.to.iter().for_each(|&to| balance[to as usize] += 1);
    }
    let free = if question.closed { 0 } else { 2 - [question.from, question.to].into_iter().flatten().count() as i64 };
    let (starts, stops) =
        (balance.iter().filter(|&&left| left == 1).count(), balance.iter().filter(|&&left| left == -1).count());
    let even = balance.iter().all(|left| left.abs() <= 1);
    let fits = if question.directed {
        let may = |given: Option<u32>| usize::from(!question.closed && given.is_none());
        starts <= may(question.from) && stops <= may(question.to)
    } else {
        starts as i64 <= free
    };
    let parts = components(question, &used);
    let given = [question.from, question.to].into_iter().flatten();
    even && fits && parts.len() == 1 && given.into_iter().all(|end| touches(question, &parts[0], end))
}

fn touches(question: &Question, edges: &[u32], vertex: u32) -> bool {
    edges.iter().any(|&edge| {
        let (one, two, _) = question.edges[edge as usize];
        one == vertex || two == vertex
    })
}

/// By vertex, edges out less edges in; without directions whether their number is odd.
fn balances(question: &Question, used: &FixedBitSet) -> Vec<i64> {
    let mut balance = vec![0i64; question.vertex_count];
    for (one, two, _) in used.ones().map(|edge| question.edges[edge]).filter(|edge| edge.0 != edge.1) {
        balance[one as usize] += 1;
        balance[two as usize] += if question.directed { -1 } else { 1 };
    }
    if !question.directed {
        balance.iter_mut().for_each(|balance| *balance &= 1);
    }
    balance
}

/// The edges that are used, by what hangs together.
fn components(question: &Question, used: &FixedBitSet) -> Vec<Vec<u32>> {
    let mut sets = UnionFind::new(question.vertex_count);
    for (one, two, _) in used.ones().map(|edge| question.edges[edge]) {
        sets.union(one as usize, two as usize);
    }
    let mut place = vec![usize::MAX; question.vertex_count];
    let mut parts: Vec<Vec<u32>> = Vec::new();
    for edge in used.ones() {
        let top = sets.find_mut(question.edges[edge].0 as usize);
        if place[top] == usize::MAX {
            place[top] = parts.len();
            parts.push(Vec::new());
        }
        parts[place[top]].push(edge as u32);
    }
    parts
}

/// Pairs odd vertices, and takes the best of what hangs together.
fn paired(question: &Question, values: &[f64], budget: &Budget) -> Option<Vec<u32>> {
    let mut used = set_where(question.edges.len(), |&edge| values[edge] > 0.5);
    let n = question.vertex_count;
    let edges: Vec<u32> =
        (0..).zip(&question.edges).filter(|(_, edge)| edge.0 != edge.1).map(|(edge, _)| edge).collect();
    let ends = |at: usize| [question.edges[edges[at] as usize].0, question.edges[edges[at] as usize].1];
    let at = Rows::of_edges(n, edges.len(), ends, |at, [_, other]| (other, edges[at as usize]));
    let mut odd = balances(question, &used);
    if !question.closed {
        [question.from, question.to].into_iter().flatten().for_each(|end| odd[end as usize] ^= 1);
    }
    let given = [question.from, question.to].into_iter().flatten().count();
    let free = if question.closed { 0 } else { 2 - given };
    let mut left = odd.iter().filter(|&&odd| odd == 1).count();
    // What it costs to turn an edge round: what it is worth if it is used, nothing if that gains, and the solution's doubts.
    let turn = |edge: u32, used: bool| {
        let weight = question.edges[edge as usize].2;
        let lost = if used { weight } else { -weight }.max(0);
        let doubt = if used { values[edge as usize] } else { 1.0 - values[edge as usize] };
        (lost as f64 * 1000.0 * doubt.clamp(0.001, 1.0)).min(1e18) as i64 + 1
    };
    let mut search = Nearest::new(n);
    while left > free {
        if budget.spent().is_some() {
            return None;
        }
        // The pair that is nearest, from a few odd vertices; each of them has to be in some pair but for the ends.
        let sources: Vec<u32> = (0..n as u32).filter(|&vertex| odd[vertex as usize] == 1).collect();
        let mut best: Option<(i64, Vec<u32>)> = None;
        for &source in sources.iter().take(TRIED) {
            let cost = |edge: u32| turn(edge, used[edge as usize]);
            if let Some(found) = search.path(source, &at, cost, |vertex| vertex != source && odd[vertex as usize] == 1)
                && best.as_ref().is_none_or(|best| found.0 < best.0)
            {
                best = Some(found);
            }
        }
        let (_, path) = best?;
        for &edge in &path {
            used.toggle(edge as usize);
        }
        odd = balances(question, &used);
        if !question.closed {
            [question.from, question.to].into_iter().flatten().for_each(|end| odd[end as usize] ^= 1);
        }
        left = odd.iter().filter(|&&odd| odd == 1).count();
    }
    let worth = |part: &Vec<u32>| part.iter().map(|&edge| question.edges[edge as usize].2).sum::<i64>();
    let parts = components(question, &used).into_iter();
    parts.filter(|part| is_trail(question, part)).max_by_key(worth)
}

/// From so many odd vertices the nearest other one is looked for before the best of these pairs is made.
const TRIED: usize = 8;

/// Shortest paths (E. W. Dijkstra, *A note on two problems in connexion with graphs*, Numerische Mathematik 1, 1959).
struct Nearest {
    distance: Vec<i64>,
    by: Vec<(u32, u32)>,
    touched: Vec<u32>,
}

impl Nearest {
    fn new(n: usize) -> Self {
        Nearest { distance: vec![i64::MAX; n], by: vec![(u32::MAX, u32::MAX); n], touched: Vec::new() }
    }

    /// The nearest vertex of those wanted: its distance, and the edges on the way.
    fn path(
        &mut self,
        source: u32,
        at: &Rows<(u32, u32)>,
        cost: impl Fn(u32) -> i64,
        is_wanted: impl Fn(u32) -> bool,
    ) -> Option<(i64, Vec<u32>)> {
        for vertex in self.touched.drain(..) {
            self.distance[vertex as usize] = i64::MAX;
        }
        let mut open = BinaryHeap::from([Reverse((0i64, source))]);
        self.distance[source as usize] = 0;
        self.touched.push(source);
        while let Some(Reverse((distance, vertex))) = open.pop() {
            if distance > self.distance[vertex as usize] {
                continue;
            }
            if is_wanted(vertex) {
                let mut edges = Vec::new();
                let mut here = vertex;
                while here != source {
                    let (before, edge) = self.by[here as usize];
                    edges.push(edge);
                    here = before;
                }
                return Some((distance, edges));
            }
            for &(next, edge) in at.row(vertex) {
                let there = distance.saturating_add(cost(edge));
                if there < self.distance[next as usize] {
                    if self.distance[next as usize] == i64::MAX {
                        self.touched.push(next);
                    }
                    self.distance[next as usize] = there;
                    self.by[next as usize] = (vertex, edge);
                    open.push(Reverse((there, next)));
                }
            }
        }
        None
    }
}

/// Walks along what the solution prefers, with closed walks woven in.
fn walked(question: &Question, values: &[f64], budget: &Budget) -> Option<Vec<u32>> {
    let n = question.vertex_count;
    let mut out: Vec<Vec<u32>> = vec![Vec::new(); n];
    for (edge, &(one, _, weight)) in (0..).zip(&question.edges) {
        if weight > 0 || values[edge as usize] > 0.5 {
            out[one as usize].push(edge);
        }
    }
    // The best at the end of each list.
    for edges in &mut out {
        edges.sort_by(|&one, &two| values[one as usize].total_cmp(&values[two as usize]).then(two.cmp(&one)));
    }
    let worth = |trail: &[u32]| trail.iter().map(|&edge| question.edges[edge as usize].2).sum::<i64>();
    let starts: Vec<u32> = match question.from {
        Some(from) => vec![from],
        None => {
            let lean = |vertex: &u32| {
                let mut sum = 0.0;
                for (edge, &(one, two, _)) in question.edges.iter().enumerate() {
                    sum += if one == *vertex { values[edge] } else { 0.0 };
                    sum -= if two == *vertex { values[edge] } else { 0.0 };
                }
                sum
            };
            let mut all: Vec<(f64, u32)> = (0..n as u32)
                .filter(|&vertex| !out[vertex as usize].is_empty())
                .map(|vertex| (lean(&vertex), vertex))
                .collect();
            all.sort_by(|one, two| two.0.total_cmp(&one.0).then(one.1.cmp(&two.1)));
            all.into_iter().take(WALKS).map(|(_, vertex)| vertex).collect()
        }
    };
    let mut best: Option<Vec<u32>> = None;
    for start in starts {
        if budget.spent().is_some() {
            break;
        }
        let trail = walk_from(question, &out, start);
        if let Some(trail) = trail
            && best.as_ref().is_none_or(|best| worth(&trail) > worth(best))
        {
            best = Some(trail);
        }
    }
    best
}

/// Where directed walks begin.
const WALKS: usize = 8;

/// The longest beginning of a walk from here that ends where it may, and closed walks from its vertices.
fn walk_from(question: &Question, out: &[Vec<u32>], start: u32) -> Option<Vec<u32>> {
    let mut used = FixedBitSet::with_capacity(question.edges.len());
    let mut next: Vec<usize> = out.iter().map(Vec::len).collect();
    let mut step = |here: u32, used: &mut FixedBitSet| loop {
        let slot = &mut next[here as usize];
        *slot = slot.checked_sub(1)?;
        let edge = out[here as usize][*slot];
        if !used.put(edge as usize) {
            return Some((edge, question.edges[edge as usize].1));
        }
    };
    let wanted = if question.closed { Some(start) } else { question.to };
    let (mut trail, mut last_fit, mut here) = (Vec::new(), 0, start);
    while let Some((edge, there)) = step(here, &mut used) {
        trail.push(edge);
        here = there;
        if wanted.is_none_or(|wanted| wanted == here) {
            last_fit = trail.len();
        }
    }
    trail.truncate(last_fit);
    if trail.is_empty() {
        return None;
    }
    let mut taken = set_of(question.edges.len(), &trail);
    let mut next: Vec<usize> = out.iter().map(Vec::len).collect();
    let mut at = 0;
    while let Some(&edge) = trail.get(at) {
        at += 1;
        let (one, two, _) = question.edges[edge as usize];
        for from in [one, two] {
            // A closed walk of edges that are free: it gets stuck nowhere else or is given up.
            let (mut here, mut ring) = (from, Vec::new());
            loop {
                let slot = &mut next[here as usize];
                let Some(place) = slot.checked_sub(1) else { break };
                *slot = place;
                let edge = out[here as usize][place];
                if taken[edge as usize] {
                    continue;
                }
                taken.insert(edge as usize);
                ring.push(edge);
                here = question.edges[edge as usize].1;
                if here == from {
                    break;
                }
            }
            if here == from {
                trail.extend(ring);
            }
        }
    }
    Some(trail)
}
