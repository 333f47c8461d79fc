//! Edges that say the same of each other: where a cycle through everything is asked for, choosing one often implies or rules
//! out another, and is implied by it. Then they share a variable, and what is learnt of one is learnt of all.
//!
//! Both values of a variable are tried, and what follows from them compared (after failed literals and equivalences in
//! D. Le Berre, *Exploiting the real power of unit propagation lookahead*, Electronic Notes in Discrete Mathematics 9 (2001)
//! 59–80, doi:10.1016/S1571-0653(04)00314-2): what follows from both is certain, what follows from one while its contrary
//! follows from the other is the same. Only edges are tried of which a vertex needs one of two: others rarely tell.

use super::config::Config;
use super::literal::{Lit, Var};
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
        let Ties { lits, certain } = Ties::find(&model)?;
        let tied = |lit: Lit| match lits.get(lit.var() as usize) {
            Some(&tied) if lit.is_positive() => tied,
            Some(&tied) => !tied,
            None => lit,
        };
        model.axioms.retain(|axiom| axiom.len() > 1);
        model.axioms.extend(certain.iter().map(|&lit| vec![tied(lit)]));
        model.tie(lits);
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
struct Ties {
    /// By edge: the literal that says whether it is chosen.
    lits: Vec<Lit>,
    certain: Vec<Lit>,
}

impl Ties {
    /// Tries edges; `None` where no cycle is left.
    fn find(model: &Model) -> Option<Self> {
        let mut solver = Solver::new(model, Config::default(), i64::MIN);
        let edges = model.edges();
        let mut classes = Classes { parent: (0..edges as Var).map(Lit::positive).collect() };
        // By literal: the number of the edge from whose choice it followed last.
        let mut followed = vec![u32::MAX; 2 * model.vars()];
        if !solver.settle() {
            return None;
        }
        for edge in 0..edges as Var {
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
            let Some(ruled_out) = solver.consequences(!lit) else {
                if solver.is_refuted() {
                    return None;
                }
                continue;
            };
            for other in ruled_out {
                if followed[other.index()] == edge && !solver.settle_as(other) {
                    return None;
                }
                if followed[(!other).index()] == edge && (other.var() as usize) < edges {
                    classes.join(!lit, other);
                }
            }
        }
        let lits = (0..edges as Var).map(|edge| classes.find(Lit::positive(edge))).collect();
        Some(Ties { lits, certain: solver.certain() })
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
