//! What of a root matters to its trails: bundles of parallel edges, worths at vertices, and little else.
//!
//! - Parallel edges make a *bundle*. Of its edges a trail traverses none, an odd or an even number; one or two stand for all
//!   odd and even numbers, since two more change neither a parity nor what is connected. All of them are worth as much as
//!   their number once either end is visited.
//! - A loop is worth 1 at its vertex; a bonus adds to that.
//! - Leaves, trees, loops and chains are [folded](super::fold) into the vertices where they hang.
//!
//! What is left falls into components. No trail is in two of them.

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;
use petgraph::unionfind::UnionFind;

use super::bundle::{Bundle, Ends, Trail};
use super::end_condition::EndCondition;
use super::fold::{Excluded, Fold, Kind};
use super::pendants::{PendantEdge, PendantEdges};
use super::root::Root;
use crate::instance::NOT_AN_END;
use crate::rows::Rows;

/// How trails end.
#[derive(Clone, Debug)]
pub(super) enum Ending {
    Open,
    Closed,
    Prized(PendantEdges),
}

/// One component of a folded root, its vertices numbered anew.
#[derive(Clone, Debug)]
pub(super) struct Core {
    /// What visiting each vertex is worth, beside its bundles.
    pub(super) gains: Vec<i64>,
    pub(super) bundles: Vec<Bundle>,
    /// The bundles at each vertex, each behind the vertex at its other end.
    arcs: Rows<(u32, u32)>,
    /// All gains and all bundles: what a trail that meets everything is worth.
    pub(super) total: i64,
    pub(super) ending: Ending,
    /// The vertices worth more than all else, which a trail must visit.
    pub(super) required: Vec<u32>,
    /// The edges of the root that belong to a vertex.
    inside: HashMap<u32, Vec<u32>>,
    root_vertex: Vec<u32>,
}

/// The components of a folded root, those of the greatest total first, and a trail that they don't show.
pub(super) struct Cores {
    pub(super) list: Vec<Core>,
    pub(super) excluded: Option<Excluded>,
}

impl Core {
    /// The components of the root, folded for this aim.
    pub(super) fn of(root: &Root, end_condition: EndCondition<'_>) -> Cores {
        let n = root.vertex_count;
        let (gains, bundles) = bundled(root);
        let kind = match end_condition {
            EndCondition::Closed { .. } => Kind::Closed,
            EndCondition::Prized { .. } => Kind::Prized,
            _ => Kind::Open,
        };
        let required: Vec<u32> = root.bonuses.iter().map(|&(vertex, _)| vertex).collect();
        let alone = if kind == Kind::Prized { None } else { best_alone(&gains, &bundles) };
        let fold = Fold::new(kind, gains, bundles, &required, alone.clone().unwrap_or_default());
        let mut has_bundle = FixedBitSet::with_capacity(n);
        fold.bundles.iter().flat_map(|bundle| bundle.ends).for_each(|end| has_bundle.insert(end as usize));
        // A vertex that has nothing but what it meets itself has been looked at alone.
        let was_alone = |vertex: u32| alone.is_some() && !fold.has_inside(vertex) && !required.contains(&vertex);
        let is_left = |vertex: u32| {
            let at = vertex as usize;
            !fold.gone[at] && (has_bundle[at] || fold.gains[at] != 0 && !was_alone(vertex))
        };
        let vertices: Vec<u32> = (0..n as u32).filter(|&vertex| is_left(vertex)).collect();
        let excluded = alone.map(|_| fold.excluded());
        let mut list = split(&vertices, &fold, &required);
        match end_condition {
            EndCondition::Prized { first, last, .. } => add_pendants(root, first, last, &mut list),
            EndCondition::Closed { .. } => list.iter_mut().for_each(|core| core.ending = Ending::Closed),
            _ => {}
        }
        list.sort_by_key(|core| std::cmp::Reverse(core.most()));
        Cores { list, excluded }
    }

    /// What a trail that meets everything is worth, with the best tips where tips count; the least
    /// integer if it can't have any.
    pub(super) fn most(&self) -> i64 {
        match &self.ending {
            Ending::Prized(pendants) if pendants.best_both == NOT_AN_END => i64::MIN,
            Ending::Prized(pendants) => self.total + pendants.best_both,
            _ => self.total,
        }
    }

    pub(super) fn is_closed(&self) -> bool {
        matches!(self.ending, Ending::Closed)
    }

    pub(super) fn pendants(&self) -> Option<&PendantEdges> {
        match &self.ending {
            Ending::Prized(pendants) => Some(pendants),
            _ => None,
        }
    }

    /// How many odd vertices a trail may leave, prizes aside.
    pub(super) fn most_odd(&self) -> usize {
        if self.is_closed() { 0 } else { 2 }
    }

