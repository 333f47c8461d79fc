//! Is a graph the line graph of a multigraph, and of which?
//!
//! **Twins.** Parallel edges are *closed twins* in the line graph: adjacent, with the same other neighbours. Let Q be the graph
//! with one vertex of each class of closed twins; it has no twins itself. *G is the line graph of a multigraph if and only if Q
//! is the line graph of a simple graph.* For if Q is, then each of its edges taken as often as its class is large makes G. And
//! if G is the line graph of a multigraph H, then Q is that of the edges of H it stands for; no two of these are parallel, since
//! Q has no twins; and a loop can be replaced by an edge to a new vertex, which meets the same edges. So twins need not come
//! from parallel edges (two pendant edges at one vertex are twins as well), but they may always be taken for such.
//!
//! **One vertex.** Let v be the edge ab of a simple root. Its neighbours are the other edges at a, a clique A, and those at b, a
//! clique B; and an edge of A meets at most one of B, in a triangle, and vice versa. So the complement of the neighbourhood is
//! a complete bipartite graph without a matching. It is connected but for a few cases: A or B empty (then there is no edge in
//! the complement at all; and where the neighbourhood is a clique of three or more, one of them must be empty); two components
//! where one of A and B is a single edge that meets one of the other, or both are two with two meetings. So the complement
//! leaves one choice, or two.
//!
//! **The rest** follows. If one end of an edge u is known with all edges there, the other neighbours of u meet it at its other
//! end, and are a clique with it. In a connected graph this reaches every vertex; it contradicts itself, or makes a root,
//! whose line graph is compared with what was given. Everything is linear.
//!
//! By Whitney's theorem two simple roots of a connected graph are isomorphic but for the triangle, which K3 and K1,3 share; a
//! triangle has twins, so Q is none, and any property of the root of Q is one of the graph.
//!
//! Sources: Józef Krausz, *Démonstration nouvelle d'une théorème de Whitney sur les réseaux*, Matematikai és Fizikai Lapok 50,
//! 1943 (the cliques); Hassler Whitney, *Congruent graphs and the connectivity of graphs*, American Journal of Mathematics 54,
//! 1932, DOI 10.2307/2371086; linear recognition: Nicholas D. Roussopoulos, *A max{m, n} algorithm for determining the graph H
//! from its line graph G*, Information Processing Letters 2, 1973, DOI 10.1016/0020-0190(73)90029-X, and Philippe G. H. Lehot,
//! *An optimal algorithm to detect a line graph and output its root graph*, Journal of the ACM 21, 1974, DOI
//! 10.1145/321850.321853. These choose a first clique by a case analysis of triangles; here one vertex settles it, as in
//! Daniele G. Degiorgi, Klaus Simon, *A dynamic algorithm for line graph recognition*, WG 1995, DOI 10.1007/3-540-60618-1_64.
//! Multigraphs: Jean-Claude Bermond, Jean-Claude Meyer, *Graphe représentatif des arêtes d'un multigraphe*, Journal de
//! Mathématiques Pures et Appliquées 52, 1973.

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use crate::view::{CsrGraph, Edge};

/// The root of a dense graph: the ends of the edge behind each vertex.
#[derive(Clone, Debug)]
pub(crate) struct Ends {
    pub(crate) vertex_count: usize,
    pub(crate) ends: Vec<[u32; 2]>,
}

impl Ends {
    /// The root without its parallel edges.
    pub(crate) fn graph(&self) -> CsrGraph {
        let edge = |&[source, target]: &[u32; 2]| Edge { source, target, weight: 1 };
        CsrGraph::from_multigraph(self.vertex_count, false, self.ends.iter().map(edge).collect()).0
    }
}

/// An end that is not known yet.
const UNKNOWN: u32 = u32::MAX;

/// The root of an undirected graph, parallel edges for closed twins; `None` if it is no line graph. `O(n + m)` expected.
pub(crate) fn root_of(graph: &CsrGraph) -> Option<Ends> {
    if !looks_like_one(graph) {
        return None;
    }
    let n = graph.vertex_count();
    let model = twin_models(graph);
    let models: Vec<u32> = (0..n as u32).filter(|&vertex| model[vertex as usize] == vertex).collect();
    let (quotient, _) = graph.induced(&models, &mut vec![u32::MAX; n]);
    let root = simple_root(&quotient)?;
    let mut number = vec![0; n];
    models.iter().zip(0..).for_each(|(&vertex, place)| number[vertex as usize] = place);
    let ends = model.iter().map(|&model| root.ends[number[model as usize] as usize]).collect();
    Some(Ends { vertex_count: root.vertex_count, ends })
}

