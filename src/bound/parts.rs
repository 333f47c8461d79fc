//! What a [`Witness::Blocks`](crate::certificate::Witness) says, as the `part`s that [proofs](crate::proof) know.
//!
//! Block after block is folded into the vertex that it hangs from, those below first: no better path is within it, and a path that
//! ends there earns no more than its *tail*, which is a prize of that vertex from then on. The largest block is left. Within a
//! block that is shown by the removals that the witness would have, or by a sweep where the block is small: then tails are as short
//! as can be shown. Nothing depends on it being right: the checker tells in the end. (Where several
//! parts hang on a vertex what it earns alone means nothing, so steps within are not tried one by one.)

use longhaul_check::Limits;

use super::{Effort, best_bound, steps};
use crate::instance::{Budget, Ends, Instance, NOT_AN_END};
use crate::proof::hanging::no_path;
use crate::proof::{Draft, Multipliers, Part, Record, Step};
use crate::reduce::blocks::BlockForest;
use crate::view::CsrGraph;

/// Blocks of so many vertices at most are swept, through so many states each.
const SWEPT: usize = 20;
const STATES: u64 = 20_000;
/// A block that all paths from an end of it are tried in with so many steps is small enough for its sweep not to be tried out.
const TRIED: u32 = 2_000;

/// What is left when all parts are folded: a graph, which vertices of the instance its own are, and steps about it.
pub(crate) struct Rest {
    pub(crate) graph: CsrGraph,
    pub(crate) vertices: Vec<u32>,
    pub(crate) record: Record,
}

/// Whether all blocks are small, so that parts are the way to prove what is longest.
pub(crate) fn are_small(graph: &CsrGraph) -> bool {
    let forest = BlockForest::hang(graph, 0..graph.vertex_count() as u32);
    forest.len() > 1 && forest.largest().is_some_and(|block| forest.block(block).len() <= SWEPT)
}

/// Parts to be folded one after the other, and steps about the rest, if they show that no path is worth more than `claim`. `None`
/// also for cycles, for graphs of one block, and where a limit is spent.
pub(crate) fn record(instance: &Instance, claim: i64, budget: &Budget) -> Option<(Vec<Part>, Rest)> {
    let Ends::Open { first, last, .. } = &instance.ends else { return None };
    let graph = &instance.graph;
    let n = graph.vertex_count() as u32;
    let core = {
        let forest = BlockForest::hang(graph, 0..n);
        forest.largest().filter(|_| forest.len() > 1).map(|block| forest.block(block).to_vec())?
    };
    // From a vertex of the core nothing hangs that holds it.
    let forest = BlockForest::hang(graph, core.iter().copied().chain(0..n));
    let mut folding = Folding {
        graph,
        first: first.clone(),
        last: last.clone(),
        claim,
        budget,
        scratch: vec![u32::MAX; graph.vertex_count()],
    };
    let core = forest.home(core[1]);
    let others = (0..forest.len() as u32).filter(|&block| block != core);
    let parts = others.map(|block| folding.part(forest.block(block))).collect::<Option<Vec<Part>>>()?;
    let (rest, _) = folding.within(forest.block(core));
    let record = record_of(&rest, Some(claim), budget)?;
    Some((parts, Rest { graph: rest.graph, vertices: forest.block(core).to_vec(), record }))
}

/// The question, as it is with all that has been folded.
struct Folding<'i> {
    graph: &'i CsrGraph,
    first: Vec<i64>,
    last: Vec<i64>,
    claim: i64,
    budget: &'i Budget,
    scratch: Vec<u32>,
}

