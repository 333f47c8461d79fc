//! A search in parts: what is open can be taken out of one tree and put into another, on another machine if need be.
//!
//! An open node is told in full: with what is fixed for the whole tree as well, by paths that were known. So it stands for
//! itself, a question with fixed and forbidden columns, and whoever settles all of them, each above the same floor or a higher
//! one, has settled the question. Cuts go along because finding them is most of the work at the root; they hold for all
//! paths whoever found them, and whether one is a cut at all can be seen in itself. Whoever works on one part after another keeps
//! more: see [`CaseSearch`].

use std::fmt;
use std::time::{Duration, Instant};

use fixedbitset::FixedBitSet;

use super::model::{self, Cut, Model};
use super::paths::{Paths, tree};
use super::{Settings, steps};
use crate::branching::cases::{Node, PseudoCost};
use crate::branching::separation::SetCut;
use crate::branching::{Known, Pause, Tree};
use crate::instance::{Budget, Ends, Instance, Outcome, Silent};
use crate::lp::Simplex;
use crate::lp::proof::Range;
use crate::solution::Stop;

/// So many cuts go along for every vertex.
const CUTS_PER_VERTEX: usize = 4;

/// What is open: columns that are used and that are not, and a bound on what is worth more inside.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OpenCase {
    pub(crate) fixed: Vec<(u32, bool)>,
    pub(crate) bound: i64,
    /// The last branching, whose cost is not yet known.
    pub(crate) branched: Option<Branched>,
}

/// A column that was rounded: which way, by how much, and the bound before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Branched {
    pub(crate) column: u32,
    pub(crate) used: bool,
    pub(crate) part: f64,
    pub(crate) before: f64,
}

/// What searches of one instance learn from each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Learnt {
    /// Cuts in words.
    pub(crate) cuts: Vec<u32>,
    /// What rounding has cost, by column and way, in order.
    pub(crate) costs: Vec<Cost>,
}

/// What rounding a column one way has cost, all units together, and how often it was seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cost {
    pub(crate) column: u32,
    pub(crate) used: bool,
    pub(crate) sum: f64,
    pub(crate) count: u32,
}

impl Learnt {
    /// Takes what a search has told: its cuts in place of those there were, and its costs beside them.
    pub(crate) fn add(&mut self, told: Learnt) {
        if !told.cuts.is_empty() {
            self.cuts = told.cuts;
        }
        self.costs.extend(told.costs);
        self.costs.sort_by_key(|cost| (cost.column, cost.used));
        self.costs.dedup_by(|next, cost| {
            let is_same = (next.column, next.used) == (cost.column, cost.used);
            if is_same {
                cost.sum += next.sum;
                cost.count = cost.count.saturating_add(next.count);
            }
            is_same
        });
    }
}

/// How long to work on cases before telling what is left. The node at hand is looked into to its end first, so that every slice comes
/// forward, however short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slice {
    /// Rows of the linear program at each pivot, some hundred nanoseconds each.
    Work(u64),
    /// By the clock.
    Time(Duration),
}

/// What came of some cases.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// The best path worth more than the floor, and why it is too early to say that there is no better one.
    pub(crate) outcome: Outcome,
    /// The cases that are left.
    pub(crate) open: Vec<OpenCase>,
    /// The cuts by the end, and the costs that were seen.
    pub(crate) learnt: Learnt,
}

/// A search that works on some cases after others. Its program and its cuts stay from one to the next.
pub(crate) struct CaseSearch<'p> {
    instance: &'p Instance,
    tree: Option<Box<Tree<Paths<'p>, Simplex>>>,
}

impl fmt::Debug for CaseSearch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let open = self.tree.as_ref().map(|tree| tree.open.len());
        f.debug_struct("CaseSearch").field("instance", self.instance).field("open", &open).finish()
    }
}

impl<'p> CaseSearch<'p> {
    /// Of an open instance, or of one whose cycles visit a given vertex.
    pub(crate) fn new(instance: &'p Instance) -> Self {
        CaseSearch { instance, tree: None }
    }

