//! Chains of a digraph: runs of vertices between the same two neighbours, with one-way or two-way streets, become one arc for
//! each way through them, or one vertex.
//!
//! A *run* `a, v₁ … vₖ, b` has inner vertices with two neighbours each, whichever ways the arcs between them go. A path goes
//! through it *forth*, `a → v₁ → … → vₖ → b`, or *back*, where all arcs for that are there.
//!
//! - *Silent*: no path ends inside. The run becomes an arc `a → b` and an arc `b → a`, of those that there are; of several
//!   connections from `a` to `b` a path uses at most one, so the heaviest stays. A cycle may use two, one there and one back,
//!   which must not be the same run: so nothing is contracted where the arcs there and back are worth more than the floor, unless they
//!   stand for different runs, or arcs within the run are.
//! - *Open*: paths may begin inside for a prize `p`, or end there for a prize `q`, or both; no arc weighs less than 0. With `I`
//!   for the sum of the arcs between inner vertices, of those forth as of those back, the run becomes one vertex between `a` and `b`.
//!   To enter it is worth what the arc there weighs, and `I`; to begin there `p + I`. For a path that begins inside had better begin
//!   where it can go through all of the run, and one that ends inside had better do so too.
//!   What is lost is a path with both ends inside that is elsewhere in between: a cycle without an arc `vᵢ → vᵢ₊₁`. It must be
//!   worth as much without `vₖ → b`, beginning at `b`, or without `a → v₁`, ending at `a`; and so must one that goes back. Where
//!   these arcs weigh too much the run is cut in two at its lightest arc.
//!
//! Contracting may make new runs, so the step is repeated until it finds little. `O((n + m) log n)` in all.

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;
use smallvec::SmallVec;

use crate::decompose::chains::Walk;
use crate::instance::{Ends, Instance, NOT_AN_END};
use crate::view::{CsrGraph, Edge, IsOver};

/// It is not worth its while where fewer vertices than one in so many go; nor is another pass after one in which fewer went than
/// one in the second number.
const LEAST_GONE: usize = 10;
const LEAST_GONE_AGAIN: usize = 50;

/// An instance without its runs, and the way back.
#[derive(Debug)]
pub(crate) struct Contracted {
    pub(crate) instance: Instance,
    rounds: Vec<Round>,
}

impl Contracted {
    /// The path of the original instance behind a path of [`instance`](Self::instance); it is worth as much.
    pub(crate) fn lift(&self, path: &[u32]) -> Vec<u32> {
        let is_closed = matches!(self.instance.ends, Ends::Closed { .. });
        self.rounds.iter().rev().fold(path.to_vec(), |path, round| round.lift(&path, is_closed))
    }

    /// By vertex, one of the original instance that it stands for.
    pub(crate) fn kept(&self) -> Vec<u32> {
        let mut kept: Vec<u32> = (0..self.instance.graph.vertex_count() as u32).collect();
        for round in self.rounds.iter().rev() {
            kept.iter_mut().for_each(|vertex| *vertex = round.kept[*vertex as usize]);
        }
        kept
    }
}

/// One pass over an instance.
#[derive(Debug)]
struct Round {
    /// By vertex, the one in old numbers that it is, or the first of its run.
    kept: Vec<u32>,
    /// By vertex that stands for a run.
    runs: HashMap<u32, Standing>,
    /// By arc: what lay inside, in old numbers.
    inside: HashMap<(u32, u32), Vec<u32>>,
}

/// What a vertex stands for.
#[derive(Debug)]
struct Standing {
    /// From whence the run is gone forth.
    before: u32,
    /// In old numbers.
    inside: Vec<u32>,
    /// Whether it can be gone forth.
    has_forth: bool,
}

impl Round {
    fn lift(&self, path: &[u32], is_closed: bool) -> Vec<u32> {
        let mut lifted = Vec::new();
        for (at, &vertex) in path.iter().enumerate() {
            let next = path.get(at + 1).or(if is_closed { path.first() } else { None });
            if let Some(run) = self.runs.get(&vertex) {
                let goes_forth = match (next, at.checked_sub(1).map(|before| path[before])) {
                    (Some(&next), _) => next != run.before,
                    (None, Some(before)) => before == run.before,
                    (None, None) => run.has_forth,
                };
                if goes_forth {
                    lifted.extend_from_slice(&run.inside);
                } else {
                    lifted.extend(run.inside.iter().rev());
                }
            } else {
                lifted.push(self.kept[vertex as usize]);
            }
            if let Some(inside) = next.and_then(|&next| self.inside.get(&(vertex, next))) {
                lifted.extend_from_slice(inside);
            }
        }
        lifted
    }
}