impl Folding<'_> {
    /// The question about these vertices alone; and whether its ends are alike.
    fn within(&mut self, vertices: &[u32]) -> (Instance, bool) {
        let (graph, _) = self.graph.induced(vertices, &mut self.scratch);
        let ends = |prizes: &[i64]| -> Vec<i64> { vertices.iter().map(|&vertex| prizes[vertex as usize]).collect() };
        let (first, last) = (ends(&self.first), ends(&self.last));
        let alike = !graph.is_directed() && first == last;
        (Instance { graph, ends: Ends::Open { first, last, single_vertex: true } }, alike)
    }

    /// Folds a block into its first vertex.
    fn part(&mut self, vertices: &[u32]) -> Option<Part> {
        if self.budget.spent().is_some() {
            return None;
        }
        let (mut block, alike) = self.within(vertices);
        let within = record_of(&block, Some(self.claim), self.budget)?;
        let mut alone = vec![NOT_AN_END; vertices.len()];
        alone[0] = 0;
        let Ends::Open { first, last, single_vertex } = block.ends else { return None };
        let holder = vertices[0] as usize;
        let mut tails = Vec::new();
        let onwards = (first, alone.clone());
        let sides = if alike { vec![onwards] } else { vec![onwards, (alone, last)] };
        for (side, (first, last)) in sides.into_iter().enumerate() {
            block.ends = Ends::Open { first, last, single_vertex };
            let (tail, record) = tail(&block, self.budget)?;
            tails.push((tail, record));
            if side == 0 {
                self.first[holder] = self.first[holder].max(tail.unwrap_or(NOT_AN_END));
            }
            if side == 1 || alike {
                self.last[holder] = self.last[holder].max(tail.unwrap_or(NOT_AN_END));
            }
        }
        Some(Part { vertices: vertices.to_vec(), graph: block.graph, within, tails })
    }
}

/// Steps that may show that no path with an edge is worth more than a claim.
fn record_of(instance: &Instance, claim: Option<i64>, budget: &Budget) -> Option<Record> {
    let Ends::Open { first, last, .. } = &instance.ends else { return None };
    let n = instance.graph.vertex_count();
    if let Some(rows) = no_path(instance.graph.is_directed(), first, last) {
        return Some(one(Step::Close(rows)));
    }
    if n <= SWEPT {
        let plain = Multipliers { scale: i64::from(claim.is_some()), rows: Vec::new() };
        return Some(one(Step::Sweep(plain, (0..n as u32).collect())));
    }
    let found = best_bound(instance, Effort::Least, budget, claim?);
    steps::record(instance, &found.witness).filter(|_| Some(found.upper) <= claim)
}

/// Those that do, and of single vertices as well.
fn shown(instance: &Instance, claim: Option<i64>, budget: &Budget) -> Option<Record> {
    let record = record_of(instance, claim, budget)?;
    let numbers: Vec<u32> = (0..instance.graph.vertex_count() as u32).collect();
    let draft = Draft::of(instance, &numbers, claim);
    let stop = || budget.spent().is_some();
    let limits = Limits { memory: budget.memory, states: STATES, stop: &stop };
    draft.write(&record, &limits).is_ok().then_some(record)
}

/// The least that can be shown, and how; `None` if there is no path.
fn tail(instance: &Instance, budget: &Budget) -> Option<(Option<i64>, Record)> {
    if let Some(tail) = longest(instance) {
        return Some((tail, record_of(instance, tail, budget)?));
    }
    if let Some(record) = shown(instance, None, budget) {
        return Some((None, record));
    }
    let mut high = best_bound(instance, Effort::Least, budget, i64::MIN).upper;
    let mut record = shown(instance, Some(high), budget)?;
    // No path is worth less than all losses together.
    let Ends::Open { first, last, .. } = &instance.ends else { return None };
    let losses = instance.graph.edges().iter().map(|edge| edge.weight).chain(first.iter().chain(last).copied());
    let losses = losses.filter(|&worth| worth != NOT_AN_END && worth < 0).fold(0i64, i64::saturating_add);
    let is_small = instance.graph.vertex_count() <= SWEPT;
    let mut low = if is_small { losses.min(high).saturating_sub(1) } else { high - 1 };
    while low + 1 < high {
        let middle = low.midpoint(high);
        match shown(instance, Some(middle), budget) {
            Some(shorter) => (high, record) = (middle, shorter),
            None => low = middle,
        }
    }
    Some((Some(high), record))
}