/// Whether no claw is found at a few vertices: enough to be done with most graphs that are no line graphs.
fn looks_like_one(graph: &CsrGraph) -> bool {
    const SAMPLES: usize = 32;
    const LARGEST: usize = 64;
    let n = graph.vertex_count();
    let mut around = Around::new(n);
    let samples = (0..SAMPLES.min(n)).map(|sample| (sample * n / SAMPLES.min(n)) as u32);
    samples.filter(|&vertex| graph.out_arcs(vertex).len() <= LARGEST).all(|vertex| around.is_two_cliques(graph, vertex))
}

/// For each vertex the first of its closed twins.
fn twin_models(graph: &CsrGraph) -> Vec<u32> {
    let n = graph.vertex_count();
    let mark = |vertex: u32| scrambled(u64::from(vertex));
    // The last model with a number of neighbours and a sum, and before each the one that it follows.
    let mut last: HashMap<(u32, u64), u32> = HashMap::new();
    let mut before = vec![UNKNOWN; n];
    let mut model: Vec<u32> = (0..n as u32).collect();
    let mut is_around = vec![u32::MAX; n];
    for vertex in 0..n as u32 {
        let row = graph.out_arcs(vertex);
        if row.is_empty() {
            continue;
        }
        let sum = row.iter().fold(mark(vertex), |sum, arc| sum.wrapping_add(mark(arc.target)));
        let known = last.entry((row.len() as u32, sum)).or_insert(UNKNOWN);
        // Equal sums are a hint; equal neighbourhoods are looked for.
        if *known != UNKNOWN {
            is_around[vertex as usize] = vertex;
            row.iter().for_each(|arc| is_around[arc.target as usize] = vertex);
            let is_twin = |other: &u32| {
                is_around[*other as usize] == vertex
                    && graph.out_arcs(*other).iter().all(|arc| is_around[arc.target as usize] == vertex)
            };
            let models = std::iter::successors(Some(*known), |&model| Some(before[model as usize]));
            if let Some(twin) = models.take_while(|&model| model != UNKNOWN).find(is_twin) {
                model[vertex as usize] = twin;
                continue;
            }
        }
        before[vertex as usize] = std::mem::replace(known, vertex);
    }
    model
}

/// A fixed bijection that looks random (the finaliser of SplitMix64).
fn scrambled(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// The simple root of a graph without closed twins.
fn simple_root(graph: &CsrGraph) -> Option<Ends> {
    let n = graph.vertex_count();
    let mut reached = FixedBitSet::with_capacity(n);
    let mut around = Around::new(n);
    let mut spread = Spread { graph, ends: vec![[UNKNOWN; 2]; n], made: 0, queue: Vec::new() };
    let mut component = Vec::new();
    for start in 0..n as u32 {
        if reached[start as usize] {
            continue;
        }
        component.clear();
        component.push(start);
        reached.insert(start as usize);
        let mut next = 0;
        while let Some(&vertex) = component.get(next) {
            next += 1;
            for arc in graph.out_arcs(vertex) {
                if !reached.put(arc.target as usize) {
                    component.push(arc.target);
                }
            }
        }
        let sides = around.sides(graph, start);
        let before = spread.made;
        let found = (0..sides.choices()).any(|choice| {
            component.iter().for_each(|&vertex| spread.ends[vertex as usize] = [UNKNOWN; 2]);
            spread.made = before;
            spread.from(start, &sides, choice) && spread.is_right(&component, before)
        });
        if !found {
            return None;
        }
    }
    Some(Ends { vertex_count: spread.made as usize, ends: spread.ends })
}

/// How the neighbours of a vertex may fall into two cliques.
struct Sides {
    /// The neighbours, each with the part of the complement it is in, and its side there.
    neighbours: Vec<(u32, u32, bool)>,
    /// How many parts there are.
    parts: u32,
}

impl Sides {
    /// In how many ways the sides of the parts can go together in the line graph of a simple graph.
    fn choices(&self) -> u32 {
        match self.parts {
            0 | 1 => 1,
            2 => 2,
            // Nothing but a clique has so many; all of it is on one side.
            parts if parts as usize == self.neighbours.len() => 1,
            _ => 0,
        }
    }

    /// The neighbours on one side, the second part turned over with the second choice.
    fn on_side(&self, wanted: bool, choice: u32) -> impl Iterator<Item = u32> + '_ {
        let is_there = move |&&(_, part, side): &&(u32, u32, bool)| (side ^ (part == 1 && choice == 1)) == wanted;
        self.neighbours.iter().filter(is_there).map(|&(vertex, ..)| vertex)
    }
}

/// The complements of neighbourhoods, their memory kept between calls.
struct Around {
    mark: Vec<u32>,
    round: u32,
}

impl Around {
    fn new(vertex_count: usize) -> Self {
        Around { mark: vec![0; vertex_count], round: 0 }
    }

