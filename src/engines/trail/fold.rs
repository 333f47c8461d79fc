//! What need not be searched: leaves, trees, loops and chains of a root, folded into the vertices where they hang.
//!
//! *Open trails*, best ones. Let m be a vertex with a single neighbour x, by a bundle of c edges, and g what visiting m is worth
//! beside that.
//! - g = 0, an *idle leaf*: a trail that visits m but not x is there alone, and x alone is as good. Any other comes and goes
//!   through x, and without these edges it is still a trail through all the other vertices. So m goes, x gains c.
//! - c ≥ 2: whoever visits x may visit m and come back, by two edges of the bundle. So m goes, x gains c + g, and an *excursion*
//!   belongs to x.
//! - c = 1: no trail comes back from m, so it ends there. Let x hang in turn on p alone, by one edge, with several such leaves:
//!   a trail that comes from p ends in the best of them. So x becomes a leaf itself, and the way on to its best leaf belongs to
//!   it. A trail that joins two leaves of x without ever leaving for p is looked at at once, and kept *aside*. So pendant trees
//!   are folded up; of the leaves at a vertex the two best are kept, as a trail has two ends.
//! - A cycle of vertices with no other neighbours, but for one vertex x: an excursion of x.
//! - A *chain* of two or more vertices with two neighbours each, by one edge each: a trail that gets into it may go all along
//!   it for nothing, as far as the last of them. So one vertex stands for all of them, and the edges among them belong to it.
//!
//! *Closed trails*: idle leaves and excursions alike; a leaf with c = 1 is visited by no closed trail but itself, which is
//! kept aside; chains stay as they are. *With prizes* at the ends only idle leaves are folded: a trail that begins or ends
//! with an edge of the bundle at m might as well do so at x, since m and x then keep their parities.
//!
//! What belongs to a vertex is traversed whenever the vertex is visited. All is linear, but for a few rounds in which folded
//! cycles make new leaves.

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use super::bundle::Bundle;
use super::rope::{Rope, Ropes};
use crate::decompose::chains::{Chain, Walk};
use crate::rows::Rows;
use crate::sets::set_where;

/// For which trails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Open,
    Closed,
    Prized,
}

/// A trail, in edges and vertices of the root, that the folded root no longer shows.
#[derive(Clone, Debug, Default)]
pub(super) struct Excluded {
    pub(super) worth: i64,
    pub(super) edges: Vec<u32>,
    pub(super) start: u32,
}

/// A leaf that only ends get to.
struct Hanging {
    gain: i64,
    leaf: u32,
    bundle: u32,
}

/// How often folded cycles may make new leaves.
const ROUNDS: usize = 8;

pub(super) struct Fold {
    kind: Kind,
    pub(super) gains: Vec<i64>,
    pub(super) bundles: Vec<Bundle>,
    /// The vertices that are no more.
    pub(super) gone: FixedBitSet,
    /// By vertex: the one that it has become a part of, itself where it has not. All that a trail meets by the one it does by the other.
    into: Vec<u32>,
    /// The edges that belong to a vertex.
    inside: HashMap<u32, Rope>,
    ropes: Ropes,
    /// The best trail that was put aside, and its edges if it was found here.
    excluded: Excluded,
    excluded_edges: Option<Rope>,
    /// The bundles at each vertex, if they are alive.
    rows: Rows<u32>,
    alive: FixedBitSet,
    degree: Vec<u32>,
    /// These are not folded.
    must: FixedBitSet,
    hanging: HashMap<u32, Vec<Hanging>>,
}

impl Fold {
    /// Folds all that can be.
    pub(super) fn new(kind: Kind, gains: Vec<i64>, bundles: Vec<Bundle>, required: &[u32], excluded: Excluded) -> Self {
        let n = gains.len();
        let mut degree = vec![0u32; n];
        bundles.iter().flat_map(|bundle| bundle.ends).for_each(|end| degree[end as usize] += 1);
        let rows = Rows::of_edges(n, bundles.len(), |bundle| bundles[bundle].ends, |bundle, _| bundle);
        let mut must = FixedBitSet::with_capacity(n);
        required.iter().for_each(|&vertex| must.insert(vertex as usize));
        let mut fold = Fold {
            kind,
            gains,
            gone: FixedBitSet::with_capacity(n),
            into: (0..n as u32).collect(),
            inside: HashMap::new(),
            ropes: Ropes::default(),
            excluded,
            excluded_edges: None,
            rows,
            alive: set_where(bundles.len(), |_| true),
            degree,
            must,
            hanging: HashMap::new(),
            bundles,
        };
        fold.work();
        fold
    }

    /// Whether edges belong to a vertex.
    pub(super) fn has_inside(&self, vertex: u32) -> bool {
        self.inside.contains_key(&vertex)
    }

    /// The edges that belong to a vertex.
    pub(super) fn inside(&self, vertex: u32) -> Option<Vec<u32>> {
        self.inside.get(&vertex).map(|&rope| self.ropes.edges(rope))
    }

