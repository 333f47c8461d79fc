//! The reduced core of a graph, and the way back from an order of the core to an order of everything.
//!
//! Pendant vertices and vertices with two neighbours never decide the width of an order: where their neighbours are in
//! the frontier together, they come and go at once. So they are taken away, the two neighbours of the latter joined,
//! until every vertex left has three neighbours or none (parallel edges count once, so whatever has treewidth two
//! vanishes; only between two hubs a vertex stays). An order of this core is then expanded: what was contracted into an
//! edge is placed while both its ends are in the frontier, what hangs on a vertex while that is, where the frontier is
//! smallest; of several branches the heaviest last, so that a hanging tree of `k` vertices adds at most `log₂ k + 1` to
//! the frontier. Both ways take `O(n log n + m)`.

use fixedbitset::FixedBitSet;

use super::adjacency::{Adjacency, Ways, turned};
use super::measure::{frontiers, positions};

const NONE: u32 = u32::MAX;

/// Between two vertices with more neighbours than this each, nothing is contracted: looking for the edge between them
/// would cost too much.
const HUB_DEGREE: usize = 64;

/// Among at most so many positions the cheapest is sought for what is expanded.
const FARTHEST: usize = 256;

/// A graph taken apart into a core and what was contracted or hung onto it.
pub(super) struct Reduced {
    core: Adjacency,
    vertex_from_core: Vec<u32>,
    /// For every arc of the core, in the order of its rows, the link behind it, or `NONE` for a plain edge.
    core_links: Vec<u32>,
    links: Vec<Link>,
    strands: Vec<Strand>,
    /// What hangs on each vertex: a list through `next_hanging`.
    first_hanging: Vec<u32>,
    next_hanging: Vec<u32>,
    /// The link between a hanging vertex and what it hangs on.
    hanging_link: Vec<u32>,
    /// How many vertices each vertex carries when it is placed: itself and all that hangs on it.
    size: Vec<u32>,
}

/// Several ways between the same two vertices: a list of strands, and perhaps a plain edge.
#[derive(Clone, Copy)]
struct Link {
    first: u32,
    size: u32,
    /// A single strand and nothing else, and so all the way down: a chain of vertices.
    chain: bool,
}

/// A contracted vertex between its two neighbours, and the links to them.
#[derive(Clone, Copy)]
struct Strand {
    vertex: u32,
    ends: [u32; 2],
    links: [u32; 2],
    next: u32,
}

impl Reduced {
    pub(super) fn new(graph: &Adjacency) -> Self {
        Reducer::new(graph).reduce()
    }

    pub(super) fn core(&self) -> &Adjacency {
        &self.core
    }

    /// The position of each vertex of the core in an order of all vertices.
    pub(super) fn restrict(&self, order: &[u32]) -> Vec<u32> {
        let position = positions(order.len(), order);
        self.vertex_from_core.iter().map(|&vertex| position[vertex as usize]).collect()
    }