    /// The trail with the best tips that it can have, if tips count and it has none.
    pub(super) fn with_pendants(&self, mut trail: Trail) -> Trail {
        if let (Some(pendants), None) = (self.pendants(), trail.ends) {
            let visited = self.visited(&trail);
            trail.ends = pendants.best_for(&trail, &self.bundles, |vertex| self.arcs(vertex), &visited);
        }
        trail
    }

    pub(super) fn vertex_count(&self) -> usize {
        self.gains.len()
    }

    /// The neighbours of a vertex, each with its bundle.
    pub(super) fn arcs(&self, vertex: u32) -> &[(u32, u32)] {
        self.arcs.row(vertex)
    }

    /// The vertices that a trail visits.
    pub(super) fn visited(&self, trail: &Trail) -> FixedBitSet {
        let mut visited = FixedBitSet::with_capacity(self.vertex_count());
        visited.insert(trail.start as usize);
        for (bundle, &uses) in self.bundles.iter().zip(&trail.uses) {
            if uses > 0 {
                bundle.ends.iter().for_each(|&end| visited.insert(end as usize));
            }
        }
        visited
    }

    /// What a trail is worth.
    pub(super) fn value(&self, trail: &Trail) -> i64 {
        let visited = self.visited(trail);
        let gains: i64 = visited.ones().map(|vertex| self.gains[vertex]).sum();
        let met = self.bundles.iter().filter(|bundle| bundle.ends.iter().any(|&end| visited[end as usize]));
        gains + met.map(|bundle| i64::from(bundle.count)).sum::<i64>() + self.earned(trail)
    }

    /// What the tips of a trail earn: nothing will do where it has none and should.
    fn earned(&self, trail: &Trail) -> i64 {
        let Some(pendants) = self.pendants() else { return 0 };
        let Some([first, last]) = trail.ends else { return NO_TIPS };
        let at = |(vertex, edge): (u32, u32)| {
            let places = self.arcs(vertex).iter().map(|&(_, bundle)| bundle);
            let own = self.bundles.len() as u32 + vertex;
            let found = places.chain([own]).flat_map(|place| pendants.at(place)).find(|pendant| pendant.edge == edge);
            *found.expect("a tip of this core")
        };
        at(first).first + at(last).last
    }

    /// The trail that visits this vertex alone.
    pub(super) fn alone(&self, vertex: u32) -> Trail {
        Trail { uses: vec![0; self.bundles.len()], start: vertex, ends: None }
    }

    /// The edges of the root that a trail traverses, and the vertex of the root where it may start if there are none.
    pub(super) fn lift(&self, trail: &Trail) -> (Vec<u32>, u32) {
        let pendants = trail.ends.map_or([u32::MAX; 2], |ends| ends.map(|(_, edge)| edge));
        let mut edges = Vec::new();
        for (bundle, &uses) in self.bundles.iter().zip(&trail.uses) {
            let free = bundle.edges.into_iter().filter(|edge| !pendants.contains(edge));
            edges.extend(free.take(uses.into()));
        }
        if !self.inside.is_empty() {
            let visited = self.visited(trail);
            edges.extend(visited.ones().filter_map(|vertex| self.inside.get(&(vertex as u32))).flatten());
        }
        (edges, self.root_vertex[trail.start as usize])
    }

    /// Which vertex of the root this one is, with what has been folded into it.
    pub(super) fn root_vertex(&self, vertex: u32) -> u32 {
        self.root_vertex[vertex as usize]
    }

    /// The tips of a trail, at vertices of the root.
    pub(super) fn lift_ends(&self, trail: &Trail) -> Option<Ends> {
        trail.ends.map(|ends| ends.map(|(vertex, edge)| (self.root_vertex[vertex as usize], edge)))
    }

    /// The bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        self.bundles.len() * (size_of::<Bundle>() + 16)
            + self.vertex_count() * 16
            + self.pendants().map_or(0, PendantEdges::bytes)
    }
}

/// The gains that loops and the bonus make, and the bundles, still in vertices of the root. `O(n + m)`.
pub(super) fn bundled(root: &Root) -> (Vec<i64>, Vec<Bundle>) {
    let n = root.vertex_count;
    let mut gains = vec![0i64; n];
    for &(vertex, worth) in &root.bonuses {
        gains[vertex as usize] = worth;
    }
    // Edges by their smaller end, so that parallel ones share a bucket.
    let buckets = Rows::new(n, root.ends.len(), |edge| {
        let [one, two] = root.ends[edge];
        (one.min(two), (one.max(two), edge as u32))
    });
    let mut bundles: Vec<Bundle> = Vec::new();
    let mut bundle_to = vec![u32::MAX; n];
    for vertex in 0..n as u32 {
        let first = bundles.len() as u32;
        for &(other, edge) in buckets.row(vertex) {
            if other == vertex {
                gains[vertex as usize] += 1;
                continue;
            }
            match bundle_to[other as usize] {
                known if known != u32::MAX && known >= first => {
                    let bundle = &mut bundles[known as usize];
                    bundle.count += 1;
                    if bundle.count <= 4 {
                        bundle.edges[bundle.count as usize - 1..].fill(edge);
                    }
                }
                _ => {
                    bundle_to[other as usize] = bundles.len() as u32;
                    bundles.push(Bundle { ends: [vertex, other], count: 1, edges: [edge; 4] });
                }
            }
        }
    }
    (gains, bundles)
}

