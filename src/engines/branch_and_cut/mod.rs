//! Branch and cut: a linear program over edges and vertices, cut down to the paths, and a tree of cases where that is not
//! enough. For sparse graphs too wide for any table.
//!
//! The [`model`] lets a path be a cycle through the outside of the graph, which may leave vertices out; such cycles were
//! studied by M. Fischetti, J. J. Salazar González and P. Toth (*Solving the orienteering problem through branch-and-cut*,
//! INFORMS Journal on Computing 10 (1998) 133–148, doi:10.1287/ijoc.10.2.133), whose cuts serve here, [separated](paths) in the
//! support of a solution. The [tree of cases](crate::branching) solves the program with floating-point numbers at every node,
//! and turns its multipliers into a bound that is [proved](crate::lp::proof) in integers: no rounding error can cut off a path.
//! Reduced costs that close the gap to the best path known fix edges and vertices for good. A [`guess`] turns fractional
//! solutions into paths, which local search improves, and a [`dive`] looks for one on its way down.
//!
//! A cycle that need not visit any vertex in particular has no outside: borders separate two vertices, as far as both are
//! visited.
//!
//! The tree may have as many leaves as there are paths; memory is a few hundred bytes for every open node and every entry
//! of a row.

mod chains;
mod config;
mod dive;
mod guess;
mod linear;
mod model;
mod parts;
mod paths;
mod prover;
mod record;
mod side;
#[cfg(test)]
mod tests;
mod twins;
mod witness;

use fixedbitset::FixedBitSet;

pub use self::config::{Config, LinearSolver};
pub use self::parts::Slice;
pub(crate) use self::parts::{Branched, CaseSearch, Cost, Learnt, OpenCase};
use self::paths::{Paths, tree};
pub(crate) use self::prover::Prover;
pub(crate) use self::side::Side;
use crate::branching::cases::WHOLE;
use crate::branching::{Known, Pause, Tree};
use crate::certificate::Removal;
use crate::engines::door::{Door, Offer, Unfit, size};
use crate::instance::{Budget, Congruence, Ends, Instance, LinearBound, Monitor, Outcome, Silent};
#[cfg(feature = "highs")]
use crate::lp::Highs;
use crate::lp::proof::Range;
use crate::lp::{LinearProgram, Simplex};
use crate::solution::Stop;

/// What can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    /// Borders of sets grown along the greatest capacities.
    Grown,
    /// Subtour cuts by minimum cuts.
    Cheapest,
    /// Blossoms.
    Blossoms,
    /// An edge or an end where nothing is visited.
    Visited,
    /// Half sums of rows.
    Halves,
    /// Fixing columns by their gains.
    Fixing,
    /// Guesses by the fractional solution.
    Guesses,
    /// Chains as columns, which leave out paths that are no better.
    Chains,
}

/// How to search.
#[derive(Clone, Debug, Default)]
struct Settings {
    without: Vec<Family>,
    /// Debugging: a path that no cut may cut off, and no bound may fall below.
    watched: Option<Vec<u32>>,
    /// Only the root is looked into, for a witness of its bound.
    root_only: bool,
    /// What is asked of paths beside their ends.
    side: Option<Side>,
}

impl Settings {
    fn has(&self, family: Family) -> bool {
        !self.without.contains(&family)
    }
}

impl Door for Config {
    fn open<'i>(&'i self, instance: &'i Instance) -> Result<Offer<'i>, Unfit> {
        let offer = match self.linear_solver {
            LinearSolver::Simplex => {
                Offer::of(|floor, budget, monitor| solve::<Simplex>(instance, floor, budget, monitor))
            }
            #[cfg(feature = "highs")]
            LinearSolver::Highs => Offer::of(|floor, budget, monitor| solve::<Highs>(instance, floor, budget, monitor)),
            #[cfg(not(feature = "highs"))]
            LinearSolver::Highs => return Err("this longhaul was built without HiGHS"),
        };
        let nanoseconds = size(instance) * NANOSECONDS_TO_BUILD;
        Ok(Offer { bytes: model::bytes(instance), nanoseconds, ..offer })
    }
}

/// Finds the best path worth more than `floor`, by linear programs of this kind.
fn solve<P: LinearProgram>(instance: &Instance, floor: i64, budget: &Budget, monitor: &mut dyn Monitor) -> Outcome {
    let mut search = Search::<P>::with(Settings::default(), instance, None, floor, i64::MAX);
    search.run(u64::MAX, budget, monitor)
}