/// Contracts the runs of a directed instance of which only paths worth more than `floor` are asked for. `None` if that is not
/// worth its while, or if `is_over`, which is asked now and then, says so.
pub(crate) fn contract(instance: &Instance, floor: i64, is_over: IsOver<'_>) -> Option<Contracted> {
    let n = instance.graph.vertex_count();
    let mut rounds = Vec::new();
    let mut current: Option<Instance> = None;
    let mut goes_on = true;
    while goes_on && let Some((shorter, round)) = contract_once(current.as_ref().unwrap_or(instance), floor, is_over) {
        let (before, left) = (current.as_ref().unwrap_or(instance).graph.vertex_count(), shorter.graph.vertex_count());
        goes_on = (before - left) * LEAST_GONE_AGAIN >= before;
        rounds.push(round);
        current = Some(shorter);
    }
    let gone = |instance: &Instance| (n - instance.graph.vertex_count()) * LEAST_GONE >= n;
    current.filter(|instance| gone(instance) && !is_over()).map(|instance| Contracted { instance, rounds })
}

/// A chain with its arcs: `None` where there is none.
struct Run {
    ends: [u32; 2],
    inside: Vec<u32>,
    /// From the first end on, one more than there are vertices inside.
    forth: Arcs,
    /// Between the same vertices as those forth.
    back: Arcs,
}

type Arcs = SmallVec<[Option<i64>; 6]>;

/// The sum of the arcs, if all are there.
fn sum(arcs: &[Option<i64>]) -> Option<i64> {
    arcs.iter().copied().sum()
}

/// What becomes of a run.
enum Become {
    /// An arc for each way through it.
    Arcs,
    /// A vertex, with what it is worth to begin and to end there.
    Vertex([i64; 2]),
}

fn contract_once(instance: &Instance, floor: i64, is_over: IsOver<'_>) -> Option<(Instance, Round)> {
    if is_over() {
        return None;
    }
    let (contracted, is_inside) = apart(instance, floor, is_over)?;
    if contracted.is_empty() || is_over() {
        return None;
    }
    let graph = &instance.graph;
    let n = graph.vertex_count();

    let mut is_kept = is_inside.clone();
    is_kept.toggle_range(..);
    let vertices = contracted.iter().filter(|(_, becomes)| matches!(becomes, Become::Vertex(_)));
    is_kept.extend(vertices.map(|(run, _)| run.inside[0] as usize));
    let kept: Vec<u32> = is_kept.ones().map(|vertex| vertex as u32).collect();
    let mut new = vec![u32::MAX; n];
    (0..).zip(&kept).for_each(|(at, &vertex)| new[vertex as usize] = at);

    let mut ends = match &instance.ends {
        Ends::Open { first, last, single_vertex } => {
            let pick = |prizes: &[i64]| kept.iter().map(|&vertex| prizes[vertex as usize]).collect();
            Ends::Open { first: pick(first), last: pick(last), single_vertex: *single_vertex }
        }
        Ends::Closed { through } => Ends::Closed { through: through.map(|vertex| new[vertex as usize]) },
    };
    let stays = |edge: &&Edge| !is_inside[edge.source as usize] && !is_inside[edge.target as usize];
    let renamed = |edge: &Edge| Edge { source: new[edge.source as usize], target: new[edge.target as usize], ..*edge };
    let mut edges: Vec<Edge> = graph.edges().iter().filter(stays).map(renamed).collect();
    let (mut insides, mut standing) = (vec![Vec::new(); edges.len()], HashMap::new());
    for (run, becomes) in contracted {
        let [a, b] = run.ends.map(|end| new[end as usize]);
        let (forth, back) = (sum(&run.forth), sum(&run.back));
        match becomes {
            Become::Arcs => {
                let turned = run.inside.iter().rev().copied().collect();
                for (source, target, weight, inside) in [(a, b, forth, run.inside), (b, a, back, turned)] {
                    if let Some(weight) = weight {
                        edges.push(Edge { source, target, weight });
                        insides.push(inside);
                    }
                }
            }
            Become::Vertex(prizes) => {
                let vertex = new[run.inside[0] as usize];
                let (into_b, into_a) = (run.forth[run.inside.len()], run.back[0]);
                for (source, target, all, out) in [(a, b, forth, into_b), (b, a, back, into_a)] {
                    if let (Some(all), Some(out)) = (all, out) {
                        edges.push(Edge { source, target: vertex, weight: all - out });
                        edges.push(Edge { source: vertex, target, weight: out });
                    }
                }
                insides.resize(edges.len(), Vec::new());
                if let Ends::Open { first, last, .. } = &mut ends {
                    [first[vertex as usize], last[vertex as usize]] = prizes;
                }
                standing.insert(vertex, Standing { before: a, inside: run.inside, has_forth: forth.is_some() });
            }
        }
    }
    let (graph, positions) = CsrGraph::from_multigraph_unless(kept.len(), true, edges, is_over)?;
    let mut inside = HashMap::new();
    for (edge, position) in graph.edges().iter().zip(positions) {
        let between = std::mem::take(&mut insides[position as usize]);
        if !between.is_empty() {
            inside.insert((edge.source, edge.target), between);
        }
    }
    Some((Instance { graph, ends }, Round { kept, runs: standing, inside }))
}