    /// Works on some cases until they are settled or the slice is over; `learnt` is what all searches have told, this one too.
    pub(crate) fn work_on(
        &mut self,
        cases: &[OpenCase],
        learnt: &Learnt,
        floor: i64,
        slice: Slice,
        budget: &Budget,
    ) -> Part {
        let began = Instant::now();
        let upper = cases.iter().map(|case| case.bound).max().unwrap_or(i64::MIN).max(floor);
        // The program knows no path of a single vertex.
        let lone = self.instance.best_single_vertex().filter(|&(_, value)| value > floor);
        let upper = lone.as_ref().map_or(upper, |&(_, value)| upper.max(value));
        let known = Known { best: lone, ..Known::between(floor, upper) };
        let before = match self.take(cases, learnt, known, budget) {
            Ok(steps) => steps,
            Err(stop) => {
                let outcome = Outcome { stop: Some(stop), ..Outcome::nothing_above(floor, upper) };
                return Part { outcome, open: cases.to_vec(), learnt: Learnt::default() };
            }
        };
        let tree = self.tree.as_mut().expect("it was made to take the cases");
        let pause = match slice {
            Slice::Work(work) => Pause::AfterWork(tree.relaxation.work.saturating_add(work)),
            Slice::Time(time) => began.checked_add(time).map_or(Pause::Never, Pause::AfterTime),
        };
        let stop = tree.run(pause, budget, &mut Silent);
        let open = open_cases(tree);
        let Known { best, upper, peak_bytes, .. } = tree.known.clone();
        let stop = stop.filter(|_| !open.is_empty());
        let outcome = Outcome { best, upper, stop, steps: steps(tree) - before, peak_bytes };
        Part { outcome, open, learnt: Learnt { cuts: cuts_in_words(tree), costs: costs_beyond(tree, learnt) } }
    }

    /// Takes these cases in place of all that is open, and cuts as [`cuts_in_words`] tells them. Returns the steps so far.
    fn take(
        &mut self,
        cases: &[OpenCase],
        learnt: &Learnt,
        known: Known<Vec<u32>>,
        budget: &Budget,
    ) -> Result<u64, Stop> {
        // What is fixed for the whole tree holds for what is worth more than its best path; a tree of a worthier one is of no use,
        // and one that leaves no room for what this part may find has to learn anew.
        let is_of_use = |tree: &Tree<_, _>| known.floor >= tree.lower() && tree.bytes() <= budget.memory / 2;
        self.tree.take_if(|tree| !is_of_use(tree));
        let is_new = self.tree.is_none();
        let tree = match &mut self.tree {
            Some(tree) => tree,
            None => self.tree.insert(Box::new(begin(self.instance, known.clone(), budget)?)),
        };
        let before = steps(tree);
        tree.budget = budget.clone();
        tree.known = known;
        tree.fix_at_the_root();
        tree.root_end = None;
        tree.open = cases.iter().filter_map(|case| node(tree, case)).collect();
        tree.pseudo.fill(Default::default());
        for cost in &learnt.costs {
            if let Some(sides) = tree.pseudo.get_mut(cost.column as usize) {
                sides[usize::from(cost.used)] = PseudoCost { sum: cost.sum, count: cost.count };
            }
        }
        let cuts = read_cuts(&mut tree.formulation.model, &learnt.cuts);
        if is_new {
            tree.activate_all(cuts)?;
            if cases.iter().all(|case| !case.fixed.is_empty()) {
                tree.prove_root(&mut Silent)?;
            }
        } else {
            tree.remember(cuts)?;
        }
        Ok(before)
    }
}

/// A tree of the whole instance.
fn begin<'p>(
    instance: &'p Instance,
    known: Known<Vec<u32>>,
    budget: &Budget,
) -> Result<Tree<Paths<'p>, Simplex>, Stop> {
    if model::bytes(instance) > budget.memory {
        return Err(Stop::MemoryLimit);
    }
    let root = if let Ends::Closed { through } = instance.ends { through } else { None };
    let removed = FixedBitSet::with_capacity(instance.graph.vertex_count());
    let mut stop = None;
    let mut is_over = || {
        stop = budget.spent();
        stop.is_some()
    };
    let tree = tree(&Settings::default(), instance, root, &removed, known, &mut is_over);
    tree.ok_or_else(|| stop.unwrap_or(Stop::TimeLimit))
}

/// A case as a node of a tree, with what the whole tree leaves free; `None` where that has been fixed otherwise, so that nothing
/// better is inside.
fn node(tree: &Tree<Paths<'_>, Simplex>, case: &OpenCase) -> Option<Node> {
    let mut fixed = Vec::new();
    for &(column, used) in &case.fixed {
        let range = if used { Range::One } else { Range::Zero };
        match tree.ranges[column as usize] {
            Range::Free => fixed.push((column, range)),
            known if known != range => return None,
            _ => {}
        }
    }
    let branched = case.branched.map(|branched| {
        (branched.column, if branched.used { Range::One } else { Range::Zero }, branched.part, branched.before)
    });
    Some(Node { fixed, bound: case.bound, branched })
}