    /// The vertex that this one has become a part of in the end.
    pub(super) fn whole(&self, mut vertex: u32) -> u32 {
        while self.into[vertex as usize] != vertex {
            vertex = self.into[vertex as usize];
        }
        vertex
    }

    /// The best trail that was put aside.
    pub(super) fn excluded(&self) -> Excluded {
        let found = self.excluded_edges.map(|rope| self.ropes.edges(rope));
        let Excluded { worth, start, .. } = self.excluded;
        Excluded { worth, edges: found.unwrap_or_else(|| self.excluded.edges.clone()), start }
    }

    fn work(&mut self) {
        let n = self.gains.len() as u32;
        let mut leaves: Vec<u32> = (0..n).rev().filter(|&vertex| self.degree[vertex as usize] == 1).collect();
        for _ in 0..ROUNDS {
            self.peel(&mut leaves);
            if self.kind == Kind::Prized {
                break;
            }
            for chain in self.chains() {
                self.fold_cycle(&chain, &mut leaves);
            }
            if leaves.is_empty() {
                break;
            }
        }
        if self.kind == Kind::Open {
            for chain in self.chains() {
                self.contract(&chain);
            }
        }
        self.keep_two_leaves();
        let mut bundles = 0..self.alive.len();
        self.bundles.retain(|_| bundles.next().is_some_and(|bundle| self.alive[bundle]));
    }

    fn alive_at(&self, vertex: u32) -> impl Iterator<Item = u32> {
        self.rows.row(vertex).iter().copied().filter(|&bundle| self.alive[bundle as usize])
    }

    fn across(&self, bundle: u32, vertex: u32) -> u32 {
        let [one, two] = self.bundles[bundle as usize].ends;
        if one == vertex { two } else { one }
    }

    /// One vertex is a part of another from now on.
    fn merge(&mut self, vertex: u32, whole: u32) {
        self.gone.insert(vertex as usize);
        self.into[vertex as usize] = whole;
    }

    /// All that belongs to one vertex belongs to another.
    fn hand_over(&mut self, from: u32, to: u32) {
        if let Some(rope) = self.inside.remove(&from) {
            self.add(to, rope);
        }
    }

    /// An edge belongs to a vertex.
    fn belong(&mut self, owner: u32, edge: u32) {
        let rope = self.ropes.of_edge(edge);
        self.add(owner, rope);
    }

    fn add(&mut self, owner: u32, rope: Rope) {
        let whole = self.inside.get(&owner).map_or(rope, |&known| self.ropes.joined(known, rope));
        self.inside.insert(owner, whole);
    }

    /// Puts a trail aside, if it is the best of those.
    fn put_aside(&mut self, worth: i64, start: u32, edges: Option<Rope>) {
        self.excluded = Excluded { worth, edges: Vec::new(), start };
        self.excluded_edges = edges;
    }

    /// Folds leaves until there are none, or none that can be.
    fn peel(&mut self, leaves: &mut Vec<u32>) {
        while let Some(leaf) = leaves.pop() {
            if self.degree[leaf as usize] != 1 || self.must[leaf as usize] {
                continue;
            }
            let Some(bundle) = self.alive_at(leaf).next() else { continue };
            let other = self.across(bundle, leaf);
            let is_folded = match self.kind {
                Kind::Open => self.fold_leaf(leaf, bundle, other),
                Kind::Closed => self.fold_leaf_of_closed(leaf, bundle, other),
                Kind::Prized => self.fold_idle(leaf, bundle, other),
            };
            if is_folded {
                self.alive.remove(bundle as usize);
                self.degree[leaf as usize] = 0;
                self.degree[other as usize] -= 1;
                if self.degree[other as usize] == 1 {
                    leaves.push(other);
                }
            }
        }
    }

    fn fold_idle(&mut self, leaf: u32, bundle: u32, other: u32) -> bool {
        if self.gains[leaf as usize] != 0 || self.hanging.contains_key(&leaf) {
            return false;
        }
        self.gains[other as usize] += i64::from(self.bundles[bundle as usize].count);
        self.merge(leaf, other);
        true
    }

    fn fold_excursion(&mut self, leaf: u32, bundle: u32, other: u32) -> bool {
        let Bundle { count, edges, .. } = self.bundles[bundle as usize];
        if count < 2 || self.hanging.contains_key(&leaf) {
            return false;
        }
        self.gains[other as usize] += self.gains[leaf as usize] + i64::from(count);
        self.hand_over(leaf, other);
        self.belong(other, edges[0]);
        self.belong(other, edges[1]);
        self.merge(leaf, other);
        true
    }

