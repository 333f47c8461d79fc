//! What the chains that are not decided yet allow each vertex.
//!
//! A vertex inside the path needs two edges (an arc in and an arc out), one at its end needs one. Once the chains to come
//! can't give an untouched vertex as many, it has the same completions as one that is closed; and where edges are directed an
//! open vertex without the arc that it lacks has to be an end. The sooner both are told, the fewer states there are.

use hashbrown::HashMap;

use super::chains::{Core, CoreEnds, Use, UseKind};
use super::kernel::Role;
use crate::instance::NOT_AN_END;

pub(super) struct Undecided<'c> {
    core: &'c Core,
    /// Vertices at which every path must end, with the role and prize.
    pins: Vec<(u32, Role, i64)>,
    partners: Vec<u32>,
    /// How many arcs into each vertex are to come, where edges are directed.
    into: Vec<u32>,
    /// How many arcs out of each vertex are to come, or edges, a loop twice.
    out: Vec<u32>,
    /// How many of the arcs have a partner.
    paired: Vec<u32>,
}

impl<'c> Undecided<'c> {
    pub(super) fn new(core: &'c Core) -> Self {
        let n = core.vertices.len();
        let (pins, partners) = (pins(core), partners(core));
        let mut undecided = Undecided { core, pins, partners, into: vec![0; n], out: vec![0; n], paired: vec![0; n] };
        (0..core.chains.len() as u32).for_each(|chain| undecided.count(chain, 1));
        undecided
    }

    /// A chain is decided, and its partner with it.
    pub(super) fn decide(&mut self, chain: u32) {
        self.count(chain, u32::MAX);
        if let Some(partner) = self.partner(chain) {
            self.count(partner, u32::MAX);
        }
    }

    fn count(&mut self, id: u32, by: u32) {
        let chain = &self.core.chains[id as usize];
        let add = |counts: &mut [u32], vertex: u32| {
            counts[vertex as usize] = counts[vertex as usize].wrapping_add(by);
        };
        add(if self.core.directed { &mut self.into } else { &mut self.out }, chain.b);
        add(&mut self.out, chain.a);
        if self.partner(id).is_some() {
            add(&mut self.paired, chain.a);
            add(&mut self.paired, chain.b);
        }
    }

    /// The chain that leads back, where of both at most one is used, from end to end.
    pub(super) fn partner(&self, chain: u32) -> Option<u32> {
        Some(self.partners[chain as usize]).filter(|&partner| partner != NO_PARTNER)
    }

    /// The role and prize of a vertex at which every path must end.
    pub(super) fn pin(&self, vertex: u32) -> Option<(Role, i64)> {
        self.pins.iter().find(|&&(pinned, ..)| pinned == vertex).map(|&(_, role, prize)| (role, prize))
    }

    /// How a path may end at a core vertex that it need not end at.
    pub(super) fn ends(&self, vertex: u32) -> impl Iterator<Item = (i64, Role)> + '_ {
        // A path of this vertex alone is no business of the core.
        let is_pinned = move |role: Role| self.pins.iter().any(|&(pinned, taken, _)| taken == role || pinned == vertex);
        let all = match &self.core.ends {
            CoreEnds::Open { prizes: [first, _], symmetric: true } => [Some((first, Role::Either)), None],
            CoreEnds::Open { prizes: [first, last], symmetric: false } => {
                [Some((first, Role::First)), Some((last, Role::Last))]
            }
            CoreEnds::Closed { .. } => [None, None],
        };
        let all = all.into_iter().flatten().map(move |(prizes, role)| (prizes[vertex as usize], role));
        all.filter(move |&(prize, role)| prize != NOT_AN_END && !is_pinned(role))
    }

    /// How many chains of a vertex are to come.
    pub(super) fn of(&self, vertex: u32) -> u32 {
        self.into[vertex as usize] + self.out[vertex as usize]
    }

    /// Whether a path that has these ends so far may still visit an untouched vertex.
    pub(super) fn allow_visit(&self, vertex: u32, flags: u32) -> bool {
        let (into, out) = (self.into[vertex as usize], self.out[vertex as usize]);
        let directed = self.core.directed;
        // There and back is no way through.
        let is_dead_end = into == 1 && out == 1 && self.paired[vertex as usize] == 2;
        let is_way_through = if directed { into > 0 && out > 0 && !is_dead_end } else { out > 1 };
        is_way_through
            || self.ends(vertex).any(|(_, role)| match role {
                Role::First => flags & 1 == 0 && out > 0,
                Role::Last => flags & 2 == 0 && (into > 0 || !directed),
                Role::Either => flags & 2 == 0,
            })
    }

    /// The end that an open vertex has to be if it lacks an arc of which none is to come, with the prize if it may be that end.
    pub(super) fn must_finish(&self, vertex: u32) -> Option<(Role, Option<i64>)> {
        let role = match (self.into[vertex as usize], self.out[vertex as usize]) {
            (1.., 0) => Role::Last,
            (0, 1..) if self.core.directed => Role::First,
            _ => return None,
        };
        Some((role, self.ends(vertex).find(|&(_, able)| able == role).map(|(prize, _)| prize)))
    }
}

/// No chain leads back.
const NO_PARTNER: u32 = u32::MAX;

/// Of each chain the one that leads back, where both are used from end to end or not at all and cycles are no answer.
fn partners(core: &Core) -> Vec<u32> {
    let mut partners = vec![NO_PARTNER; core.chains.len()];
    let CoreEnds::Open { .. } = core.ends else { return partners };
    let mut seen: HashMap<(u32, u32), u32> = HashMap::new();
    for (id, chain) in (0..).zip(&core.chains) {
        if !core.directed || !matches!(chain.uses[..], [Use { kind: UseKind::Full, .. }]) {
            continue;
        }
        match seen.remove(&(chain.b, chain.a)) {
            Some(back) => {
                partners[id as usize] = back;
                partners[back as usize] = id;
            }
            None => drop(seen.insert((chain.a, chain.b), id)),
        }
    }
    partners
}

/// Core vertices at which every path must end, with the role and prize.
fn pins(core: &Core) -> Vec<(u32, Role, i64)> {
    let CoreEnds::Open { prizes: [first, last], symmetric, .. } = &core.ends else {
        return Vec::new();
    };
    // Where a path may end inside a chain, no vertex has to be an end.
    let dips = |wanted: Role| {
        let mut roles = core.chains.iter().flat_map(|chain| &chain.uses).flat_map(|usage| usage.kind.roles());
        roles.any(|role| role == wanted)
    };
    let able = |prizes: &[i64], most: usize| {
        let vertices = (0..prizes.len() as u32).filter(|&vertex| prizes[vertex as usize] != NOT_AN_END);
        let ends: Vec<u32> = vertices.take(most + 1).collect();
        if ends.len() == most { ends } else { Vec::new() }
    };
    let mut pins = Vec::new();
    if *symmetric {
        if !dips(Role::Either) {
            pins.extend(able(first, 2).into_iter().map(|vertex| (vertex, Role::Either, first[vertex as usize])));
        }
        return pins;
    }
    for (role, prizes) in [(Role::First, first), (Role::Last, last)] {
        if !dips(role) {
            pins.extend(able(prizes, 1).into_iter().map(|vertex| (vertex, role, prizes[vertex as usize])));
        }
    }
    // The same vertex can't be both ends; what the core shows has two.
    if pins.len() == 2 && pins[0].0 == pins[1].0 { Vec::new() } else { pins }
}