/// What is to be contracted in one pass, and the vertices inside: runs that touch each other wait for the next.
fn apart(instance: &Instance, floor: i64, is_over: IsOver<'_>) -> Option<(Vec<(Run, Become)>, FixedBitSet)> {
    let n = instance.graph.vertex_count();
    let (mut is_inside, mut is_end) = (FixedBitSet::with_capacity(n), FixedBitSet::with_capacity(n));
    let mut contracted = Vec::new();
    for run in runs(instance, is_over)? {
        let Some((run, becomes)) = to_be_contracted(instance, run, floor) else { continue };
        let touches = run.ends.iter().any(|&end| is_inside[end as usize])
            || run.inside.iter().any(|&vertex| is_end[vertex as usize]);
        if !touches {
            is_inside.extend(run.inside.iter().map(|&vertex| vertex as usize));
            is_end.extend(run.ends.iter().map(|&vertex| vertex as usize));
            contracted.push((run, becomes));
        }
    }
    Some((contracted, is_inside))
}

/// The runs, which may meet at their ends.
fn runs(instance: &Instance, is_over: IsOver<'_>) -> Option<Vec<Run>> {
    let graph = &instance.graph;
    let n = graph.vertex_count();
    let (beside, _) = CsrGraph::from_multigraph_unless(n, false, graph.edges().to_vec(), is_over)?;
    let prizes = |vertex: u32| match &instance.ends {
        Ends::Open { first, last, .. } => [first[vertex as usize], last[vertex as usize]],
        Ends::Closed { .. } => [NOT_AN_END; 2],
    };
    let is_through = |vertex: u32| matches!(instance.ends, Ends::Closed { through } if through == Some(vertex));
    let chains = Walk {
        vertices: n,
        edges: beside.edge_count(),
        arcs: |vertex| beside.out_arcs(vertex).iter().map(|arc| (arc.edge, arc.target)),
        is_inside: |vertex| beside.out_arcs(vertex).len() == 2 && !is_through(vertex),
        goes_on: |from, to| prizes(from) == prizes(to),
    }
    .chains();
    let weight = |arc: Option<u32>| arc.map(|arc| graph.weight(arc));
    let runs = chains.between.into_iter().filter(|chain| !chain.inside.is_empty() && chain.ends[0] != chain.ends[1]);
    let runs = runs.map(|chain| {
        let [forth, back] = chain.arcs_forth_and_back(graph).map(|arcs| arcs.into_iter().map(weight).collect());
        Run { ends: chain.ends, inside: chain.inside, forth, back }
    });
    Some(runs.collect())
}