    /// The parts of the complement of the neighbourhood of a vertex, each in two sides if they are to be cliques; whether
    /// they are is not looked at. Linear in the degrees of the neighbours.
    fn sides(&mut self, graph: &CsrGraph, vertex: u32) -> Sides {
        let mut left: Vec<u32> = graph.out_arcs(vertex).iter().map(|arc| arc.target).collect();
        let mut neighbours: Vec<(u32, u32, bool)> = Vec::with_capacity(left.len());
        let mut parts = 0;
        while let Some(first) = left.pop() {
            let mut next = neighbours.len();
            neighbours.push((first, parts, false));
            while let Some(&(one, _, side)) = neighbours.get(next) {
                next += 1;
                self.mark_around(graph, one);
                left.retain(|&other| {
                    let adjacent = self.mark[other as usize] == self.round;
                    if !adjacent {
                        neighbours.push((other, parts, !side));
                    }
                    adjacent
                });
            }
            parts += 1;
        }
        Sides { neighbours, parts }
    }

    /// Whether the neighbourhood of a vertex is covered by two cliques. Quadratic in its degree.
    fn is_two_cliques(&mut self, graph: &CsrGraph, vertex: u32) -> bool {
        let Sides { neighbours, .. } = self.sides(graph, vertex);
        neighbours.iter().all(|&(one, part, side)| {
            self.mark_around(graph, one);
            let must_be_adjacent = |&&(other, its_part, its_side): &&(u32, u32, bool)| {
                other != one && (its_part, its_side) == (part, side)
            };
            neighbours.iter().filter(must_be_adjacent).all(|&(other, ..)| self.mark[other as usize] == self.round)
        })
    }

    fn mark_around(&mut self, graph: &CsrGraph, vertex: u32) {
        self.round += 1;
        graph.out_arcs(vertex).iter().for_each(|arc| self.mark[arc.target as usize] = self.round);
    }
}

/// A root in the making.
struct Spread<'a> {
    graph: &'a CsrGraph,
    ends: Vec<[u32; 2]>,
    /// How many vertices the root has so far.
    made: u32,
    /// Vertices whose first end is known, with all edges there.
    queue: Vec<u32>,
}

impl Spread<'_> {
    /// Makes the root of the component of `start`; `false` if this choice contradicts itself.
    fn from(&mut self, start: u32, sides: &Sides, choice: u32) -> bool {
        self.queue.clear();
        for side in [false, true] {
            let meeting = self.new_vertex();
            let clique = std::iter::once(start).chain(sides.on_side(side, choice));
            if !clique.into_iter().all(|vertex| self.learn(vertex, meeting)) {
                return false;
            }
        }
        let mut clique = Vec::new();
        let mut next = 0;
        while let Some(&vertex) = self.queue.get(next) {
            next += 1;
            let [known, other] = self.ends[vertex as usize];
            if other != UNKNOWN {
                continue;
            }
            let meeting = self.new_vertex();
            let beyond = |&target: &u32| !self.ends[target as usize].contains(&known);
            clique.clear();
            clique.push(vertex);
            clique.extend(self.graph.out_arcs(vertex).iter().map(|arc| arc.target).filter(beyond));
            if !clique.iter().all(|&vertex| self.learn(vertex, meeting)) {
                return false;
            }
        }
        true
    }

    fn new_vertex(&mut self) -> u32 {
        self.made += 1;
        self.made - 1
    }

    /// The edge ends there too; `false` if both its ends are known already.
    fn learn(&mut self, vertex: u32, meeting: u32) -> bool {
        let ends = &mut self.ends[vertex as usize];
        if ends[0] == UNKNOWN {
            ends[0] = meeting;
            self.queue.push(vertex);
        } else if ends[1] == UNKNOWN {
            ends[1] = meeting;
        } else {
            return false;
        }
        true
    }

    /// Whether the line graph of the root is this component: all its edges join what meets, and they are as many as there
    /// are meetings. The root's vertices are those from `first` on.
    fn is_right(&self, component: &[u32], first: u32) -> bool {
        let mut degree = vec![0u64; (self.made - first) as usize];
        let mut joined = 0u64;
        for &vertex in component {
            let ends = self.ends[vertex as usize];
            if ends.contains(&UNKNOWN) {
                return false;
            }
            ends.iter().for_each(|&end| degree[(end - first) as usize] += 1);
            let row = self.graph.out_arcs(vertex);
            joined += row.len() as u64;
            if !row.iter().all(|arc| self.ends[arc.target as usize].iter().any(|end| ends.contains(end))) {
                return false;
            }
        }
        // Without parallel edges no meeting is counted at both ends; with them there would be too many.
        let meetings: u64 = degree.iter().map(|&degree| degree * (degree - 1)).sum();
        meetings == joined
    }
}
