//! What a walk could still add at most: the bound that prunes the search for a heaviest path of `k` vertices.
//!
//! The best walk of `r` arcs on from a vertex that does not turn straight back is found by dynamic programming over `r`:
//! `best(u → v, r) = max over x ≠ u of w(v, x) + best(v → x, r - 1)`. For that, every vertex needs only its two best first
//! steps. Walks may meet themselves, so this bounds every path; where weights are spread over a sparse graph it does so
//! closely. Per `r` the arcs of each vertex are sorted by falling promise, so a search can stop at the first that promises
//! too little.
//!
//! `O(k m log Δ)` time, `O(k m)` memory.

use super::Walks;
use crate::instance::NOT_AN_END;

/// One arc on, and the most that a path can add by taking it: its weight, what follows, the prize at the end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) promise: i64,
    pub(crate) weight: i64,
    pub(crate) target: u32,
}

/// The promises of every arc at every place.
pub(crate) struct WalkBounds {
    n: usize,
    /// The steps with `r` arcs to go, this one included, from vertex `v`: `starts[(r - 1) * (n + 1) + v]` up to the next.
    starts: Vec<usize>,
    steps: Vec<Step>,
    /// With all arcs to go: the most that a path from each vertex is worth, its first prize included; or `None`.
    pub(crate) whole: Vec<Option<i64>>,
}

/// The most that walks from a vertex are worth.
#[derive(Clone, Copy)]
struct Best {
    value: i64,
    /// Where the best goes first.
    head: u32,
    /// The best of those that go elsewhere first.
    second: i64,
}

const NOWHERE: u32 = u32::MAX;

impl WalkBounds {
    /// What they hold.
    pub(crate) fn bytes(walks: &Walks<'_>) -> usize {
        let (n, arcs, rounds) = (walks.vertex_count(), walks.arc_count(), walks.k - 1);
        arcs.saturating_mul(rounds).saturating_mul(size_of::<Step>())
            + n.saturating_mul(rounds + 1).saturating_mul(8)
            + n * 3 * size_of::<Best>()
    }

    pub(crate) fn new(walks: &Walks<'_>) -> Self {
        let (n, k) = (walks.vertex_count(), walks.k);
        let graph = &walks.graph;
        let mut best: Vec<Best> =
            walks.last.iter().map(|&prize| Best { value: prize, head: NOWHERE, second: prize }).collect();
        let mut starts = Vec::with_capacity((n + 1) * (k - 1));
        let mut steps: Vec<Step> = Vec::new();
        for to_go in 1..k {
            let place = k - 1 - to_go;
            let mut next = Vec::with_capacity(n);
            for vertex in 0..n as u32 {
                let start = steps.len();
                starts.push(start);
                if walks.may_stand(vertex, place) {
                    for arc in graph.out_arcs(vertex).iter().filter(|arc| walks.may_stand(arc.target, place + 1)) {
                        let on = best[arc.target as usize];
                        let on = if on.head == vertex { on.second } else { on.value };
                        if on != NOT_AN_END {
                            let weight = graph.weight(arc.edge);
                            steps.push(Step { promise: weight + on, weight, target: arc.target });
                        }
                    }
                }
                let row = &mut steps[start..];
                row.sort_unstable_by_key(|step| (std::cmp::Reverse(step.promise), step.target));
                next.push(Best {
                    value: row.first().map_or(NOT_AN_END, |step| step.promise),
                    head: row.first().map_or(NOWHERE, |step| step.target),
                    second: row.get(1).map_or(NOT_AN_END, |step| step.promise),
                });
            }
            starts.push(steps.len());
            best = next;
        }
        let whole = (0..n as u32).zip(&best).map(|(vertex, best)| {
            let prize = walks.first[vertex as usize];
            (prize != NOT_AN_END && best.value != NOT_AN_END).then(|| prize + best.value)
        });
        WalkBounds { n, starts, steps, whole: whole.collect() }
    }

    /// The steps from a vertex with so many arcs to go, by falling promise.
    pub(crate) fn steps(&self, vertex: u32, to_go: usize) -> &[Step] {
        let row = (to_go - 1) * (self.n + 1) + vertex as usize;
        &self.steps[self.starts[row]..self.starts[row + 1]]
    }

    /// No path of `k` vertices is worth more than this; `None` if there is none.
    pub(crate) fn bound(&self) -> Option<i64> {
        self.whole.iter().copied().flatten().max()
    }
}
