//! Minimum cuts between the outside and the vertices of a support.

use fixedbitset::FixedBitSet;

use super::sets::Sets;
use super::support::{Support, Watch};

/// No arc, no set.
const NONE: u32 = u32::MAX;

/// The support with vertices joined that no violated border need separate.
pub(super) struct Shrunk {
    sets: Sets,
    /// Small numbers for the sets.
    number: Vec<u32>,
    visits: Vec<f64>,
    is_outside: FixedBitSet,
    /// By set: its arcs. Arc `2i` and `2i + 1` are the two directions of a link.
    arcs: Vec<Vec<u32>>,
    heads: Vec<u32>,
    capacities: Vec<f64>,
    residual: Vec<f64>,
    /// How a set was reached: the arc; and the sets in the order they were reached.
    by: Vec<u32>,
    queue: Vec<u32>,
}

/// The arc by which the source is reached.
const SOURCE: u32 = u32::MAX - 1;

impl Shrunk {
    /// `None` if a limit is spent before.
    pub(super) fn new(support: &Support, watch: &mut Watch<'_>) -> Option<Self> {
        let size = support.visits.len();
        let mut sets = Sets::new(size);
        let mut across = support.across();
        let mut changed = true;
        while changed {
            changed = false;
            for &(_, one, two) in &support.falling {
                let Some((small, large)) = support.to_be_joined(&mut sets, one, two) else { continue };
                if watch.is_over(sets.size(small)) {
                    return None;
                }
                let between = support.between(&mut sets, small, large);
                let [of_small, of_large] = [small, large].map(|set| across[set as usize]);
                if 2.0 * between >= of_small.max(of_large) - 1e-9 {
                    let set = sets.join(large, small);
                    across[set as usize] = of_small + of_large - 2.0 * between;
                    changed = true;
                }
            }
        }
        let mut number = vec![NONE; size];
        let mut visits = Vec::new();
        for vertex in 0..size as u32 {
            let set = sets.find(vertex) as usize;
            if number[set] == NONE {
                number[set] = visits.len() as u32;
                visits.push(0.0);
            }
            let number = number[set] as usize;
            visits[number] = support.visits[vertex as usize].max(visits[number]);
        }
        let count = visits.len();
        let mut is_outside = FixedBitSet::with_capacity(count);
        is_outside.insert(number[sets.find(support.outside) as usize] as usize);
        let mut shrunk = Shrunk {
            sets,
            number,
            visits,
            is_outside,
            arcs: vec![Vec::new(); count],
            heads: Vec::new(),
            capacities: Vec::new(),
            residual: Vec::new(),
            by: vec![NONE; count],
            queue: Vec::new(),
        };
        for &(capacity, one, two) in &support.falling {
            let (one, two) = (shrunk.number_of(one), shrunk.number_of(two));
            if one != two {
                for (from, to) in [(one, two), (two, one)] {
                    shrunk.arcs[from as usize].push(shrunk.heads.len() as u32);
                    shrunk.heads.push(to);
                    shrunk.capacities.push(capacity);
                }
            }
        }
        Some(shrunk)
    }

    fn number_of(&mut self, vertex: u32) -> u32 {
        self.number[self.sets.find(vertex) as usize]
    }

    pub(super) fn by_falling_visits(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.visits.len() as u32).collect();
        order.sort_by(|&one, &two| self.visits[two as usize].total_cmp(&self.visits[one as usize]).then(one.cmp(&two)));
        order
    }

    /// The greatest flow from a set to the outside, along shortest ways (J. Edmonds and R. M. Karp, Journal of the ACM 19,
    /// 1972, doi:10.1145/321694.321699), as soon as it is at least `enough`. `None` if a limit is spent before.
    pub(super) fn flow(&mut self, source: u32, enough: f64, watch: &mut Watch<'_>) -> Option<f64> {
        self.residual.clone_from(&self.capacities);
        let mut flow = 0.0;
        while flow < enough {
            let Some(sink) = self.reach(source) else { break };
            if watch.is_over(self.by.len() as u32) {
                return None;
            }
            let mut least = f64::INFINITY;
            let mut at = sink;
            while self.by[at as usize] != SOURCE {
                let arc = self.by[at as usize];
                least = least.min(self.residual[arc as usize]);
                at = self.heads[arc as usize ^ 1];
            }
            at = sink;
            while self.by[at as usize] != SOURCE {
                let arc = self.by[at as usize] as usize;
                self.residual[arc] -= least;
                self.residual[arc ^ 1] += least;
                at = self.heads[arc ^ 1];
            }
            flow += least;
        }
        Some(flow)
    }

    /// Breadth-first search along what is left of the capacities, until the outside is reached.
    fn reach(&mut self, source: u32) -> Option<u32> {
        self.by.fill(NONE);
        self.queue.clear();
        self.queue.push(source);
        self.by[source as usize] = SOURCE;
        let mut next = 0;
        while let Some(&set) = self.queue.get(next) {
            next += 1;
            for &arc in &self.arcs[set as usize] {
                let head = self.heads[arc as usize];
                if self.by[head as usize] == NONE && self.residual[arc as usize] > 1e-9 {
                    self.by[head as usize] = arc;
                    if self.is_outside[head as usize] {
                        return Some(head);
                    }
                    self.queue.push(head);
                }
            }
        }
        None
    }

    /// The vertices of all sets reached by the last search.
    pub(super) fn reached(&mut self) -> Vec<u32> {
        let mut inside = Vec::new();
        for vertex in 0..self.number.len() as u32 {
            let set = self.number_of(vertex);
            if self.by[set as usize] != NONE {
                inside.push(vertex);
            }
        }
        inside
    }

    pub(super) fn visit(&self, set: u32) -> f64 {
        self.visits[set as usize]
    }

    pub(super) fn is_outside(&self, set: u32) -> bool {
        self.is_outside[set as usize]
    }

    /// From now on the set belongs to the outside.
    pub(super) fn join_outside(&mut self, set: u32) {
        self.is_outside.insert(set as usize);
    }
}
