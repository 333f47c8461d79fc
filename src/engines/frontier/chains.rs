//! The core of an instance: what is left when hanging trees are folded into end prizes and chains into single edges.
//!
//! *Chains.* A path of vertices of degree two becomes one edge between core vertices. The longest path may use nothing of
//! it, all of it, or *dip* into it from either side, or both, and end there; only the best dip of each kind matters. A path
//! wholly inside a chain is found by one scan. Sound because these cases are all there are.
//!
//! This goes further than [`reduce::chains`](crate::reduce::chains), which keeps the graph simple for every engine: here
//! edges may be directed, parallel or loops, any prizes may lie inside, and each edge knows in which ways it can be used. Roots
//! of line graphs fold differently again: a trail may go along a chain and earn it without using it up, so there it becomes a
//! vertex.

use fixedbitset::FixedBitSet;

use crate::instance::{Ends, Instance, NOT_AN_END};

use super::contract::{Rough, contract};
use super::fold::{Fold, NONE, plus, tail};
use super::kernel::Role;

/// The core graph: a multigraph, possibly with loops, whose edges are [`Chain`]s.
pub(super) struct Core {
    /// The vertex of the instance behind each core vertex.
    pub(super) vertices: Vec<u32>,
    pub(super) chains: Vec<Chain>,
    pub(super) ends: CoreEnds,
    pub(super) directed: bool,
    /// The best path (or cycle) that the core does not show, with its value.
    pub(super) excluded: Option<(Vec<u32>, i64)>,
    pub(super) tails: [Vec<u32>; 2],
}

/// The end rule on the core.
pub(super) enum CoreEnds {
    Open {
        /// Prizes of core vertices for being first and last, with what was folded into them.
        prizes: [Vec<i64>; 2],
        /// Undirected, and the same prizes for both ends.
        symmetric: bool,
    },
    Closed {
        through: Option<u32>,
    },
}

/// An edge of the core, directed from `a` to `b` if the instance is.
pub(super) struct Chain {
    pub(super) a: u32,
    pub(super) b: u32,
    /// The vertices of the instance on the way from `a` to `b`.
    pub(super) interior: Vec<u32>,
    pub(super) uses: Vec<Use>,
}

/// One way to use a chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub(super) gain: i64,
    pub(super) kind: UseKind,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum UseKind {
    /// From end to end.
    Full,
    /// Coming from `a`, the path ends after this many interior vertices.
    DipA(Role, u32),
    /// Coming from `b`, the path ends after this many interior vertices.
    DipB(Role, u32),
    /// Both ends of the path lie in the chain, these many vertices from `a` and from `b`.
    Dips(Role, u32, Role, u32),
}

impl UseKind {
    /// The ends of the whole path that lie in it.
    pub(super) fn roles(&self) -> impl Iterator<Item = Role> + use<> {
        let roles = match *self {
            UseKind::Full => [None, None],
            UseKind::DipA(role, _) | UseKind::DipB(role, _) => [Some(role), None],
            UseKind::Dips(role_a, _, role_b, _) => [Some(role_a), Some(role_b)],
        };
        roles.into_iter().flatten()
    }
}

impl Core {
    pub(super) fn new(instance: &Instance) -> Self {
        let mut fold = Fold::new(instance);
        fold.run();
        fold.into_core()
    }

    /// Whether vertex `v` of the instance lies on the core, as a map from the instance's vertices.
    pub(super) fn core_from_vertex(&self, vertex_count: usize) -> Vec<u32> {
        let mut map = vec![NONE; vertex_count];
        for (core, &vertex) in self.vertices.iter().enumerate() {
            map[vertex as usize] = core as u32;
        }
        map
    }

    /// The vertices beyond `vertex` when a path ends there in that role, nearest first.
    pub(super) fn tail(&self, vertex: u32, role: Role) -> impl Iterator<Item = u32> + '_ {
        tail(&self.tails[usize::from(role == Role::Last)], vertex)
    }
}