/// Why no path of the instance is worth more than the linear program at the root says, as far as so much work goes. `None`
/// where multipliers are too large for a witness, and where a cycle may be anywhere, so that borders prove nothing.
pub(crate) fn root_witness(instance: &Instance, work: u64, budget: &Budget) -> Option<Removal<u32>> {
    // Nothing may be fixed by what is known of paths: the bound holds for all.
    let without = vec![Family::Fixing, Family::Guesses, Family::Halves, Family::Chains];
    let settings = Settings { without, root_only: true, ..Settings::default() };
    let mut search = Search::<Simplex>::with(settings, instance, None, i64::MIN, i64::MAX);
    if let Ends::Closed { through: None } = instance.ends {
        return None;
    }
    search.run(work, budget, &mut Silent);
    search.tree.and_then(|tree| tree.formulation.into_witness())
}

/// How much of each edge a linear program uses: no more than a hint where good paths are.
#[derive(Clone, Debug)]
pub(crate) struct Uses {
    /// When it was last solved, and at the root.
    last: Vec<f64>,
    at_root: Vec<f64>,
}

impl Uses {
    /// Whether the program used this edge, at the root or when it was last solved.
    pub(crate) fn has(&self, edge: u32) -> bool {
        let uses = |values: &[f64]| values.get(edge as usize).is_some_and(|&value| value > WHOLE);
        uses(&self.last) || uses(&self.at_root)
    }

    /// How much of this edge it used when it was last solved.
    pub(crate) fn part(&self, edge: u32) -> f64 {
        self.last.get(edge as usize).copied().unwrap_or(0.0)
    }
}

/// What making the program takes for each vertex and edge, about.
const NANOSECONDS_TO_BUILD: u64 = 2_000;

/// A search that can pause and go on.
pub(crate) struct Search<'p, P = Simplex> {
    instance: &'p Instance,
    settings: Settings,
    known: Known<Vec<u32>>,
    tree: Option<Tree<Paths<'p>, P>>,
    /// The tree of a second thread, with a part of what is open.
    other: Option<Box<Tree<Paths<'p>, P>>>,
    /// The steps of earlier runs, and those of second threads.
    steps: u64,
    beside: u64,
}

impl<'p> Search<'p> {
    /// `start` is a path to begin with, whatever it is worth, and `upper` a bound that is proved elsewhere.
    pub(crate) fn new(instance: &'p Instance, start: Option<&[u32]>, floor: i64, upper: i64) -> Self {
        Self::with(Settings::default(), instance, start, floor, upper)
    }

    /// The same for paths that meet `side`. A single vertex is none.
    pub(crate) fn beside(instance: &'p Instance, side: Side, floor: i64, upper: i64) -> Self {
        let settings = Settings { side: Some(side), without: vec![Family::Chains], ..Settings::default() };
        Self::with(settings, instance, None, floor, upper)
    }
}

impl<'p, P: LinearProgram> Search<'p, P> {
    fn with(settings: Settings, instance: &'p Instance, start: Option<&[u32]>, floor: i64, upper: i64) -> Self {
        let n = instance.graph.vertex_count();
        let trivial = if n == 0 { i64::MIN } else { instance.trivial_bound() };
        let congruence = if settings.root_only { Congruence::NONE } else { Congruence::of(instance) };
        let upper = congruence.greatest_up_to(trivial.min(upper)).max(floor);
        let mut known = Known { congruence, ..Known::between(floor, upper) };
        let start = start.map(|path| (path.to_vec(), instance.value(path)));
        let lone = instance.best_single_vertex().filter(|_| settings.side.is_none());
        for (path, value) in start.into_iter().chain(lone) {
            if value > known.lower() {
                known.best = Some((path, value));
            }
        }
        Search { instance, settings, known, tree: None, other: None, steps: 0, beside: 0 }
    }

    /// Searches until everything is settled, the budget is spent, or so much work is done (then it stops as
    /// [`Exhausted`](crate::solution::Stop::Exhausted)): a unit for every row of the program at every pivot, some hundred
    /// nanoseconds. Can be called again, to go on; the steps told are those of this run.
    pub(crate) fn run(&mut self, work: u64, budget: &Budget, monitor: &mut dyn Monitor) -> Outcome {
        self.run_until(Pause::AtWork, work, budget, monitor)
    }

    /// The same, and no farther than to where cuts no longer help at the root.
    pub(crate) fn run_root(&mut self, work: u64, budget: &Budget, monitor: &mut dyn Monitor) -> Outcome {
        self.run_until(Pause::AtRootsEnd, work, budget, monitor)
    }