    /// The order of all vertices that an order of the core's vertices stands for.
    pub(super) fn expand(&self, core_order: &[u32]) -> Vec<u32> {
        let n = self.first_hanging.len();
        let core_len = self.core.len();
        let position = positions(core_len, core_order);
        let frontiers = frontiers(&self.core, core_order);
        // The last position after which each vertex is in the frontier, its own at least.
        let leaves_after = |vertex: u32| {
            let last = self.core.row(vertex).iter().map(|&neighbour| position[neighbour as usize]).max().unwrap_or(0);
            last.saturating_sub(1).max(position[vertex as usize]) as usize
        };

        // What is placed after each position: a list through `next`.
        let mut first = vec![NONE; core_len];
        let mut later: Vec<(Step, u32)> = Vec::new();
        let mut schedule = |step: Step, from: usize, to: usize| {
            let to = to.min(from + FARTHEST).max(from);
            let cheapest = (from..=to).min_by_key(|&index| frontiers[index]).expect("the range holds `from`");
            later.push((step, first[cheapest]));
            first[cheapest] = later.len() as u32 - 1;
        };
        let mut before: Vec<(u32, Step)> = Vec::new();
        let mut arc = 0;
        for vertex in 0..core_len as u32 {
            let here = position[vertex as usize] as usize;
            if self.first_hanging[self.vertex_from_core[vertex as usize] as usize] != NONE {
                schedule(Step::Hanging(self.vertex_from_core[vertex as usize]), here, leaves_after(vertex));
            }
            for &neighbour in self.core.row(vertex) {
                let link = self.core_links[arc];
                arc += 1;
                if link == NONE || position[neighbour as usize] as usize > here {
                    continue;
                }
                let step = Step::Link { link, from: self.vertex_from_core[neighbour as usize] };
                let neighbour_leaves = leaves_after(neighbour);
                // A chain from a vertex that is done with takes over its place in the frontier.
                if neighbour_leaves < here && self.links[link as usize].chain {
                    before.push((here as u32, step));
                } else {
                    schedule(step, here, neighbour_leaves.min(leaves_after(vertex)));
                }
            }
        }
        before.sort_unstable_by_key(|&(index, _)| index);

        let mut expansion = Expansion { reduced: self, order: Vec::with_capacity(n), todo: Vec::new() };
        let mut before = before.into_iter().peekable();
        for (index, &core_vertex) in core_order.iter().enumerate() {
            while let Some((_, step)) = before.next_if(|&(at, _)| at as usize == index) {
                expansion.run(step);
            }
            expansion.order.push(self.vertex_from_core[core_vertex as usize]);
            let mut next = first[index];
            while next != NONE {
                let (step, after) = later[next as usize];
                expansion.run(step);
                next = after;
            }
        }
        debug_assert_eq!(expansion.order.len(), n);
        expansion.order
    }
}

struct Expansion<'a> {
    reduced: &'a Reduced,
    order: Vec<u32>,
    todo: Vec<Step>,
}

#[derive(Clone, Copy)]
enum Step {
    /// Place what is inside a link, of whose ends `from` is one.
    Link {
        link: u32,
        from: u32,
    },
    Vertex(u32),
    /// Place what hangs on a placed vertex.
    Hanging(u32),
}

impl Expansion<'_> {
    fn run(&mut self, step: Step) {
        self.todo.push(step);
        while let Some(step) = self.todo.pop() {
            match step {
                Step::Vertex(vertex) => self.order.push(vertex),
                Step::Link { link: NONE, .. } => {}
                Step::Link { link, from } => self.open(link, from),
                Step::Hanging(vertex) => self.hang(vertex),
            }
        }
    }

    fn open(&mut self, link: u32, from: u32) {
        let Link { first, chain, .. } = self.reduced.links[link as usize];
        let mut next = first;
        while next != NONE {
            let strand = self.reduced.strands[next as usize];
            let near = usize::from(strand.ends[0] != from);
            let vertex = strand.vertex;
            let nearer = Step::Link { link: strand.links[near], from };
            // The last pushed is placed first.
            if chain {
                let further = Step::Link { link: strand.links[1 - near], from: vertex };
                self.todo.extend([further, Step::Hanging(vertex), Step::Vertex(vertex), nearer]);
            } else {
                let further = Step::Link { link: strand.links[1 - near], from: strand.ends[1 - near] };
                self.todo.extend([Step::Hanging(vertex), further, nearer, Step::Vertex(vertex)]);
            }
            next = strand.next;
        }
    }

    fn hang(&mut self, vertex: u32) {
        let from = self.todo.len();
        let mut next = self.reduced.first_hanging[vertex as usize];
        while next != NONE {
            self.todo.push(Step::Vertex(next));
            next = self.reduced.next_hanging[next as usize];
        }
        let reduced = self.reduced;
        let weight = |step: &Step| match *step {
            Step::Vertex(child) => {
                let link = reduced.hanging_link[child as usize];
                reduced.size[child as usize] + if link == NONE { 0 } else { reduced.links[link as usize].size }
            }
            Step::Link { .. } | Step::Hanging(_) => 0,
        };
        // Deepest in the stack comes last: the heaviest branch.
        self.todo[from..].sort_by_key(|step| std::cmp::Reverse(weight(step)));
        let children: Vec<Step> = self.todo.drain(from..).collect();
        for step in children {
            if let Step::Vertex(child) = step {
                let link = self.reduced.hanging_link[child as usize];
                self.todo.push(Step::Hanging(child));
                if link == NONE {
                    self.todo.push(step);
                } else if self.reduced.links[link as usize].chain {
                    self.todo.extend([step, Step::Link { link, from: vertex }]);
                } else {
                    self.todo.extend([Step::Link { link, from: vertex }, step]);
                }
            }
        }
    }
}