/// What is left open above the best path known.
fn open_cases(tree: &Tree<Paths<'_>, Simplex>) -> Vec<OpenCase> {
    let whole = tree.ranges.iter().enumerate().filter(|(_, range)| **range != Range::Free);
    let whole: Vec<(u32, Range)> = whole.map(|(column, &range)| (column as u32, range)).collect();
    let told = |node: &Node| {
        let agrees = |&(column, range): &(u32, Range)| {
            let known = tree.ranges[column as usize];
            known == Range::Free || known == range
        };
        // Where the whole tree has been fixed otherwise, nothing better is inside.
        let possible = node.bound > tree.lower() && node.fixed.iter().all(agrees);
        let of_node = node.fixed.iter().filter(|(column, _)| tree.ranges[*column as usize] == Range::Free);
        let fixed = whole.iter().chain(of_node).map(|&(column, range)| (column, range == Range::One)).collect();
        let branched = node.branched.map(|(column, range, part, before)| Branched {
            column,
            used: range == Range::One,
            part,
            before,
        });
        possible.then_some(OpenCase { fixed, bound: node.bound, branched })
    };
    tree.open.iter().filter_map(told).collect()
}

/// The cuts of the program in words.
fn cuts_in_words(tree: &Tree<Paths<'_>, Simplex>) -> Vec<u32> {
    let mut words = Vec::new();
    let cuts = tree.relaxation.rows.iter().rev().filter_map(|active| active.cut.as_ref());
    let cuts = cuts.filter(|active| !matches!(active.cut, Cut::Half(_) | Cut::Between { .. }));
    for active in cuts.take(CUTS_PER_VERTEX * tree.formulation.model.vertices()) {
        write_cut(&active.cut, &mut words);
    }
    words
}

/// What rounding has cost beyond what was learnt before.
fn costs_beyond(tree: &Tree<Paths<'_>, Simplex>, learnt: &Learnt) -> Vec<Cost> {
    let mut known = learnt.costs.iter().peekable();
    let mut costs = Vec::new();
    for (column, sides) in (0..).zip(&tree.pseudo) {
        for (used, cost) in [false, true].into_iter().zip(sides) {
            let before = known.next_if(|known| (known.column, known.used) == (column, used));
            let (sum, count) = before.map_or((0.0, 0), |before| (before.sum, before.count));
            if cost.count > count {
                costs.push(Cost { column, used, sum: cost.sum - sum, count: cost.count - count });
            }
        }
    }
    costs
}

/// Kinds of cuts, their first words.
const SUBTOUR: u32 = 0;
const BLOSSOM: u32 = 1;
const VISITED: u32 = 2;
const END_VISITED: u32 = 3;
const VISITED_ONCE: u32 = 4;

/// The kind, then each list after its length.
fn write_cut(cut: &Cut, words: &mut Vec<u32>) {
    let list = |numbers: &[u32], words: &mut Vec<u32>| {
        words.push(numbers.len() as u32);
        words.extend_from_slice(numbers);
    };
    match cut {
        Cut::Set(SetCut::Subtour { inside, visited }) => {
            words.extend([SUBTOUR, *visited]);
            list(inside, words);
        }
        Cut::Set(SetCut::Blossom { inside, teeth }) => {
            words.push(BLOSSOM);
            list(inside, words);
            list(teeth, words);
        }
        Cut::Visited { edge, vertex } => words.extend([VISITED, *edge, *vertex]),
        Cut::EndVisited { vertex } => words.extend([END_VISITED, *vertex]),
        Cut::VisitedOnce { vertex } => words.extend([VISITED_ONCE, *vertex]),
        Cut::Half(_) | Cut::Between { .. } => {}
    }
}

/// The cuts in these words, as far as they are whole; what is no cut of this model is left out.
fn read_cuts(model: &mut Model<'_>, words: &[u32]) -> Vec<Cut> {
    let mut cuts = Vec::new();
    let mut words = words.iter().copied();
    while let Some(cut) = read_cut(&mut words) {
        if is_cut(model, &cut) {
            cuts.push(cut);
        }
    }
    cuts
}

