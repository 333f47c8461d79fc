//! Questions for the frontier-based search: a vertex order, the smallest kind of state that has room, and the search.

use super::scope::{Scope, Scoped};
use crate::decompose::VertexOrder;
use crate::engine::Engine;
use crate::engines::orders;
use crate::engines::sweep::count::{Counting, Counts, count};
use crate::engines::sweep::diagram::Diagram;
use crate::engines::sweep::induced::{Induced, Places};
use crate::engines::sweep::optimum::{Cost, FallingGap, FirstGap};
use crate::engines::sweep::path::Paths;
use crate::engines::sweep::trail::{self, MOST_DEGREE, Relaxation, Trails};
use crate::engines::sweep::{Bundling, Demands, MOST_SLOTS, Rule, Script, dispatch};
use crate::engines::{euler, growing};
use crate::instance::{Monitor, Run};
use crate::sets::{set_of, set_where};
use crate::solution::Stop;
use crate::view::{CsrGraph, Edge};

/// A multigraph without loops, and what is demanded of its paths. What is sought here has an edge.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) vertex_count: usize,
    pub(crate) directed: bool,
    pub(crate) edges: Vec<(u32, u32, i64)>,
    pub(crate) demands: Demands,
}

impl Asked {
    /// The same without parallel edges: of each bundle the heaviest.
    pub(crate) fn simple_graph(&self) -> (CsrGraph, Vec<u32>) {
        let edges = self.edges.iter().map(|&(source, target, weight)| Edge { source, target, weight }).collect();
        CsrGraph::from_multigraph(self.vertex_count, self.directed, edges)
    }

    /// The question for the search that grows paths, with what its edges are here.
    pub(crate) fn growing(&self, induced: bool) -> (growing::Question, Vec<u32>) {
        let (graph, edge_from_edge) = self.simple_graph();
        let demands = &self.demands;
        let n = self.vertex_count;
        let question = growing::Question {
            from: demands.from,
            to: demands.to,
            closed: demands.closed,
            induced,
            prizes: (0..n as u32).map(|vertex| demands.prize(vertex)).collect(),
            visit: set_of(n, &demands.visit),
            use_edges: set_where(edge_from_edge.len(), |&edge| {
                demands.use_edges.contains(edge_from_edge[edge] as usize)
            }),
            at_least: demands.at_least.max(1),
            at_most: demands.at_most.unwrap_or(n as u32).min(n as u32),
            graph,
        };
        (question, edge_from_edge)
    }

    fn order(&self, run: &Run<'_>) -> VertexOrder {
        orders::order_for(&self.simple_graph().0, &run.budget)
    }

    fn script(&self, order: &VertexOrder, bundling: Bundling) -> Script {
        Script::new(self.vertex_count, self.directed, &self.edges, order.vertices(), bundling)
    }
}

/// A best answer, as edges or vertices, with its worth.
pub(crate) type Best = Option<(Vec<u32>, i64)>;

/// The best path worth more than `floor`, as a set of edges. What is proved by the end is in `upper`.
pub(crate) fn best_path(
    asked: &Asked,
    order: &VertexOrder,
    floor: i64,
    upper: &mut i64,
    run: &mut Run<'_>,
) -> (Best, Option<Stop>) {
    let script = asked.script(order, Bundling::Together);
    enter(run, script.slots, "edges", asked.edges.len());
    macro_rules! search {
        ($n:ident, $directed:literal) => {
            match Paths::<$n, $directed>::new(&script, &asked.demands) {
                Some(rule) => best_of(&rule, floor, upper, run),
                None => {
                    *upper = floor;
                    (None, None)
                }
            }
        };
    }
    let (found, stop) = dispatch!(script.slots, N => {
        if asked.directed { search!(N, true) } else { search!(N, false) }
    }, else (None, Some(Stop::Exhausted)));
    (found.map(|(decisions, worth)| (taken(&script, &decisions), worth)), stop)
}

/// The edges that an answer takes.
pub(crate) fn taken(script: &Script, decisions: &[u32]) -> Vec<u32> {
    let taken = decisions.iter().enumerate().filter(|&(_, &choice)| choice > 0);
    taken.map(|(layer, &choice)| script.layers[layer].options[choice as usize - 1].edge).collect()
}

/// The best induced path worth more than `floor`, as a set of vertices of `graph`.
pub(crate) fn best_induced(
    graph: &CsrGraph,
    order: &VertexOrder,
    demands: &Demands,
    floor: i64,
    upper: &mut i64,
    run: &mut Run<'_>,
) -> (Best, Option<Stop>) {
    let places = Places::new(graph, order.vertices(), demands);
    enter(run, places.slots, "vertices", graph.vertex_count());
    let (found, stop) = dispatch!(places.slots, N => {
        if graph.is_directed() {
            best_of(&Induced::<N, true>::new(&places, demands), floor, upper, run)
        } else {
            best_of(&Induced::<N, false>::new(&places, demands), floor, upper, run)
        }
    }, else (None, Some(Stop::Exhausted)));
    let vertices_of = |decisions: &[u32]| {
        let taken = decisions.iter().enumerate().filter(|&(_, &choice)| choice > 0);
        taken.map(|(layer, _)| places.vertex(layer)).collect()
    };
    (found.map(|(decisions, worth)| (vertices_of(&decisions), worth)), stop)
}