/// The run, or a part of it, and what becomes of that; `None` if it stays.
fn to_be_contracted(instance: &Instance, run: Run, floor: i64) -> Option<(Run, Become)> {
    let Ends::Open { first, last, .. } = &instance.ends else {
        return (best_there_and_back(&run) <= floor).then_some((run, Become::Arcs));
    };
    let (k, inner) = (run.inside.len(), run.inside[0] as usize);
    let (p, q) = (first[inner], last[inner]);
    if [p, q] == [NOT_AN_END; 2] {
        return Some((run, Become::Arcs));
    }
    let is_fit =
        |arcs: &Arcs| arcs.iter().all(Option::is_none) || arcs.iter().all(|arc| arc.is_some_and(|arc| arc >= 0));
    if k < 2 || !is_fit(&run.forth) || !is_fit(&run.back) {
        return None;
    }
    let between: SmallVec<[i64; 2]> = run.ways().filter_map(|way| sum(way.between)).collect();
    let worth = between[0];
    if between.iter().any(|&other| other != worth) {
        return None;
    }
    if p != NOT_AN_END && q != NOT_AN_END {
        if !run.may_be_left_alone(instance, p + worth + q <= floor, [p, q]) {
            return None;
        }
        if !run.ways().all(|way| way.may_be_a_cycle_less(instance, [p, q])) {
            return to_be_contracted(instance, run.cut_at_lightest()?, floor);
        }
    }
    Some((run, Become::Vertex([if p == NOT_AN_END { p } else { p + worth }, q])))
}

/// The most that a cycle is worth that goes a run and back, or an arc of it.
fn best_there_and_back(run: &Run) -> i64 {
    let arcs = run.forth.iter().zip(&run.back).filter_map(|(forth, back)| Some((*forth)? + (*back)?));
    let all = sum(&run.forth).zip(sum(&run.back)).map(|(forth, back)| forth + back);
    arcs.chain(all).max().unwrap_or(i64::MIN)
}

/// All arcs in one direction, from an end to the other.
struct Way<'r> {
    from: u32,
    to: u32,
    into: i64,
    between: &'r [Option<i64>],
    out: i64,
}

impl Run {
    /// The ways through it.
    fn ways(&self) -> impl Iterator<Item = Way<'_>> {
        let [a, b] = self.ends;
        let k = self.inside.len();
        let ways = [(a, b, &self.forth, 0, k), (b, a, &self.back, k, 0)];
        ways.into_iter().filter(|(_, _, arcs, ..)| sum(arcs).is_some()).map(move |(from, to, arcs, into, out)| Way {
            from,
            to,
            into: arcs[into].expect("all are there"),
            between: &arcs[1..k],
            out: arcs[out].expect("all are there"),
        })
    }

    /// Whether a path with nothing but what is inside is no loss: as it may be a single vertex, or is worth no more than the
    /// floor, or than one that goes on to an end.
    fn may_be_left_alone(&self, instance: &Instance, is_worthless: bool, [p, q]: [i64; 2]) -> bool {
        let Ends::Open { first, last, single_vertex } = &instance.ends else { return true };
        let goes_on = |way: Way<'_>| {
            let [before, behind] = [first[way.from as usize], last[way.to as usize]];
            (before != NOT_AN_END && before + way.into >= p) || (behind != NOT_AN_END && behind + way.out >= q)
        };
        *single_vertex || is_worthless || self.ways().any(goes_on)
    }

    /// The larger part of it if it is cut at an arc that is the lightest one between inner vertices whichever way it is gone; `None`
    /// if that is a single vertex.
    fn cut_at_lightest(&self) -> Option<Run> {
        let k = self.inside.len();
        let is_lightest =
            |at: usize| self.ways().all(|way| way.between[at - 1] == way.between.iter().copied().min().flatten());
        let at = (1..k).find(|&at| is_lightest(at))?;
        let [a, b] = self.ends;
        let part = |ends, vertices: std::ops::Range<usize>| {
            let arcs = vertices.start..=vertices.end;
            let [forth, back] = [&self.forth, &self.back].map(|way| Arcs::from_slice(&way[arcs.clone()]));
            Run { ends, inside: self.inside[vertices].to_vec(), forth, back }
        };
        let part = if 2 * at >= k { part([a, self.inside[at]], 0..at) } else { part([self.inside[at - 1], b], at..k) };
        (part.inside.len() > 1).then_some(part)
    }
}