    fn run_until(
        &mut self,
        pause: impl FnOnce(u64) -> Pause,
        work: u64,
        budget: &Budget,
        monitor: &mut dyn Monitor,
    ) -> Outcome {
        if let Some((_, value)) = self.known.best {
            monitor.incumbent(value);
        }
        monitor.bound(self.known.upper);
        self.rejoin();
        let stop = self.settle(pause, work, budget, monitor);
        if stop.is_none() {
            self.known.lower_to(i64::MIN, monitor);
        }
        let made = self.tree.as_ref().map_or(0, steps) + self.beside;
        let before = std::mem::replace(&mut self.steps, made);
        let Known { best, upper, peak_bytes, .. } = self.known.clone();
        Outcome { best, upper, stop, steps: self.steps - before, peak_bytes }
    }

    fn settle(
        &mut self,
        pause: impl FnOnce(u64) -> Pause,
        work: u64,
        budget: &Budget,
        monitor: &mut dyn Monitor,
    ) -> Option<Stop> {
        if self.known.upper <= self.known.lower() {
            return None;
        }
        if model::bytes(self.instance) > budget.memory {
            return Some(Stop::MemoryLimit);
        }
        let size = self.instance.graph.vertex_count() + self.instance.graph.edge_count();
        if self.tree.is_none() && !budget.has_time(size as u64 * NANOSECONDS_TO_BUILD) {
            return Some(budget.spent().unwrap_or(Stop::TimeLimit));
        }
        if let Err(stop) = self.begin(budget) {
            return Some(stop);
        }
        let tree = self.tree.as_mut().expect("it has begun");
        let stop = tree.run(pause(tree.relaxation.work.saturating_add(work)), budget, monitor);
        self.known = tree.known.clone();
        stop
    }

    /// Makes the tree, if there is none.
    fn begin(&mut self, budget: &Budget) -> Result<(), Stop> {
        if self.tree.is_some() {
            return Ok(());
        }
        let root = if let Ends::Closed { through } = self.instance.ends { through } else { None };
        let mut stop = None;
        let mut is_over = || {
            stop = budget.spent();
            stop.is_some()
        };
        self.tree = tree(&self.settings, self.instance, root, &FixedBitSet::new(), self.known.clone(), &mut is_over);
        stop.map_or(Ok(()), Err)
    }

    /// Takes note of what others found: a path, and a proved bound.
    pub(crate) fn learn(&mut self, best: Option<&(Vec<u32>, i64)>, upper: i64) {
        let tree = self.tree.as_mut().map(|tree| &mut tree.known);
        for known in std::iter::once(&mut self.known).chain(tree) {
            if let Some(best) = best.filter(|best| best.1 > known.lower()) {
                known.best = Some(best.clone());
            }
            known.upper = known.upper.min(known.congruence.greatest_up_to(upper)).max(known.value());
        }
    }

    /// What the multipliers of the whole tree prove of every path with an edge, or every cycle, of a digraph. `None` before there
    /// are any, and where numbers are too large.
    pub(crate) fn linear_bound(&self) -> Option<LinearBound> {
        self.tree.as_ref().and_then(linear::bound)
    }

    /// Whether cuts no longer help at the root, or it was split or settled.
    pub(crate) fn is_past_root(&self) -> bool {
        let is_past = |tree: &Tree<_, _>| tree.is_root_cut || tree.open.iter().all(|node| !node.fixed.is_empty());
        self.tree.as_ref().is_some_and(is_past)
    }

    /// How much of each edge the linear program used, at the root and when it was last solved.
    pub(crate) fn uses(&self) -> Uses {
        let Some(tree) = &self.tree else { return Uses { last: Vec::new(), at_root: Vec::new() } };
        let of_edges = |values: &[f64]| match values {
            [] => Vec::new(),
            values => tree.formulation.model.of_variables(values).into_owned(),
        };
        Uses { last: of_edges(&tree.relaxation.values), at_root: of_edges(&tree.root_values) }
    }

    /// Whether a path better than the best one known may use this edge: proved. All may before the first run.
    pub(crate) fn is_of_use(&self, edge: u32) -> bool {
        let may_use = |tree: &Tree<Paths<'_>, P>| {
            let users = tree.formulation.model.users(&edge);
            users.iter().any(|&column| tree.ranges[column as usize] != Range::Zero)
        };
        self.tree.as_ref().is_none_or(may_use)
    }
}

/// The steps of a tree: pivots and nodes.
fn steps<P: LinearProgram>(tree: &Tree<Paths<'_>, P>) -> u64 {
    tree.pivots() + tree.nodes
}