/// Rows that shrink: every arc knows its twin, so both go in constant time.
struct Reducer {
    starts: Vec<u32>,
    degrees: Vec<u32>,
    targets: Vec<u32>,
    ways: Vec<Ways>,
    twins: Vec<u32>,
    arc_links: Vec<u32>,
    gone: FixedBitSet,
    is_directed: bool,
    links: Vec<Link>,
    strands: Vec<Strand>,
    first_hanging: Vec<u32>,
    next_hanging: Vec<u32>,
    hanging_link: Vec<u32>,
    size: Vec<u32>,
}

impl Reducer {
    fn new(graph: &Adjacency) -> Self {
        let n = graph.len();
        let mut starts = Vec::with_capacity(n);
        let mut targets = Vec::with_capacity(graph.arc_count());
        for vertex in 0..n as u32 {
            starts.push(targets.len() as u32);
            targets.extend_from_slice(graph.row(vertex));
        }
        // Reading the arcs by source and bucketing them by target meets every row's twins in the row's own order, if
        // the rows are sorted; so sort them by passing twice.
        let mut filled = vec![0u32; n];
        let mut sorted = vec![0u32; targets.len()];
        let mut ways = vec![0; targets.len()];
        for vertex in 0..n as u32 {
            let ways_there = graph.ways(vertex);
            for (index, &target) in graph.row(vertex).iter().enumerate() {
                let at = (starts[target as usize] + filled[target as usize]) as usize;
                sorted[at] = vertex;
                ways[at] = turned(ways_there[index]);
                filled[target as usize] += 1;
            }
        }
        let mut met = vec![0u32; n];
        let mut twins = vec![0u32; targets.len()];
        for vertex in 0..n as u32 {
            let row = starts[vertex as usize]..starts[vertex as usize] + filled[vertex as usize];
            for arc in row {
                let target = sorted[arc as usize] as usize;
                twins[arc as usize] = starts[target] + met[target];
                met[target] += 1;
            }
        }
        Reducer {
            starts,
            degrees: filled,
            arc_links: vec![NONE; sorted.len()],
            targets: sorted,
            ways,
            twins,
            gone: FixedBitSet::with_capacity(n),
            is_directed: graph.is_directed,
            links: Vec::new(),
            strands: Vec::new(),
            first_hanging: vec![NONE; n],
            next_hanging: vec![NONE; n],
            hanging_link: vec![NONE; n],
            size: vec![1; n],
        }
    }