fn best_of<R: Rule>(rule: &R, floor: i64, upper: &mut i64, run: &mut Run<'_>) -> (Best, Option<Stop>) {
    let (_, worth) = rule.start();
    *upper = (*upper).min(worth + rule.gain_left(0)).max(floor);
    run.bound(*upper);
    let guide = |layer: usize, _: &R::State| Some(rule.gain_left(layer));
    let budget = run.budget.clone();
    let mut cost = Cost::default();
    let found =
        FallingGap { rule, guide, first_gap: FirstGap::Whole, floor, budget: &budget }.run(upper, run, &mut cost);
    run.spend(cost.steps, cost.peak_bytes);
    found
}

/// How many paths with an edge there are.
pub(crate) fn counts(asked: &Asked, counting: Counting, run: &mut Run<'_>) -> Result<Counts, Stop> {
    let script = asked.script(&asked.order(run), Bundling::Grouped);
    enter(run, script.slots, "edges", asked.edges.len());
    let multiplicity = |layer: usize, choice: usize| script.layers[layer].options[choice - 1].multiplicity;
    let budget = run.budget.clone();
    let mut cost = Cost::default();
    macro_rules! search {
        ($n:ident, $directed:literal) => {
            match Paths::<$n, $directed>::new(&script, &asked.demands) {
                Some(rule) => count(&rule, multiplicity, counting, &budget, &mut cost),
                None => Ok(Vec::new()),
            }
        };
    }
    let counts = dispatch!(script.slots, N => {
        if asked.directed { search!(N, true) } else { search!(N, false) }
    }, else Err(Stop::Exhausted));
    run.spend(cost.steps, cost.peak_bytes);
    counts
}

/// All paths with an edge: the script, by which decisions are edges, and the diagram; `None` if there is none.
pub(crate) fn diagram(asked: &Asked, run: &mut Run<'_>) -> Result<Option<(Script, Diagram)>, Stop> {
    let script = asked.script(&asked.order(run), Bundling::Together);
    enter(run, script.slots, "edges", asked.edges.len());
    let budget = run.budget.clone();
    let mut cost = Cost::default();
    macro_rules! search {
        ($n:ident, $directed:literal) => {
            match Paths::<$n, $directed>::new(&script, &asked.demands) {
                Some(rule) => Diagram::new(&rule, &budget, &mut cost).map(Some),
                None => Ok(None),
            }
        };
    }
    let diagram = dispatch!(script.slots, N => {
        if asked.directed { search!(N, true) } else { search!(N, false) }
    }, else Err(Stop::Exhausted));
    run.spend(cost.steps, cost.peak_bytes);
    Ok(diagram?.map(|diagram| (script, diagram)))
}

/// A connected multigraph, loops and all, and the ends of the trail.
pub(crate) struct AskedTrail<'a> {
    pub(crate) vertex_count: usize,
    pub(crate) directed: bool,
    pub(crate) edges: &'a [(u32, u32, i64)],
    pub(crate) ends: trail::Ends,
}

/// What share of the memory the relaxation of the trails may take.
const RELAXATION_SHARE: usize = 2;

/// Up to so many predicted states trails are swept for at once; beyond so many, never.
const FEW_STATES_OF_TRAILS: f64 = 1e7;
const MANY_STATES_OF_TRAILS: f64 = 1e10;

/// What branch and cut may do before a sweep has its turn: a unit for every row at every pivot, a few seconds.
const FIRST_CUTTING: u64 = 20_000_000;

/// What share of the time a sweep may take that may well fail.
const SHARE_OF_A_SWEEP: f64 = 0.5;

