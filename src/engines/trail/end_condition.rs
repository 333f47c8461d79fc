//! What is asked of a root: the end rule of a path of the line graph, said of trails.

use crate::instance::{Ends, NOT_AN_END};

/// Which paths are meant. Edges are those of the root.
#[derive(Clone, Copy, Debug)]
pub(crate) enum EndCondition<'a> {
    /// Paths with any ends.
    Free,
    /// Paths that begin with this edge.
    From(u32),
    /// Paths that begin with one edge and end with another.
    Between(u32, u32),
    /// Paths that earn something by their ends. With `single_vertex`, a single edge is a path and earns both.
    Prized { first: &'a [i64], last: &'a [i64], single_vertex: bool },
    /// Cycles of three edges or more, one of them given.
    Closed { through: Option<u32> },
}

/// An aim, with what is the same for all paths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query<'a> {
    pub(crate) end_condition: EndCondition<'a>,
    /// What every path earns by its ends, beside what the aim says.
    pub(crate) earned: i64,
    /// Whether the paths meant are those of the aim, backwards.
    pub(crate) turned: bool,
    /// Whether a path of a single edge counts.
    pub(crate) single_vertex: bool,
}

/// What the prizes of an end have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Even(i64),
    Only(u32),
    Mixed,
}

impl Kind {
    fn of(prizes: &[i64]) -> Self {
        let Some(&one) = prizes.first() else { return Kind::Even(0) };
        if one != NOT_AN_END && prizes.iter().all(|&prize| prize == one) {
            return Kind::Even(one);
        }
        let mut allowed = (0..).zip(prizes).filter(|&(_, &prize)| prize != NOT_AN_END);
        match (allowed.next(), allowed.next()) {
            (Some((edge, _)), None) => Kind::Only(edge),
            _ => Kind::Mixed,
        }
    }
}

impl<'a> Query<'a> {
    pub(crate) fn of(ends: &'a Ends) -> Self {
        let (first, last, single_vertex) = match ends {
            Ends::Open { first, last, single_vertex } => (first, last, *single_vertex),
            Ends::Closed { through } => {
                return Query {
                    end_condition: EndCondition::Closed { through: *through },
                    earned: 0,
                    turned: false,
                    single_vertex: false,
                };
            }
        };
        let query = |end_condition, earned, turned| Query { end_condition, earned, turned, single_vertex };
        match (Kind::of(first), Kind::of(last)) {
            (Kind::Even(alpha), Kind::Even(beta)) => return query(EndCondition::Free, alpha + beta, false),
            (Kind::Only(one), Kind::Only(two)) if one != two => {
                return query(EndCondition::Between(one, two), first[one as usize] + last[two as usize], false);
            }
            (Kind::Only(one), _) => {
                if let Some(beta) = even_beside(last, one, single_vertex) {
                    return query(EndCondition::From(one), first[one as usize] + beta, false);
                }
            }
            (_, Kind::Only(two)) => {
                if let Some(alpha) = even_beside(first, two, single_vertex) {
                    return query(EndCondition::From(two), alpha + last[two as usize], true);
                }
            }
            _ => {}
        }
        query(EndCondition::Prized { first, last, single_vertex }, 0, false)
    }
}

/// The prize that all edges but one have in common. That one matters only to a path that is nothing else.
fn even_beside(prizes: &[i64], edge: u32, single_vertex: bool) -> Option<i64> {
    let mut others = (0..).zip(prizes).filter(|&(other, _)| single_vertex || other != edge).map(|(_, &prize)| prize);
    let prize = others.next().filter(|&prize| prize != NOT_AN_END)?;
    others.all(|other| other == prize).then_some(prize)
}