    fn reduce(mut self) -> Reduced {
        let n = self.gone.len();
        let mut pendant: Vec<u32> = (0..n as u32).filter(|&vertex| self.degrees[vertex as usize] == 1).collect();
        let mut serial: Vec<u32> = (0..n as u32).rev().filter(|&vertex| self.degrees[vertex as usize] == 2).collect();
        loop {
            let touched = if let Some(vertex) = pendant.pop() {
                if self.gone[vertex as usize] || self.degrees[vertex as usize] != 1 {
                    continue;
                }
                [self.hang(vertex), NONE]
            } else if let Some(vertex) = serial.pop() {
                if self.gone[vertex as usize] || self.degrees[vertex as usize] != 2 {
                    continue;
                }
                self.contract(vertex)
            } else {
                break;
            };
            for vertex in touched.into_iter().filter(|&vertex| vertex != NONE) {
                match self.degrees[vertex as usize] {
                    1 => pendant.push(vertex),
                    2 => serial.push(vertex),
                    _ => {}
                }
            }
        }
        self.finish()
    }

    /// Takes a vertex with one neighbour away and hangs it on that; returns it.
    fn hang(&mut self, vertex: u32) -> u32 {
        let arc = self.starts[vertex as usize];
        let neighbour = self.targets[arc as usize];
        let link = self.arc_links[arc as usize];
        self.hanging_link[vertex as usize] = link;
        self.next_hanging[vertex as usize] = self.first_hanging[neighbour as usize];
        self.first_hanging[neighbour as usize] = vertex;
        self.size[neighbour as usize] += self.size[vertex as usize] + self.link_size(link);
        self.remove_arc(self.twins[arc as usize]);
        self.gone.insert(vertex as usize);
        neighbour
    }

    /// Takes a vertex with two neighbours away and joins them; returns those whose degree fell.
    fn contract(&mut self, vertex: u32) -> [u32; 2] {
        let arcs = [self.starts[vertex as usize], self.starts[vertex as usize] + 1];
        let ends = arcs.map(|arc| self.targets[arc as usize]);
        let twins = arcs.map(|arc| self.twins[arc as usize]);
        let links = arcs.map(|arc| self.arc_links[arc as usize]);
        // From each end through the vertex to the other.
        let through = [0, 1].map(|side| self.ways[twins[side] as usize] & self.ways[arcs[1 - side] as usize]);
        let (shorter, other) = if self.degrees[ends[0] as usize] <= self.degrees[ends[1] as usize] {
            (ends[0], ends[1])
        } else {
            (ends[1], ends[0])
        };
        if self.degrees[shorter as usize] as usize > HUB_DEGREE {
            return [NONE, NONE];
        }
        let size = self.size[vertex as usize] + self.link_size(links[0]) + self.link_size(links[1]);
        let is_chain = |link: u32| link == NONE || self.links[link as usize].chain;
        let chain = links.into_iter().all(is_chain);
        let strand = self.strands.len() as u32;
        self.strands.push(Strand { vertex, ends, links, next: NONE });
        self.gone.insert(vertex as usize);

        let row = self.starts[shorter as usize]..self.starts[shorter as usize] + self.degrees[shorter as usize];
        match row.into_iter().find(|&arc| self.targets[arc as usize] == other) {
            None => {
                let link = self.links.len() as u32;
                self.links.push(Link { first: strand, size, chain });
                for side in 0..2 {
                    let arc = twins[side] as usize;
                    self.targets[arc] = ends[1 - side];
                    self.ways[arc] = through[side];
                    self.twins[arc] = twins[1 - side];
                    self.arc_links[arc] = link;
                }
                [NONE, NONE]
            }
            Some(arc) => {
                let there = through[usize::from(shorter != ends[0])];
                self.ways[arc as usize] |= there;
                self.ways[self.twins[arc as usize] as usize] |= turned(there);
                let known = self.arc_links[arc as usize];
                if known == NONE {
                    let link = self.links.len() as u32;
                    self.links.push(Link { first: strand, size, chain: false });
                    self.arc_links[arc as usize] = link;
                    self.arc_links[self.twins[arc as usize] as usize] = link;
                } else {
                    let link = &mut self.links[known as usize];
                    self.strands[strand as usize].next = link.first;
                    link.first = strand;
                    link.size += size;
                    link.chain = false;
                }
                twins.into_iter().for_each(|twin| self.remove_arc(twin));
                ends
            }
        }
    }