/// The best trail with an edge worth more than `floor`, as a set of edges. What is proved by the end is in `upper`; `rest`
/// bounds all trails that are not of this part of the graph. By a sweep where that is cheap, else by branch and cut, with a
/// sweep in between where there may be room for its states.
pub(crate) fn best_trail(
    asked: &AskedTrail<'_>,
    floor: i64,
    upper: &mut i64,
    rest: i64,
    run: &mut Run<'_>,
) -> (Best, Option<Stop>) {
    // Vertices of other parts have no edge here, and no place in any frontier.
    let edges = asked.edges.iter().map(|&(source, target, weight)| Edge { source, target, weight }).collect();
    let (simple, _) = CsrGraph::from_multigraph(asked.vertex_count, asked.directed, edges);
    let order = orders::order_for(&simple, &run.budget);
    let script = Script::new(asked.vertex_count, asked.directed, asked.edges, order.vertices(), Bundling::Apart);
    let mut degree = vec![0usize; asked.vertex_count];
    asked.edges.iter().flat_map(|&(source, target, _)| [source, target]).for_each(|end| degree[end as usize] += 1);
    let has_room = script.slots <= MOST_SLOTS && !(asked.directed && degree.iter().any(|&degree| degree > MOST_DEGREE));
    let states = if has_room { order.predicted_states() } else { f64::INFINITY };
    let mut known: Best = None;
    if states < FEW_STATES_OF_TRAILS {
        let (found, stop) = swept_trail(asked, &script, floor, upper, rest, run);
        if stop.is_none() {
            return (found, None);
        }
        known = found;
    }
    let lower = |known: &Best| known.as_ref().map_or(floor, |&(_, worth)| worth);
    let question = euler::Question {
        vertex_count: asked.vertex_count,
        directed: asked.directed,
        edges: asked.edges.to_vec(),
        from: asked.ends.from,
        to: asked.ends.to,
        closed: asked.ends.closed,
    };
    let budget = run.budget.clone();
    let Some(mut search) = euler::Search::new(question, lower(&known), *upper, budget.memory) else {
        return (known, Some(Stop::MemoryLimit));
    };
    run.enter(Engine::BranchAndCut, format!("trail: branch and cut, {} edges", asked.edges.len()));
    let may_sweep = (FEW_STATES_OF_TRAILS..MANY_STATES_OF_TRAILS).contains(&states);
    let mut part = Scoped { run, scope: Scope::Whole { rest } };
    search.guess(&budget, &mut part);
    let mut found = search.run(may_sweep.then_some(FIRST_CUTTING), &budget, &mut part);
    if found.stop == Some(Stop::Exhausted) {
        run.budget = budget.share(SHARE_OF_A_SWEEP);
        let best = found.best.as_ref().map_or(lower(&known), |&(_, worth)| worth);
        let mut proved = found.upper;
        let (swept, _) = swept_trail(asked, &script, best, &mut proved, rest, run);
        run.budget = budget.clone();
        known = swept.or(known);
        search.learn(lower(&known), proved);
        run.enter(Engine::BranchAndCut, "trail: branch and cut to the end".to_owned());
        found = search.run(None, &budget, &mut Scoped { run, scope: Scope::Whole { rest } });
    }
    run.spend(found.pivots, found.bytes);
    *upper = found.upper.min(*upper).max(floor);
    let best = match (known, found.best) {
        (Some(known), Some(found)) => Some(if found.1 > known.1 { found } else { known }),
        (known, found) => known.or(found),
    };
    (best, found.stop)
}

/// The same by a sweep.
fn swept_trail(
    asked: &AskedTrail<'_>,
    script: &Script,
    floor: i64,
    upper: &mut i64,
    rest: i64,
    run: &mut Run<'_>,
) -> (Best, Option<Stop>) {
    enter(run, script.slots, "edges", asked.edges.len());
    let (found, stop) = dispatch!(script.slots, N => {
        match Trails::<N>::new(script, asked.directed, asked.ends) {
            Some(rule) => trail_of(&rule, floor, upper, rest, run),
            None => {
                *upper = floor;
                (None, None)
            }
        }
    }, else (None, Some(Stop::Exhausted)));
    (found.map(|(decisions, worth)| (taken(script, &decisions), worth)), stop)
}

/// The search, pruned by what can be gained if edges need not hang together.
fn trail_of<const N: usize>(
    rule: &Trails<'_, N>,
    floor: i64,
    upper: &mut i64,
    rest: i64,
    run: &mut Run<'_>,
) -> (Best, Option<Stop>) {
    let budget = run.budget.clone();
    let mut cost = Cost::default();
    let relaxation = match Relaxation::new(rule, budget.memory / RELAXATION_SHARE, &budget, &mut cost) {
        Ok(relaxation) => relaxation,
        Err(stop) => return (None, Some(stop)),
    };
    let (found, stop) = match relaxation {
        Some(relaxation) => {
            *upper = relaxation.bound().unwrap_or(floor).min(*upper).max(floor);
            run.note(format!("trail: at most {upper} if edges need not hang together"));
            let mut part = Scoped { run, scope: Scope::Whole { rest } };
            part.bound(*upper);
            let guide = |layer: usize, state: &_| relaxation.rest(layer, state);
            FallingGap { rule, guide, first_gap: FirstGap::One, floor, budget: &budget }
                .run(upper, &mut part, &mut cost)
        }
        None => {
            run.note("trail: too wide for a relaxation".to_owned());
            let mut part = Scoped { run, scope: Scope::Whole { rest } };
            part.bound(*upper);
            let guide = |layer: usize, _: &_| Some(rule.gain_left(layer));
            FallingGap { rule, guide, first_gap: FirstGap::Whole, floor, budget: &budget }
                .run(upper, &mut part, &mut cost)
        }
    };
    run.spend(cost.steps, cost.peak_bytes);
    (found, stop)
}

fn enter(run: &mut Run<'_>, slots: usize, what: &str, count: usize) {
    run.enter(Engine::Frontier, format!("sweep: {count} {what}, at most {slots} vertices on the frontier at once"));
}