/// The best path with an edge, if there is one, where few have to be tried; `None` if there are many.
fn longest(instance: &Instance) -> Option<Option<i64>> {
    let Instance { graph, ends } = instance;
    let Ends::Open { first, last, .. } = ends else { return None };
    let n = graph.vertex_count();
    if n > SWEPT {
        return None;
    }
    let ends_of = |prizes: &[i64]| prizes.iter().filter(|&&prize| prize != NOT_AN_END).count();
    let is_turned = !graph.is_directed() && ends_of(last) < ends_of(first);
    let (first, last) = if is_turned { (last, first) } else { (first, last) };
    let mut best = None;
    let mut steps = 0;
    let mut is_on_path = vec![false; n];
    // The path so far: a vertex, what the path is worth there, and which of its arcs comes next.
    let mut path: Vec<(u32, i64, usize)> = Vec::new();
    for start in (0..n as u32).filter(|&start| first[start as usize] != NOT_AN_END) {
        path.push((start, first[start as usize], 0));
        is_on_path[start as usize] = true;
        while let Some((vertex, worth, next)) = path.last_mut() {
            let Some(arc) = graph.out_arcs(*vertex).get(*next) else {
                is_on_path[*vertex as usize] = false;
                path.pop();
                continue;
            };
            *next += 1;
            steps += 1;
            if steps > TRIED {
                return None;
            }
            let target = arc.target as usize;
            if !is_on_path[target] {
                let worth = *worth + graph.weight(arc.edge);
                if last[target] != NOT_AN_END {
                    best = best.max(Some(worth + last[target]));
                }
                is_on_path[target] = true;
                path.push((arc.target, worth, 0));
            }
        }
    }
    Some(best)
}

fn one(step: Step) -> Record {
    let mut record = Record::default();
    record.add(step);
    record
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::super::tests::{any_edges, optimum};
    use super::*;
    use crate::view::Edge;

    /// Random graphs glued at single vertices, with any ends.
    fn glued(directed: bool, random: &mut Pcg64Mcg) -> Instance {
        let (mut n, mut edges) = (1, Vec::new());
        while n < 8 {
            let (size, at) = (random.random_range(2..5), random.random_range(0..n) as u32);
            let vertex = |local: u32| if local == 0 { at } else { n as u32 + local - 1 };
            for edge in any_edges(size, directed, 0.8, 5, random) {
                let (source, target) = (vertex(edge.source), vertex(edge.target));
                let is_turned = !directed && source > target;
                let (source, target) = if is_turned { (target, source) } else { (source, target) };
                edges.push(Edge { source, target, weight: edge.weight });
            }
            n += size - 1;
        }
        let mut ends = |kind: u32| -> Vec<i64> {
            let only = random.random_range(0..n);
            let end = |vertex| match kind {
                0 => 0,
                1 if vertex != only => NOT_AN_END,
                _ => random.random_range(-2..4),
            };
            (0..n).map(end).collect()
        };
        let first = ends(n as u32 % 3);
        let last = if n.is_multiple_of(2) { first.clone() } else { ends(edges.len() as u32 % 3) };
        let ends = Ends::Open { first, last, single_vertex: true };
        Instance { graph: CsrGraph::from_simple(n, directed, edges), ends }
    }

    #[test]
    fn small_blocks_prove_what_is_longest() {
        let mut random = Pcg64Mcg::seed_from_u64(22);
        let (mut proved, mut folded) = (0, 0);
        for round in 0..400 {
            let instance = glued(round % 2 == 1, &mut random);
            let Some(optimum) = optimum(&instance) else { continue };
            for claim in [optimum, optimum - 1] {
                let found = record(&instance, claim, &Budget::unlimited());
                let Some((parts, rest)) = found else {
                    assert!(claim < optimum, "{optimum} is not shown of {instance:?}");
                    continue;
                };
                let numbers: Vec<u32> = (0..instance.graph.vertex_count() as u32).collect();
                folded += parts.len();
                let rest_of_it = Some((rest.graph, rest.vertices));
                let draft = Draft::of(&instance, &numbers, Some(claim));
                let draft = Draft { binary: round % 4 < 2, parts, rest: rest_of_it, ..draft };
                let proof = draft.write(&rest.record, &Limits::default());
                assert_eq!(proof.is_ok(), claim == optimum, "{proof:?} of {instance:?}");
                proved += usize::from(proof.is_ok());
            }
        }
        assert!(proved > 200 && folded > 2 * proved, "{proved} proved by {folded} parts");
    }
}