impl Fold<'_> {
    fn into_core(self) -> Core {
        let instance = self.instance;
        let n = self.alive.len();
        let symmetric = !self.directed() && self.prizes[0] == self.prizes[1];
        let pinned = self.pinned();
        let mut excluded = self.best.map(|best| (self.unfold(&best), best.value));
        let rough = contract(&self, &pinned, &mut excluded);
        let mut is_core = FixedBitSet::with_capacity(n);
        for chain in &rough {
            is_core.insert(chain.a as usize);
            is_core.insert(chain.b as usize);
        }
        let vertices: Vec<u32> = (0..n as u32).filter(|&vertex| is_core[vertex as usize]).collect();
        let mut core_of = vec![NONE; n];
        for (core, &vertex) in vertices.iter().enumerate() {
            core_of[vertex as usize] = core as u32;
        }
        let chains = rough.into_iter().map(|rough| {
            let uses = self.uses(&rough, symmetric, &mut excluded);
            let (a, b) = (core_of[rough.a as usize], core_of[rough.b as usize]);
            Chain { a, b, interior: rough.interior, uses }
        });
        let chains = chains.collect();
        let of_core = |prizes: &[i64]| vertices.iter().map(|&vertex| prizes[vertex as usize]).collect::<Vec<_>>();
        let ends = match &instance.ends {
            Ends::Open { .. } => {
                CoreEnds::Open { prizes: [of_core(&self.prizes[0]), of_core(&self.prizes[1])], symmetric }
            }
            Ends::Closed { through } => CoreEnds::Closed { through: through.map(|vertex| core_of[vertex as usize]) },
        };
        Core { vertices, chains, ends, directed: self.directed(), excluded, tails: self.tails }
    }

    /// The ways to use a chain; paths and cycles that lie wholly in it are compared with `excluded`.
    fn uses(&self, rough: &Rough, symmetric: bool, excluded: &mut Option<(Vec<u32>, i64)>) -> Vec<Use> {
        let graph = &self.instance.graph;
        let interior = &rough.interior[..];
        let stops: Vec<u32> = [rough.a].iter().chain(interior).chain(&[rough.b]).copied().collect();
        let mut reach = Vec::with_capacity(interior.len());
        let mut length = 0;
        for edge in graph.edges_along(&stops) {
            length += graph.weight(edge);
            reach.push(length);
        }
        let k = interior.len();
        let mut uses = Vec::new();
        if rough.full {
            uses.push(Use { gain: length, kind: UseKind::Full });
        }
        if !rough.has_ends {
            return uses;
        }

        let roles_at_a: &[Role] = match (self.directed(), symmetric) {
            (true, _) => &[Role::Last],
            (false, true) => &[Role::Either],
            (false, false) => &[Role::First, Role::Last],
        };
        for &role in roles_at_a {
            let opposite = match role {
                Role::First => Role::Last,
                Role::Last => Role::First,
                Role::Either => Role::Either,
            };
            let dips = self.best_dips(interior, &reach, role, opposite);
            if let Some((gain, position)) = dips.from_a {
                uses.push(Use { gain, kind: UseKind::DipA(role, position as u32 + 1) });
            }
            if let Some((gain, position)) = dips.from_b {
                uses.push(Use { gain, kind: UseKind::DipB(opposite, (k - position) as u32) });
            }
            if let Some((gain, (left, right))) = dips.both {
                let kind = UseKind::Dips(role, left as u32 + 1, opposite, (k - right) as u32);
                uses.push(Use { gain, kind });
            }
            if let Some((value, (left, right))) = dips.inside
                && excluded.as_ref().is_none_or(|(_, best)| value > *best)
            {
                *excluded = Some((self.inside(&interior[left..=right], opposite, role), value));
            }
        }
        uses
    }

    /// The best dips of a path that ends in `role` where it comes from `a`, and in `opposite` where it comes from `b`; `reach`
    /// is the length up to each position, and behind the last.
    fn best_dips(&self, interior: &[u32], reach: &[i64], role: Role, opposite: Role) -> Dips {
        let length = reach[interior.len()];
        let prize = |role: Role, vertex: u32| self.prizes[usize::from(role == Role::Last)][vertex as usize];
        let mut dips = Dips::default();
        // The best beginning of a path wholly inside, so far.
        let mut begun: Option<(i64, usize)> = None;
        for (position, (&vertex, &reached)) in interior.iter().zip(reach).enumerate() {
            let from_b = plus(prize(opposite, vertex), length - reached);
            if from_b != NOT_AN_END {
                if let Some((gain, other)) = dips.from_a {
                    improve(&mut dips.both, gain + from_b, (other, position));
                }
                improve(&mut dips.from_b, from_b, position);
            }
            // Inside: from an earlier position, in the role opposite to the one played here.
            let here = plus(prize(role, vertex), reached);
            if here != NOT_AN_END {
                if let Some((start, other)) = begun {
                    improve(&mut dips.inside, start + here, (other, position));
                }
                improve(&mut dips.from_a, here, position);
            }
            let start = plus(prize(opposite, vertex), -reached);
            if start != NOT_AN_END {
                improve(&mut begun, start, position);
            }
        }
        dips
    }

    /// A path along part of a chain with the tails at both its ends, from its first vertex to its last.
    fn inside(&self, along: &[u32], left: Role, right: Role) -> Vec<u32> {
        let tails = |role: Role, vertex| tail(&self.tails[usize::from(role == Role::Last)], vertex);
        let mut path: Vec<u32> = tails(left, along[0]).collect();
        path.reverse();
        path.extend(along);
        path.extend(tails(right, along[along.len() - 1]));
        if left == Role::Last {
            path.reverse();
        }
        path
    }
}

/// The best dips into a chain: what they gain, and the positions where they end.
#[derive(Default)]
struct Dips {
    from_a: Option<(i64, usize)>,
    from_b: Option<(i64, usize)>,
    both: Option<(i64, (usize, usize))>,
    /// A path wholly inside: not a dip, but found on the way.
    inside: Option<(i64, (usize, usize))>,
}

/// Takes what gains more than the best so far.
fn improve<T>(best: &mut Option<(i64, T)>, gain: i64, what: T) {
    if best.as_ref().is_none_or(|(most, _)| gain > *most) {
        *best = Some((gain, what));
    }
}
