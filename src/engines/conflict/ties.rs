//! Edges that say the same of each other: where a cycle through everything is asked for, choosing one often implies or rules
//! out another, and is implied by it. Then they share a variable, and what is learnt of one is learnt of all.
//!
//! Both values of a variable are tried, and what follows from them compared (after failed literals and equivalences in
//! D. Le Berre, *Exploiting the real power of unit propagation lookahead*, Electronic Notes in Discrete Mathematics 9 (2001)
//! 59–80, doi:10.1016/S1571-0653(04)00314-2): what follows from both is certain, what follows from one while its contrary
//! follows from the other is the same. Only edges are tried of which a vertex needs one of two: others rarely tell.

use super::config::Config;
use super::literal::{Lit, Var};
use super::log::{Hint, Log};
use super::model::Model;
use super::solver::Solver;
use crate::instance::{Ends, Instance};
use crate::view::CsrGraph;

/// The work of looking for edges that say the same: some ten milliseconds.
const WORK: u64 = 100_000;

/// The model of a cycle through everything, with edges tied that say the same of each other; `None` where there is no such cycle.
pub(super) fn spanning(graph: &CsrGraph) -> Option<Model> {
    Spanning::of(graph)?.missing_one_of(&[])
}

/// What all models of cycles through everything, or nearly, have in common.
pub(super) struct Spanning {
    model: Model,
}

impl Spanning {
    /// `None` where there are no cycles.
    pub(super) fn of(graph: &CsrGraph) -> Option<Self> {
        let ends = Ends::Closed { through: None };
        let mut model = Model::new(&Instance { graph: graph.clone(), ends })?;
        model.losses.fill(0);
        Some(Spanning { model })
    }

    pub(super) fn bytes(&self) -> usize {
        self.model.bytes()
    }

    /// Whether nothing speaks at once against a cycle through everything but this vertex.
    pub(super) fn may_miss(&mut self, vertex: u32) -> bool {
        self.model.axioms = self.axioms(&[vertex]);
        Solver::new(&self.model, Config::default(), i64::MIN).settle()
    }

    /// The model of a cycle through everything, or if vertices are given, through everything but one of these, with edges tied that
    /// say the same of each other; `None` where there is no such cycle.
    pub(super) fn missing_one_of(&self, missed: &[u32]) -> Option<Model> {
        let mut model = self.model.clone();
        model.axioms = self.axioms(missed);
        if !model.may_tie() {
            return Some(model);
        }
        let ties = Ties::find(&model, i64::MIN, &mut None)?;
        ties.bind(&mut model);
        Some(model)
    }

    /// All others are visited, and one of these is not.
    fn axioms(&self, missed: &[u32]) -> Vec<Vec<Lit>> {
        let model = &self.model;
        let visited = (0..model.vertices as u32).filter(|vertex| !missed.contains(vertex));
        let mut axioms: Vec<Vec<Lit>> = visited.map(|vertex| vec![!model.skip(vertex)]).collect();
        let skips: Vec<Lit> = missed.iter().map(|&vertex| model.skip(vertex)).collect();
        for (place, &skip) in skips.iter().enumerate() {
            axioms.extend(skips[..place].iter().map(|&other| vec![!skip, !other]));
        }
        axioms.extend(Some(skips).filter(|skips| !skips.is_empty()));
        axioms
    }
}

/// What was found out, in variables of the model tried.
pub(super) struct Ties {
    /// By edge: the literal that says whether it is chosen.
    lits: Vec<Lit>,
    certain: Vec<Lit>,
}

impl Ties {
    /// Tries edges; `None` where no cycle worth more than `floor` is left. What shows it is noted, if a log is kept.
    pub(super) fn find(model: &Model, floor: i64, log: &mut Option<Box<Log>>) -> Option<Self> {
        let mut solver = Solver::with_log(model, Config::default(), floor, log.take());
        let lits = Ties::lits(model, &mut solver);
        let certain = solver.certain();
        *log = solver.take_log();
        lits.map(|lits| Ties { lits, certain })
    }

