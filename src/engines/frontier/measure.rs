//! Values that carry a second number.
//!
//! With a [`LinearBound`] a partial solution has two values: what it is worth, which says which of two with the same state is
//! kept, and what it gains by the bound, which says whether it may still lead to a path that matters. Both fit one word: the
//! worth in its high half, the gain, turned round, in its low half. Adding words adds both, and the greater word is the one
//! worth more or, of equals, the one that gains less: any of those worth most may be kept, as they have the same completions.
//!
//! The relaxation and the potentials are those of a [core](super::chains) whose edges have the gains for weights: what they bound
//! is the gain of a completion, and the bound of the whole is the constant and the gains together.

use super::chains::{Chain, Core, CoreEnds, Use, UseKind};
use super::kernel::Role;
use crate::instance::{Instance, LinearBound, NOT_AN_END};

/// How the values of a plan are read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Measure {
    /// As they are.
    Plain,
    /// Worth and gain in one word.
    Both { scale: i64, constant: i64 },
}

/// Where worths begin in a word.
const HALF: u32 = 32;
/// Worths beyond this do not fit.
const MOST: i64 = 1 << 30;

impl Measure {
    /// What a value is worth.
    #[inline(always)]
    pub(super) fn worth(self, value: i64) -> i64 {
        match self {
            Measure::Plain => value,
            Measure::Both { .. } => value.wrapping_sub(i64::from(value as i32)) >> HALF,
        }
    }

    /// What bounds are added to.
    #[inline(always)]
    pub(super) fn gain(self, value: i64) -> i64 {
        match self {
            Measure::Plain => value,
            Measure::Both { .. } => -i64::from(value as i32),
        }
    }

    /// Only what may gain more than this in all may be worth more than the target.
    pub(super) fn bar(self, target: i64) -> i64 {
        match self {
            Measure::Plain => target,
            Measure::Both { scale, constant } => {
                target.saturating_add(1).saturating_mul(scale).saturating_sub(constant).saturating_sub(1)
            }
        }
    }

    /// Nothing that gains no more than this in all is worth more.
    pub(super) fn bound(self, total: i64) -> i64 {
        match self {
            Measure::Plain => total,
            Measure::Both { scale, constant } => total.saturating_add(constant).div_euclid(scale),
        }
    }
}

/// The core with gains for weights, the same with both in one word, and how to read that. `None` where the worths of paths
/// are too large.
pub(super) fn measured(instance: &Instance, core: &Core, bound: &LinearBound) -> Option<(Core, Core, Measure)> {
    let graph = &instance.graph;
    let prizes = match &core.ends {
        CoreEnds::Open { prizes, .. } => &prizes[..],
        CoreEnds::Closed { .. } => &[],
    };
    let prizes_in_all = prizes.iter().flatten().filter(|&&prize| prize != NOT_AN_END);
    let uses = core.chains.iter().flat_map(|chain| &chain.uses).map(|usage| &usage.gain);
    let greatest = uses.chain(prizes_in_all).map(|gain| gain.unsigned_abs()).max().unwrap_or(0);
    // A path uses no more than an edge out of each vertex, and two ends.
    if greatest.saturating_mul(graph.vertex_count() as u64 + 2) > MOST.unsigned_abs() {
        return None;
    }
    let gains = Gains { instance, core, bound };
    let by_gains = gains.core(|_, gain| gain);
    let both = gains.core(|worth, gain| (worth << HALF) - gain);
    Some((by_gains, both, Measure::Both { scale: bound.scale, constant: bound.constant }))
}

struct Gains<'a> {
    instance: &'a Instance,
    core: &'a Core,
    bound: &'a LinearBound,
}

impl Gains<'_> {
    /// The core with values made from worths and gains.
    fn core(&self, value: impl Fn(i64, i64) -> i64) -> Core {
        let core = self.core;
        let ends = |role: Role, prizes: &[i64]| -> Vec<i64> {
            let end = |(&vertex, &prize): (&u32, &i64)| match prize {
                NOT_AN_END => NOT_AN_END,
                prize => value(prize, self.end(vertex, role)),
            };
            core.vertices.iter().zip(prizes).map(end).collect()
        };
        let ends = match &core.ends {
            CoreEnds::Open { prizes: [first, last], symmetric } => {
                CoreEnds::Open { prizes: [ends(Role::First, first), ends(Role::Last, last)], symmetric: *symmetric }
            }
            CoreEnds::Closed { through } => CoreEnds::Closed { through: *through },
        };
        let chain = |chain: &Chain| Chain {
            a: chain.a,
            b: chain.b,
            interior: chain.interior.clone(),
            uses: chain
                .uses
                .iter()
                .map(|usage| Use { gain: value(usage.gain, self.usage(chain, usage.kind)), ..*usage })
                .collect(),
        };
        Core {
            vertices: core.vertices.clone(),
            chains: core.chains.iter().map(chain).collect(),
            ends,
            directed: core.directed,
            excluded: None,
            tails: core.tails.clone(),
        }
    }

    fn usage(&self, chain: &Chain, kind: UseKind) -> i64 {
        let (a, b) = (self.core.vertices[chain.a as usize], self.core.vertices[chain.b as usize]);
        match kind {
            UseKind::Full => self.along(std::iter::once(a).chain(chain.interior.iter().copied()).chain([b])),
            UseKind::DipA(role, count) => {
                let inside = &chain.interior[..count as usize];
                let stop = inside[inside.len() - 1];
                self.along(std::iter::once(a).chain(inside.iter().copied())) + self.end(stop, role)
            }
            UseKind::DipB(role, count) => {
                let inside = &chain.interior[chain.interior.len() - count as usize..];
                self.along(inside.iter().copied().chain([b])) + self.end(inside[0], role)
            }
            UseKind::Dips(role_a, count_a, role_b, count_b) => {
                self.usage(chain, UseKind::DipA(role_a, count_a)) + self.usage(chain, UseKind::DipB(role_b, count_b))
            }
        }
    }

    /// What ending at a vertex gains, with what was folded into it.
    fn end(&self, vertex: u32, role: Role) -> i64 {
        let beyond = std::iter::once(vertex).chain(self.core.tail(vertex, role));
        let stops: Vec<u32> = beyond.collect();
        let stop = stops[stops.len() - 1] as usize;
        match role {
            Role::First => self.along(stops.into_iter().rev()) + self.bound.first[stop],
            Role::Last | Role::Either => self.along(stops.into_iter()) + self.bound.last[stop],
        }
    }

    fn along(&self, stops: impl Iterator<Item = u32>) -> i64 {
        let stops: Vec<u32> = stops.collect();
        self.instance.graph.edges_along(&stops).map(|edge| self.bound.edges[edge as usize]).sum()
    }
}
