//! What remainder the values of all paths leave.
//!
//! In a bipartite graph all paths between two vertices are odd, or all are even, and where all weights are multiples of fifty all
//! lengths are. Both are one: give every vertex a potential such that an edge is worth the difference of the potentials at its
//! ends, up to multiples of a modulus. Then so is every path, and a bound that no path can reach falls to the next value that one can.
//! The potentials are lengths along a spanning forest, and the modulus is the greatest common divisor of what edges beside it are off
//! by. (For periods of directed graphs: E. V. Denardo, *Periods of connected networks and powers of nonnegative matrices*,
//! Mathematics of Operations Research 2 (1977) 20–24, doi:10.1287/moor.2.1.20.)

use fixedbitset::FixedBitSet;

use super::{Ends, Instance, NOT_AN_END};

/// With more vertices and edges than this a look at all of them would take longer than none at the clock may.
const LARGEST: usize = 300_000;

/// Every path (or cycle) has a value that leaves this remainder. A modulus of 1 says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Congruence {
    modulus: i64,
    remainder: i64,
}

impl Congruence {
    /// What says nothing.
    pub(crate) const NONE: Congruence = Congruence { modulus: 1, remainder: 0 };

    /// The greatest modulus for which potentials show it, in graphs that are not too large. `O(n + m)`, and less where that is 1.
    pub(crate) fn of(instance: &Instance) -> Self {
        let graph = &instance.graph;
        let n = graph.vertex_count();
        if n + graph.edge_count() > LARGEST {
            return Self::NONE;
        }
        let mut potentials = vec![0i64; n];
        let mut is_seen = FixedBitSet::with_capacity(n);
        let mut stack = Vec::new();
        let (mut modulus, mut ends) = (0, [None; 2]);
        for root in 0..n as u32 {
            if !is_seen.put(root as usize) {
                stack.push(root);
            }
            while let Some(vertex) = stack.pop() {
                let own = i128::from(potentials[vertex as usize]);
                if let Ends::Open { first, last, .. } = &instance.ends {
                    let offsets = [(first, -own), (last, own)];
                    for ((prizes, offset), end) in offsets.into_iter().zip(&mut ends) {
                        let prize = prizes[vertex as usize];
                        if prize != NOT_AN_END {
                            let offset = i128::from(prize) + offset;
                            modulus = gcd(modulus, offset - *end.get_or_insert(offset));
                        }
                    }
                }
                let back = if graph.is_directed() { graph.in_arcs(vertex) } else { &[] };
                let out = graph.out_arcs(vertex).iter().map(|arc| (arc, 1));
                for (arc, sign) in out.chain(back.iter().map(|arc| (arc, -1))) {
                    let there = own + sign * i128::from(graph.weight(arc.edge));
                    if is_seen.put(arc.target as usize) {
                        modulus = gcd(modulus, there - i128::from(potentials[arc.target as usize]));
                    } else {
                        // The length of a path, which weights are checked to have room for.
                        potentials[arc.target as usize] = there as i64;
                        stack.push(arc.target);
                    }
                }
                if modulus == 1 {
                    return Self::NONE;
                }
            }
        }
        let remainder: i128 = ends.into_iter().flatten().sum();
        match i64::try_from(modulus) {
            Ok(modulus @ 2..) => Congruence { modulus, remainder: remainder.rem_euclid(modulus.into()) as i64 },
            _ => Self::NONE,
        }
    }

    /// The greatest value that a path may have up to a bound.
    pub(crate) fn greatest_up_to(self, bound: i64) -> i64 {
        let over = (i128::from(bound) - i128::from(self.remainder)).rem_euclid(self.modulus.into());
        // Bounds at the end of what numbers there are mean that nothing is known, or that there is no path.
        if matches!(bound, i64::MIN | i64::MAX) { bound } else { bound.saturating_sub(over as i64) }
    }

    /// No path has a value above this one and up to what comes of it, which is as great as that allows.
    pub(crate) fn nothing_above(self, value: i64) -> i64 {
        if matches!(value, i64::MIN | i64::MAX) {
            return value;
        }
        self.greatest_up_to(value.saturating_add(self.modulus)).saturating_sub(1).max(value)
    }
}

fn gcd(mut one: i128, mut other: i128) -> i128 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one.abs()
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::*;
    use crate::instance::brute_force::for_each;
    use crate::view::{CsrGraph, Edge};

    #[test]
    fn bounds_fall_to_the_next_value() {
        let odd = Congruence { modulus: 2, remainder: 1 };
        assert_eq!([4, 5, -4].map(|bound| odd.greatest_up_to(bound)), [3, 5, -5]);
        assert_eq!([4, 5, -5].map(|value| odd.nothing_above(value)), [4, 6, -4]);
        for value in [i64::MIN, i64::MAX] {
            assert_eq!((odd.greatest_up_to(value), odd.nothing_above(value)), (value, value));
        }
        assert_eq!((Congruence::NONE.greatest_up_to(7), Congruence::NONE.nothing_above(7)), (7, 7));
    }

    /// On random graphs with random ends and weights every path has a value that may be; and often more is known than nothing.
    #[test]
    fn all_values_leave_the_remainder() {
        let mut random = Pcg64Mcg::seed_from_u64(3);
        let (mut telling, mut checked) = (0, 0);
        for round in 0..3000usize {
            let n = random.random_range(2..=7usize);
            let (directed, weight) = (round.is_multiple_of(2), [1..=1, 1..=3, -2..=6][round % 3].clone());
            let factor = if round.is_multiple_of(5) { 50 } else { 1 };
            let is_bipartite = round % 4 < 2;
            let edges = (0..random.random_range(n..3 * n)).filter_map(|_| {
                let (source, target) = (random.random_range(0..n as u32), random.random_range(0..n as u32));
                let weight = factor * random.random_range(weight.clone());
                (!is_bipartite || (source + target) % 2 == 1).then_some(Edge { source, target, weight })
            });
            let edges = edges.collect();
            let (graph, _) = CsrGraph::from_multigraph(n, directed, edges);
            let mut prizes = || -> Vec<i64> {
                let few = random.random_bool(0.5);
                let kept = random.random_range(0..n);
                (0..n).map(|at| if few && at != kept { NOT_AN_END } else { 0 }).collect()
            };
            let ends = match round % 7 {
                0 => Ends::Closed { through: None },
                _ => Ends::Open { first: prizes(), last: prizes(), single_vertex: round.is_multiple_of(3) },
            };
            let instance = Instance { graph, ends };
            let congruence = Congruence::of(&instance);
            telling += usize::from(congruence != Congruence::NONE);
            let mut values = Vec::new();
            for_each(&instance, |_, value| values.push(value));
            values.sort_unstable();
            for (at, &value) in values.iter().enumerate() {
                assert_eq!(congruence.greatest_up_to(value), value, "{congruence:?}: {instance:?}");
                let below = if at == 0 { value - 1 } else { values[at - 1] };
                assert!(below == value || congruence.nothing_above(below) < value, "{congruence:?}: {instance:?}");
            }
            checked += values.len();
        }
        assert!(telling > 900 && checked > 20_000, "{telling} {checked}");
    }
}