    fn link_size(&self, link: u32) -> u32 {
        if link == NONE { 0 } else { self.links[link as usize].size }
    }

    /// Takes an arc out of its row; its twin stays behind and must not be used again.
    fn remove_arc(&mut self, arc: u32) {
        let source = self.targets[self.twins[arc as usize] as usize] as usize;
        self.degrees[source] -= 1;
        let last = self.starts[source] + self.degrees[source];
        if last != arc {
            self.targets[arc as usize] = self.targets[last as usize];
            self.ways[arc as usize] = self.ways[last as usize];
            self.twins[arc as usize] = self.twins[last as usize];
            self.arc_links[arc as usize] = self.arc_links[last as usize];
            let twin = self.twins[arc as usize];
            self.twins[twin as usize] = arc;
        }
    }

    fn finish(self) -> Reduced {
        let n = self.gone.len() as u32;
        let vertex_from_core: Vec<u32> = self.gone.zeroes().map(|vertex| vertex as u32).collect();
        let mut core_from_vertex = vec![NONE; n as usize];
        for (core, &vertex) in vertex_from_core.iter().enumerate() {
            core_from_vertex[vertex as usize] = core as u32;
        }
        let row_of = |vertex: u32| {
            let start = self.starts[vertex as usize] as usize;
            start..start + self.degrees[vertex as usize] as usize
        };
        let rows = vertex_from_core.iter().map(|&vertex| {
            let row = self.targets[row_of(vertex)].iter().zip(&self.ways[row_of(vertex)]);
            row.map(|(&target, &ways)| (core_from_vertex[target as usize], ways)).collect::<Vec<_>>()
        });
        let core = Adjacency::from_rows(self.is_directed, rows);
        let core_links =
            vertex_from_core.iter().flat_map(|&vertex| self.arc_links[row_of(vertex)].iter().copied()).collect();
        Reduced {
            core,
            vertex_from_core,
            core_links,
            links: self.links,
            strands: self.strands,
            first_hanging: self.first_hanging,
            next_hanging: self.next_hanging,
            hanging_link: self.hanging_link,
            size: self.size,
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::super::adjacency::{BACK, FORTH};
    use super::*;

    /// A complete graph on four vertices, in which the ways between two are straight, along a chain, or both.
    #[test]
    fn a_contracted_chain_goes_the_ways_that_all_of_it_goes() {
        let mut random = Pcg64Mcg::seed_from_u64(3);
        for _ in 0..200 {
            let mut rows: Vec<Vec<(u32, Ways)>> = vec![Vec::new(); 4];
            let mut join = |rows: &mut Vec<Vec<(u32, Ways)>>, a: u32, b: u32| {
                let ways = random.random_range(0..=FORTH | BACK);
                rows[a as usize].push((b, ways));
                rows[b as usize].push((a, turned(ways)));
                ways
            };
            let mut expected = [[0; 4]; 4];
            for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
                for strand in 0..3 {
                    let mut ways = FORTH | BACK;
                    let mut at = a;
                    for _ in 0..strand {
                        rows.push(Vec::new());
                        let next = rows.len() as u32 - 1;
                        ways &= join(&mut rows, at, next);
                        at = next;
                    }
                    ways &= join(&mut rows, at, b);
                    expected[a as usize][b as usize] |= ways;
                    expected[b as usize][a as usize] |= turned(ways);
                }
            }
            let reduced = Reduced::new(&Adjacency::from_rows(true, rows.into_iter()));
            let core = reduced.core();
            assert_eq!(reduced.vertex_from_core, [0, 1, 2, 3]);
            for vertex in 0..4 {
                for (&neighbour, &ways) in core.row(vertex).iter().zip(core.ways(vertex)) {
                    assert_eq!(ways, expected[vertex as usize][neighbour as usize]);
                }
            }
        }
    }
}