    fn fold_leaf(&mut self, leaf: u32, bundle: u32, other: u32) -> bool {
        if self.fold_idle(leaf, bundle, other) || self.fold_excursion(leaf, bundle, other) {
            return true;
        }
        if self.bundles[bundle as usize].count > 1 {
            return false;
        }
        let mut below = self.hanging.remove(&leaf).unwrap_or_default();
        below.sort_by_key(|hanging| (std::cmp::Reverse(hanging.gain), hanging.leaf));
        let here = self.gains[leaf as usize] + below.len() as i64;
        if let [one, two, ..] = &below[..] {
            let worth = here + 1 + one.gain + two.gain;
            if worth > self.excluded.worth {
                let mut rope = self.inside.get(&leaf).copied();
                for tail in [one, two] {
                    let edge = self.ropes.of_edge(self.bundles[tail.bundle as usize].edges[0]);
                    for part in [Some(edge), self.inside.get(&tail.leaf).copied()].into_iter().flatten() {
                        rope = Some(rope.map_or(part, |rope| self.ropes.joined(rope, part)));
                    }
                }
                self.put_aside(worth, leaf, rope);
            }
        }
        self.gains[leaf as usize] = here;
        for (at, tail) in below.into_iter().enumerate() {
            self.gone.insert(tail.leaf as usize);
            if at == 0 {
                self.gains[leaf as usize] += tail.gain;
                self.hand_over(tail.leaf, leaf);
                self.belong(leaf, self.bundles[tail.bundle as usize].edges[0]);
            }
        }
        let hanging = Hanging { gain: self.gains[leaf as usize], leaf, bundle };
        self.hanging.entry(other).or_default().push(hanging);
        true
    }

    fn fold_leaf_of_closed(&mut self, leaf: u32, bundle: u32, other: u32) -> bool {
        if self.fold_idle(leaf, bundle, other) || self.fold_excursion(leaf, bundle, other) {
            return true;
        }
        let worth = self.gains[leaf as usize] + 1;
        let inside = self.inside.remove(&leaf);
        if worth > self.excluded.worth {
            self.put_aside(worth, leaf, inside);
        }
        self.gains[other as usize] += 1;
        self.gone.insert(leaf as usize);
        true
    }

    fn is_of_chain(&self, vertex: u32) -> bool {
        self.degree[vertex as usize] == 2
            && !self.must[vertex as usize]
            && !self.hanging.contains_key(&vertex)
            && self.alive_at(vertex).all(|bundle| self.bundles[bundle as usize].count == 1)
    }

    /// All chains that end somewhere.
    fn chains(&self) -> impl Iterator<Item = Chain> + use<> {
        let walk = Walk {
            vertices: self.gains.len(),
            edges: self.bundles.len(),
            arcs: |vertex| self.alive_at(vertex).map(move |bundle| (bundle, self.across(bundle, vertex))),
            is_inside: |vertex| self.is_of_chain(vertex),
            goes_on: |_, _| true,
        };
        walk.chains().between.into_iter().filter(|chain| !chain.inside.is_empty())
    }

    /// Makes a chain that comes back an excursion.
    fn fold_cycle(&mut self, chain: &Chain, leaves: &mut Vec<u32>) {
        let [top, other] = chain.ends;
        if top != other {
            return;
        }
        self.gains[top as usize] += chain.edges.len() as i64;
        for &vertex in &chain.inside {
            self.gains[top as usize] += self.gains[vertex as usize];
            self.merge(vertex, top);
            self.degree[vertex as usize] = 0;
            self.hand_over(vertex, top);
        }
        for &bundle in &chain.edges {
            self.alive.remove(bundle as usize);
            self.belong(top, self.bundles[bundle as usize].edges[0]);
        }
        self.degree[top as usize] -= 2;
        if self.degree[top as usize] == 1 {
            leaves.push(top);
        }
    }

    /// Makes one vertex of all.
    fn contract(&mut self, chain: &Chain) {
        let [first, rest @ ..] = &chain.inside[..] else { return };
        let [_, inner @ .., last] = &chain.edges[..] else { return };
        if rest.is_empty() || chain.ends[0] == chain.ends[1] {
            return;
        }
        self.gains[*first as usize] += inner.len() as i64;
        for &vertex in rest {
            self.gains[*first as usize] += self.gains[vertex as usize];
            self.merge(vertex, *first);
            self.hand_over(vertex, *first);
        }
        for &bundle in inner {
            self.alive.remove(bundle as usize);
            self.belong(*first, self.bundles[bundle as usize].edges[0]);
        }
        self.bundles[*last as usize].ends = [*first, chain.ends[1]];
    }

    /// Of the leaves that hang somewhere, two can be visited.
    fn keep_two_leaves(&mut self) {
        for (&top, hanging) in &mut self.hanging {
            hanging.sort_by_key(|hanging| (std::cmp::Reverse(hanging.gain), hanging.leaf));
            for (at, &Hanging { leaf, bundle, .. }) in hanging.iter().enumerate() {
                if at < 2 {
                    self.alive.insert(bundle as usize);
                } else {
                    self.gains[top as usize] += 1;
                    self.gone.insert(leaf as usize);
                }
            }
        }
    }
}