impl Way<'_> {
    /// Whether a cycle without one of its inner arcs is no loss.
    fn may_be_a_cycle_less(&self, instance: &Instance, [p, q]: [i64; 2]) -> bool {
        let Ends::Open { first, last, .. } = &instance.ends else { return true };
        let lightest = self.between.iter().flatten().min().expect("there are two vertices inside");
        let [begins, ends] = [first[self.to as usize], last[self.from as usize]];
        (begins != NOT_AN_END && begins + lightest >= p + self.out)
            || (ends != NOT_AN_END && ends + lightest >= q + self.into)
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::*;
    use crate::engines::reference::backtracking::{self, Pruning};
    use crate::instance::{Budget, Silent};
    use crate::rounds::rounds;

    /// A small digraph with streets between its junctions, one-way or two-way, that have vertices inside.
    fn streets(rng: &mut Pcg64Mcg) -> (usize, Vec<Edge>) {
        let junctions = rng.random_range(2..5u32);
        let (mut n, mut edges) = (junctions, Vec::new());
        let (is_weighted, is_even) = (rng.random_ratio(2, 3), rng.random::<bool>());
        for _ in 0..rng.random_range(2..6) {
            let inside = rng.random_range(0..4u32).min(10 - n.min(10));
            let (from, to) = (rng.random_range(0..junctions), rng.random_range(0..junctions));
            let stops = [from].into_iter().chain(n..n + inside).chain([to]);
            let stops: Vec<u32> = stops.collect();
            n += inside;
            let ways = rng.random_range(0..3);
            for pair in stops.windows(2).filter(|pair| pair[0] != pair[1]) {
                let mut weight = || if is_weighted { rng.random_range(-1..6) } else { 1 };
                let forth = Edge { source: pair[0], target: pair[1], weight: weight() };
                let back =
                    Edge { source: pair[1], target: pair[0], weight: if is_even { forth.weight } else { weight() } };
                edges.extend(if ways < 2 || rng.random_ratio(1, 12) { Some(forth) } else { None });
                edges.extend(if ways > 0 || rng.random_ratio(1, 12) { Some(back) } else { None });
            }
        }
        (n as usize, edges)
    }

    fn random_ends(n: usize, rng: &mut Pcg64Mcg) -> Ends {
        if rng.random_ratio(1, 4) {
            return Ends::Closed { through: rng.random_ratio(1, 3).then(|| rng.random_range(0..n as u32)) };
        }
        // Most of them alike.
        let mut prizes = || -> Vec<i64> {
            let usual = if rng.random_ratio(1, 3) { NOT_AN_END } else { rng.random_range(0..2) };
            let rare = rng.random_range(2..12u32);
            let mut prize = || match rng.random_ratio(1, rare) {
                true if rng.random() => NOT_AN_END,
                true => rng.random_range(-2..5),
                false => usual,
            };
            (0..n).map(|_| prize()).collect()
        };
        let (first, last) = (prizes(), prizes());
        Ends::Open { first, last, single_vertex: rng.random() }
    }

    fn optimum(instance: &Instance, floor: i64) -> Option<(Vec<u32>, i64)> {
        backtracking::solve(instance, Pruning::On, floor, &Budget::unlimited(), &mut Silent).best
    }

    /// With every floor round the optimum.
    #[test]
    fn contracted_digraphs_have_the_same_optimum_and_their_paths_are_paths() {
        let mut rng = Pcg64Mcg::seed_from_u64(11);
        let (mut contracted, mut vertices, mut cycles) = (0, 0, 0);
        for _ in 0..rounds(20_000) {
            let (n, edges) = streets(&mut rng);
            let (graph, _) = CsrGraph::from_multigraph(n, true, edges);
            let instance = Instance { graph, ends: random_ends(n, &mut rng) };
            let best = optimum(&instance, i64::MIN);
            let value = best.as_ref().map_or(0, |best| best.1);
            let floors = [i64::MIN, value - 3, value - 1, value, value + 1];
            for floor in floors {
                let Some(short) = contract(&instance, floor, &mut || false) else { continue };
                contracted += 1;
                cycles += usize::from(matches!(instance.ends, Ends::Closed { .. }));
                vertices += usize::from(short.rounds.iter().any(|round| !round.runs.is_empty()));
                let found = optimum(&short.instance, floor);
                let expected = best.as_ref().map(|best| best.1).filter(|&value| value > floor);
                assert_eq!(found.as_ref().map(|found| found.1), expected, "{instance:?} {short:?} {floor}");
                let Some((path, value)) = found else { continue };
                let lifted = short.lift(&path);
                let mut distinct = lifted.clone();
                distinct.sort_unstable();
                distinct.dedup();
                assert_eq!(distinct.len(), lifted.len(), "{lifted:?} {instance:?} {short:?}");
                assert_eq!(instance.value(&lifted), value, "{lifted:?} {instance:?} {short:?}");
                let kept = short.kept();
                assert!(path.iter().all(|&vertex| lifted.contains(&kept[vertex as usize])));
            }
        }
        assert!(contracted > 2_000 && vertices > 500 && cycles > 500, "{contracted} {vertices} {cycles}");
    }
}