/// What no trail is worth.
const NO_TIPS: i64 = i64::MIN / 4;

/// The best trail of a single vertex.
fn best_alone(gains: &[i64], bundles: &[Bundle]) -> Option<Excluded> {
    let mut worth = gains.to_vec();
    for bundle in bundles {
        bundle.ends.iter().for_each(|&end| worth[end as usize] += i64::from(bundle.count));
    }
    let best = (0..worth.len() as u32).max_by_key(|&vertex| worth[vertex as usize])?;
    Some(Excluded { worth: worth[best as usize], edges: Vec::new(), start: best })
}

/// The components of the graph on these vertices of the root.
fn split(vertices: &[u32], fold: &Fold, required: &[u32]) -> Vec<Core> {
    let root_vertices = fold.gains.len();
    let mut sets = UnionFind::new(root_vertices);
    for bundle in &fold.bundles {
        sets.union(bundle.ends[0], bundle.ends[1]);
    }
    // Components in the order of their first vertex, then vertices and bundles each into theirs.
    let mut component = vec![u32::MAX; root_vertices];
    let mut number = vec![u32::MAX; root_vertices];
    let mut cores: Vec<Core> = Vec::new();
    for &vertex in vertices {
        let top = sets.find_mut(vertex) as usize;
        if component[top] == u32::MAX {
            component[top] = cores.len() as u32;
            cores.push(Core {
                gains: Vec::new(),
                bundles: Vec::new(),
                arcs: Rows::default(),
                total: 0,
                ending: Ending::Open,
                required: Vec::new(),
                inside: HashMap::new(),
                root_vertex: Vec::new(),
            });
        }
        component[vertex as usize] = component[top];
        let core = &mut cores[component[top] as usize];
        number[vertex as usize] = core.gains.len() as u32;
        if let Some(edges) = fold.inside(vertex) {
            core.inside.insert(number[vertex as usize], edges);
        }
        if required.contains(&vertex) {
            core.required.push(number[vertex as usize]);
        }
        core.gains.push(fold.gains[vertex as usize]);
        core.root_vertex.push(vertex);
    }
    for &bundle in &fold.bundles {
        let core = &mut cores[component[bundle.ends[0] as usize] as usize];
        core.bundles.push(Bundle { ends: bundle.ends.map(|end| number[end as usize]), ..bundle });
    }
    for core in &mut cores {
        core.total =
            core.gains.iter().sum::<i64>() + core.bundles.iter().map(|bundle| i64::from(bundle.count)).sum::<i64>();
        core.index();
    }
    cores
}

/// Sorts the edges of the root into the places of the cores, as tips.
fn add_pendants(root: &Root, first: &[i64], last: &[i64], cores: &mut [Core]) {
    const NOWHERE: (u32, u32) = (u32::MAX, u32::MAX);
    let mut place_of_vertex = vec![NOWHERE; root.vertex_count];
    for (number, core) in (0..).zip(cores.iter()) {
        for (vertex, &at) in (0..).zip(&core.root_vertex) {
            place_of_vertex[at as usize] = (number, vertex);
        }
    }
    let mut pendants: Vec<Vec<(u32, PendantEdge)>> = vec![Vec::new(); cores.len()];
    for (edge, ends) in root.ends.iter().enumerate() {
        let places = ends.map(|end| place_of_vertex[end as usize]);
        let [one, two] = places;
        let (number, vertex) = if one == NOWHERE { two } else { one };
        if (number, vertex) == NOWHERE {
            continue;
        }
        let core = &cores[number as usize];
        let own = core.bundles.len() as u32 + vertex;
        let place = if one == two || one == NOWHERE || two == NOWHERE {
            own
        } else {
            // The shorter of the two rows.
            let [few, many] = if core.arcs(one.1).len() <= core.arcs(two.1).len() { [one, two] } else { [two, one] };
            let arc = core.arcs(few.1).iter().find(|&&(other, _)| other == many.1);
            arc.expect("the bundle of an edge between two vertices of the core").1
        };
        pendants[number as usize]
            .push((place, PendantEdge { edge: edge as u32, first: first[edge], last: last[edge] }));
    }
    for (core, pendants) in cores.iter_mut().zip(pendants) {
        core.ending = Ending::Prized(PendantEdges::new(core.bundles.len() + core.vertex_count(), pendants));
    }
}

impl Core {
    /// Fills the rows of arcs.
    fn index(&mut self) {
        let ends = |bundle: usize| self.bundles[bundle].ends;
        self.arcs = Rows::of_edges(self.gains.len(), self.bundles.len(), ends, |bundle, [_, other]| (other, bundle));
    }
}