fn read_cut(words: &mut impl Iterator<Item = u32>) -> Option<Cut> {
    fn list(words: &mut impl Iterator<Item = u32>) -> Option<Vec<u32>> {
        let count = words.next()? as usize;
        let numbers: Vec<u32> = words.take(count).collect();
        (numbers.len() == count).then_some(numbers)
    }
    Some(match words.next()? {
        SUBTOUR => {
            let visited = words.next()?;
            Cut::Set(SetCut::Subtour { inside: list(words)?, visited })
        }
        BLOSSOM => Cut::Set(SetCut::Blossom { inside: list(words)?, teeth: list(words)? }),
        VISITED => Cut::Visited { edge: words.next()?, vertex: words.next()? },
        END_VISITED => Cut::EndVisited { vertex: words.next()? },
        VISITED_ONCE => Cut::VisitedOnce { vertex: words.next()? },
        _ => return None,
    })
}

/// Whether it holds for all paths of the model: see [`Cut`].
fn is_cut(model: &mut Model<'_>, cut: &Cut) -> bool {
    let (n, m) = (model.vertices(), model.edges());
    let is_set = |vertices: &[u32]| {
        let mut sorted = vertices.to_vec();
        sorted.sort_unstable();
        sorted.windows(2).all(|pair| pair[0] != pair[1]) && sorted.last().is_some_and(|&last| (last as usize) < n)
    };
    let touches = |edge: u32, vertex: u32| {
        let edge = model.instance.graph.edges()[edge as usize];
        edge.source == vertex || edge.target == vertex
    };
    match cut {
        // The vertex that a cycle must visit is the outside.
        Cut::Set(SetCut::Subtour { inside, visited }) => {
            is_set(inside) && inside.contains(visited) && model.root.is_none_or(|root| !inside.contains(&root))
        }
        Cut::Set(SetCut::Blossom { inside, teeth }) => {
            if model.instance.graph.is_directed() || !is_set(inside) || teeth.len().is_multiple_of(2) {
                return false;
            }
            let mut sorted = teeth.clone();
            sorted.sort_unstable();
            let distinct = sorted.windows(2).all(|pair| pair[0] != pair[1]);
            let across = |tooth: u32| match model.instance.graph.edges().get(tooth as usize) {
                Some(edge) => inside.contains(&edge.source) != inside.contains(&edge.target),
                None => inside.iter().any(|&vertex| model.ends_at(vertex).any(|column| column == tooth)),
            };
            distinct && teeth.iter().all(|&tooth| across(tooth))
        }
        Cut::Visited { edge, vertex } => (*edge as usize) < m && touches(*edge, *vertex),
        Cut::EndVisited { vertex } | Cut::VisitedOnce { vertex } => (*vertex as usize) < n,
        Cut::Half(_) | Cut::Between { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::Instance;
    use crate::view::{CsrGraph, Edge};

    #[test]
    fn cuts_are_told_and_read_and_what_is_none_is_left_out() {
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3)].map(|(source, target)| Edge { source, target, weight: 1 });
        let instance = Instance::free(CsrGraph::from_multigraph(4, false, edges.to_vec()).0);
        let mut model = Model::new(&instance, None);
        let end = model.first[0];
        let cuts = [
            Cut::Set(SetCut::Subtour { inside: vec![2, 0], visited: 2 }),
            Cut::Set(SetCut::Blossom { inside: vec![0, 1, 2], teeth: vec![3] }),
            Cut::Set(SetCut::Blossom { inside: vec![0, 1, 2], teeth: vec![end] }),
            Cut::Visited { edge: 3, vertex: 2 },
            Cut::EndVisited { vertex: 3 },
            Cut::VisitedOnce { vertex: 1 },
        ];
        let mut words = Vec::new();
        cuts.iter().for_each(|cut| write_cut(cut, &mut words));
        assert_eq!(read_cuts(&mut model, &words), cuts);

        let wrong = [
            Cut::Set(SetCut::Subtour { inside: vec![0, 1], visited: 2 }),
            Cut::Set(SetCut::Subtour { inside: vec![0, 0, 2], visited: 2 }),
            Cut::Set(SetCut::Subtour { inside: vec![2, 9], visited: 2 }),
            Cut::Set(SetCut::Blossom { inside: vec![0, 1], teeth: vec![1, 2] }),
            Cut::Set(SetCut::Blossom { inside: vec![0, 1, 2], teeth: vec![0] }),
            Cut::Visited { edge: 3, vertex: 0 },
            Cut::Visited { edge: 4, vertex: 0 },
            Cut::EndVisited { vertex: 4 },
            Cut::VisitedOnce { vertex: 4 },
        ];
        let mut words = Vec::new();
        wrong.iter().for_each(|cut| write_cut(cut, &mut words));
        assert_eq!(read_cuts(&mut model, &words), []);
        words.truncate(3);
        assert_eq!(read_cuts(&mut model, &words), []);
    }
}