    /// From here on the edges of the model are tied, and what is certain is an axiom.
    pub(super) fn bind(self, model: &mut Model) {
        let Ties { lits, certain } = self;
        let tied = |lit: Lit| match lits.get(lit.var() as usize) {
            Some(&tied) if lit.is_positive() => tied,
            Some(&tied) => !tied,
            None => lit,
        };
        model.axioms.retain(|axiom| axiom.len() > 1);
        model.axioms.extend(certain.iter().map(|&lit| vec![tied(lit)]));
        model.tie(lits);
    }

    fn lits(model: &Model, solver: &mut Solver<'_>) -> Option<Vec<Lit>> {
        let edges = model.edges();
        let mut classes = Classes { parent: (0..edges as Var).map(Lit::positive).collect() };
        // By literal: the number of the edge from whose choice it followed last.
        let mut followed = vec![u32::MAX; 2 * model.vars()];
        if !solver.settle() {
            return None;
        }
        for edge in (0..edges as Var).filter(|&edge| !model.is_end(edge)) {
            if solver.ticks() > WORK {
                break;
            }
            if !solver.is_one_of_two(edge) {
                continue;
            }
            let lit = model.lit(edge);
            let Some(chosen) = solver.consequences(lit) else {
                if solver.is_refuted() {
                    return None;
                }
                continue;
            };
            chosen.iter().for_each(|other| followed[other.index()] = edge);
            let Some(mut ruled_out) = solver.consequences(!lit) else {
                if solver.is_refuted() {
                    return None;
                }
                continue;
            };
            let is_tied = |other: &Lit| (other.var() as usize) < edges && !model.is_end(other.var()) && *other != !lit;
            let same = ruled_out.extract_if(.., |other| followed[(!*other).index()] == edge && is_tied(other));
            let same: Vec<Lit> = same.collect();
            let sure: Vec<Lit> = ruled_out.into_iter().filter(|other| followed[other.index()] == edge).collect();
            let names = Names::note(solver, lit, &same, &sure);
            for (place, &other) in sure.iter().enumerate() {
                if !solver.settle_as(other, names.of_sure(place)) {
                    return None;
                }
            }
            same.iter().for_each(|&other| classes.join(!lit, other));
        }
        Some((0..edges as Var).map(|edge| classes.find(Lit::positive(edge))).collect())
    }
}

/// The names in the log of what is certain, if one is kept.
struct Names(Vec<u32>);

impl Names {
    /// Notes what follows from an edge's being ruled out while the contrary, of the first literals, or the same, of the second, follows
    /// from its being chosen.
    fn note(solver: &mut Solver<'_>, lit: Lit, same: &[Lit], sure: &[Lit]) -> Self {
        let chosen = solver.note_consequences(lit, same.iter().map(|&other| !other).chain(sure.iter().copied()));
        let ruled_out = solver.note_consequences(!lit, same.iter().chain(sure).copied());
        let Some(log) = solver.log() else { return Names(Vec::new()) };
        let pairs: Vec<[u32; 2]> = chosen.into_iter().zip(ruled_out).map(|(one, other)| [one, other]).collect();
        let (of_same, of_sure) = pairs.split_at(same.len());
        of_same.iter().for_each(|&pair| log.tie(pair));
        Names(sure.iter().zip(of_sure).map(|(&lit, pair)| log.add(&[lit], &pair.map(Hint::Clause))).collect())
    }

    fn of_sure(&self, place: usize) -> u32 {
        self.0.get(place).copied().unwrap_or(0)
    }
}

/// Classes of literals of edges that say the same.
struct Classes {
    parent: Vec<Lit>,
}

impl Classes {
    fn find(&mut self, lit: Lit) -> Lit {
        let (mut root, mut next) = (lit, self.above(lit));
        while next != root {
            (root, next) = (next, self.above(next));
        }
        let mut lit = lit;
        while lit != root {
            let above = self.above(lit);
            self.parent[lit.var() as usize] = if lit.is_positive() { root } else { !root };
            lit = above;
        }
        root
    }

    fn above(&self, lit: Lit) -> Lit {
        let above = self.parent[lit.var() as usize];
        if lit.is_positive() { above } else { !above }
    }

    fn join(&mut self, one: Lit, other: Lit) {
        let (one, other) = (self.find(one), self.find(other));
        if one.var() != other.var() {
            self.parent[one.var() as usize] = if one.is_positive() { other } else { !other };
        }
    }
}
