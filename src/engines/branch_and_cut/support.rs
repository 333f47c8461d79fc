//! What a solution of the linear program uses, as a graph, and the sets of its vertices that are cut off too cheaply.
//!
//! The *support* has the vertices of the instance and the outside, and an edge of capacity `x` for every column that is used.
//! A path that visits a vertex of a set crosses the border of the set twice; the border of a set is violated where what
//! crosses it is less than twice the greatest visit inside. They are looked for cheapest first:
//! 1. Sets that grow by joining vertices along the greatest capacities: components, and much more.
//! 2. All of them, by minimum cuts between the outside and every vertex. Before that vertices are joined that no violated
//!    border need separate: two sets joined by at least half of what crosses the border of either (M. Padberg and G.
//!    Rinaldi, *An efficient algorithm for the minimum capacity cut problem*, Mathematical Programming 47 (1990) 19–36,
//!    doi:10.1007/BF01580850; for cycles that may leave vertices out: G. Kobeaga, J. Rojas-Delgado, M. Merino, J. A. Lozano, *A
//!    revisited branch-and-cut algorithm for large-scale orienteering problems*, European Journal of Operational Research,
//!    2024, doi:10.1016/j.ejor.2023.07.034). Vertices come by falling visits; one that is settled joins the outside, for
//!    a set with it inside is no longer of interest.
//! 3. Blossoms: sets as in 1, but grown along what is furthest from a whole number, with the parity of what crosses
//!    them put right where that costs least (M. Padberg and M. R. Rao, *Odd minimum cut-sets and b-matchings*,
//!    Mathematics of Operations Research 7 (1982) 67–80, doi:10.1287/moor.7.1.67, find all of them; this finds most).

use super::model::{Cut, Model, NONE};
use crate::instance::Budget;
use crate::lp::network::Network;

/// Less than this is no violation, and no use.
pub(super) const LEAST_VIOLATION: f64 = 1e-3;
const UNUSED: f64 = 1e-7;

pub(super) struct Support {
    /// The vertex that stands for the outside: one behind the others, or the root of a cycle.
    outside: u32,
    network: Network,
    /// Links by falling capacity, each once: capacity, ends.
    falling: Vec<(f64, u32, u32)>,
    visits: Vec<f64>,
}

impl Support {
    pub(super) fn new(model: &Model<'_>, values: &[f64]) -> Self {
        let n = model.vertices() as u32;
        let outside = model.root.unwrap_or(n);
        let mut listed: Vec<(f64, u32, u32, u32)> = Vec::new();
        for (column, edge) in model.instance.graph.edges().iter().enumerate() {
            if values[column] > UNUSED {
                listed.push((values[column], edge.source, edge.target, column as u32));
            }
        }
        for (column, vertex) in model.end_columns() {
            if values[column as usize] > UNUSED {
                listed.push((values[column as usize], vertex, outside, column));
            }
        }
        let network = Network::new(n as usize + 1, &listed);
        let mut falling: Vec<(f64, u32, u32)> = listed.iter().map(|&(value, one, two, _)| (value, one, two)).collect();
        falling.sort_unstable_by(|one, two| two.0.total_cmp(&one.0).then(one.1.cmp(&two.1)).then(one.2.cmp(&two.2)));
        let visit = |vertex: u32| if vertex < n { values[model.visit(vertex) as usize] } else { 0.0 };
        let visits = (0..=n).map(|vertex| if vertex == outside { 0.0 } else { visit(vertex) }).collect();
        Support { outside, network, falling, visits }
    }

    /// Violated borders of sets that grow along the greatest capacities, each with its violation.
    pub(super) fn grown_borders(&self, budget: &Budget) -> Vec<(f64, Cut)> {
        let mut found = Vec::new();
        let mut watch = Watch::new(budget);
        let mut sets = Sets::new(self.visits.len());
        let mut across: Vec<f64> =
            (0..self.visits.len() as u32).map(|v| self.network.at(v).iter().map(|link| link.capacity).sum()).collect();
        let mut greatest: Vec<u32> = (0..self.visits.len() as u32).collect();
        for &(_, one, two) in &self.falling {
            let (one, two) = (sets.find(one), sets.find(two));
            if one == two || one == sets.find(self.outside) || two == sets.find(self.outside) {
                continue;
            }
            let (small, large) = if sets.size(one) < sets.size(two) { (one, two) } else { (two, one) };
            let between = self.between(&mut sets, small, large);
            let crossing = across[one as usize] + across[two as usize] - 2.0 * between;
            let visited = [greatest[one as usize], greatest[two as usize]]
                .into_iter()
                .max_by(|&a, &b| self.visits[a as usize].total_cmp(&self.visits[b as usize]).then(b.cmp(&a)))
                .expect("two");
            let set = sets.join(large, small);
            if watch.is_over(sets.size(set)) {
                break;
            }
            across[set as usize] = crossing;
            greatest[set as usize] = visited;
            let violation = 2.0 * self.visits[visited as usize] - crossing;
            if violation > LEAST_VIOLATION {
                found.push((violation, Cut::Subtour { inside: sets.members(set), visited }));
            }
        }
        found
    }

    /// The capacity between two sets.
    fn between(&self, sets: &mut Sets, small: u32, large: u32) -> f64 {
        let mut sum = 0.0;
        let mut member = small;
        loop {
            for link in self.network.at(member) {
                if sets.find(link.target) == large {
                    sum += link.capacity;
                }
            }
            member = sets.next[member as usize];
            if member == small {
                return sum;
            }
        }
    }

    /// Violated borders by minimum cuts, at most one for each vertex.
    pub(super) fn cheapest_borders(&self, most: usize, budget: &Budget) -> Vec<(f64, Cut)> {
        let mut watch = Watch::new(budget);
        let Some(mut shrunk) = Shrunk::new(self, &mut watch) else { return Vec::new() };
        let mut found = Vec::new();
        for source in shrunk.by_falling_visits() {
            if found.len() >= most || budget.spent().is_some() {
                break;
            }
            let demand = 2.0 * shrunk.visits[source as usize];
            if demand <= LEAST_VIOLATION || shrunk.is_outside[source as usize] {
                continue;
            }
            let Some(flow) = shrunk.flow(source, demand - LEAST_VIOLATION, &mut watch) else { break };
            if flow < demand - LEAST_VIOLATION {
                let (inside, visited) = shrunk.reached(self);
                found.push((demand - flow, Cut::Subtour { inside, visited }));
            }
            shrunk.is_outside[source as usize] = true;
        }
        found
    }

    /// Violated blossoms of sets that grow along what is furthest from a whole number, their teeth among the first `columns`.
    pub(super) fn blossoms(&self, columns: usize, budget: &Budget) -> Vec<(f64, Cut)> {
        let mut found: Vec<(f64, Cut)> = Vec::new();
        let mut watch = Watch::new(budget);
        let mut order = self.falling.clone();
        for entry in &mut order {
            entry.0 = entry.0.min(1.0 - entry.0);
        }
        order.sort_by(|one, two| two.0.total_cmp(&one.0));
        let mut sets = Sets::new(self.visits.len());
        for &(distance, one, two) in &order {
            if distance < UNUSED {
                break;
            }
            let (one, two) = (sets.find(one), sets.find(two));
            let outside = sets.find(self.outside);
            if one == two || one == outside || two == outside {
                continue;
            }
            let (small, large) = if sets.size(one) < sets.size(two) { (one, two) } else { (two, one) };
            let set = sets.join(large, small);
            if watch.is_over(sets.size(set)) {
                break;
            }
            let blossom = self.blossom(&mut sets, set);
            let suits = |teeth: &[u32]| teeth.iter().all(|&column| (column as usize) < columns);
            found.extend(blossom.filter(|(_, cut)| matches!(cut, Cut::Blossom { teeth, .. } if suits(teeth))));
        }
        found
    }

    /// The best blossom round a set, if it is violated.
    fn blossom(&self, sets: &mut Sets, set: u32) -> Option<(f64, Cut)> {
        let inside = sets.members(set);
        let mut teeth = Vec::new();
        let mut least = 0.0;
        // What it costs to count a column on the other side.
        let mut cheapest: (f64, u32) = (f64::INFINITY, NONE);
        for &vertex in &inside {
            for link in self.network.at(vertex).iter().filter(|link| sets.find(link.target) != set) {
                let value = link.capacity.min(1.0);
                if value > 0.5 {
                    teeth.push(link.column);
                }
                least += value.min(1.0 - value);
                let turn = (1.0 - 2.0 * value).abs();
                if turn < cheapest.0 {
                    cheapest = (turn, link.column);
                }
            }
            if least > 1.0 - LEAST_VIOLATION {
                return None;
            }
        }
        if teeth.len().is_multiple_of(2) {
            least += cheapest.0;
            match teeth.iter().position(|&column| column == cheapest.1) {
                Some(at) => drop(teeth.swap_remove(at)),
                None => teeth.push(cheapest.1),
            }
        }
        teeth.sort_unstable();
        let violation = 1.0 - least;
        (violation > LEAST_VIOLATION * 10.0).then_some((violation, Cut::Blossom { inside, teeth }))
    }

    /// The components of the support, without that of the outside.
    pub(super) fn components(&self) -> Vec<Vec<u32>> {
        let mut sets = Sets::new(self.visits.len());
        for &(_, one, two) in &self.falling {
            let (one, two) = (sets.find(one), sets.find(two));
            if one != two {
                sets.join(one, two);
            }
        }
        let outside = sets.find(self.outside);
        let count = self.visits.len() as u32;
        let roots: Vec<u32> = (0..count).filter(|&v| sets.find(v) == v && v != outside && sets.size(v) > 1).collect();
        roots.into_iter().map(|root| sets.members(root)).collect()
    }
}

/// Looks at the limits now and then.
struct Watch<'b> {
    budget: &'b Budget,
    unseen: u32,
}

/// Members of sets gone through between two looks: a few milliseconds.
const MEMBERS_PER_LOOK: u32 = 50_000;

impl<'b> Watch<'b> {
    fn new(budget: &'b Budget) -> Self {
        Watch { budget, unseen: 0 }
    }

    /// Whether a limit is spent, as far as has been seen when this much more is done.
    fn is_over(&mut self, members: u32) -> bool {
        self.unseen = self.unseen.saturating_add(members + 8);
        if self.unseen < MEMBERS_PER_LOOK {
            return false;
        }
        self.unseen = 0;
        self.budget.spent().is_some()
    }
}

/// Disjoint sets whose members can be listed.
struct Sets {
    parent: Vec<u32>,
    count: Vec<u32>,
    /// The members of a set, in a ring.
    next: Vec<u32>,
}

impl Sets {
    fn new(size: usize) -> Self {
        Sets { parent: (0..size as u32).collect(), count: vec![1; size], next: (0..size as u32).collect() }
    }

    fn find(&mut self, mut member: u32) -> u32 {
        while self.parent[member as usize] != member {
            let up = self.parent[self.parent[member as usize] as usize];
            self.parent[member as usize] = up;
            member = up;
        }
        member
    }

    fn size(&self, set: u32) -> u32 {
        self.count[set as usize]
    }

    /// The second joins the first, which gives the name.
    fn join(&mut self, set: u32, other: u32) -> u32 {
        self.parent[other as usize] = set;
        self.count[set as usize] += self.count[other as usize];
        self.next.swap(set as usize, other as usize);
        set
    }

    fn members(&self, set: u32) -> Vec<u32> {
        let mut members = Vec::with_capacity(self.size(set) as usize);
        let mut member = set;
        loop {
            members.push(member);
            member = self.next[member as usize];
            if member == set {
                members.sort_unstable();
                return members;
            }
        }
    }
}

/// The support with vertices joined that no violated border need separate.
struct Shrunk {
    sets: Sets,
    /// Small numbers for the sets.
    number: Vec<u32>,
    visits: Vec<f64>,
    is_outside: Vec<bool>,
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
    fn new(support: &Support, watch: &mut Watch<'_>) -> Option<Self> {
        let size = support.visits.len();
        let mut sets = Sets::new(size);
        let mut across: Vec<f64> =
            (0..size as u32).map(|v| support.network.at(v).iter().map(|link| link.capacity).sum()).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for &(_, one, two) in &support.falling {
                let (one, two) = (sets.find(one), sets.find(two));
                let outside = sets.find(support.outside);
                if one == two || one == outside || two == outside {
                    continue;
                }
                let (small, large) = if sets.size(one) < sets.size(two) { (one, two) } else { (two, one) };
                if watch.is_over(sets.size(small)) {
                    return None;
                }
                let between = support.between(&mut sets, small, large);
                if 2.0 * between >= across[one as usize].max(across[two as usize]) - 1e-9 {
                    let crossing = across[one as usize] + across[two as usize] - 2.0 * between;
                    let set = sets.join(large, small);
                    across[set as usize] = crossing;
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
        let mut is_outside = vec![false; count];
        is_outside[number[sets.find(support.outside) as usize] as usize] = true;
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

    fn by_falling_visits(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.visits.len() as u32).collect();
        order.sort_by(|&one, &two| self.visits[two as usize].total_cmp(&self.visits[one as usize]).then(one.cmp(&two)));
        order
    }

    /// The greatest flow from a set to the outside, along shortest ways (J. Edmonds and R. M. Karp, Journal of the ACM 19,
    /// 1972, doi:10.1145/321694.321699), as soon as it is at least `enough`. `None` if a limit is spent before.
    fn flow(&mut self, source: u32, enough: f64, watch: &mut Watch<'_>) -> Option<f64> {
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

    /// The vertices of all sets reached by the last search, and that of the greatest visit.
    fn reached(&mut self, support: &Support) -> (Vec<u32>, u32) {
        let n = support.visits.len() as u32;
        let mut inside: Vec<u32> = Vec::new();
        for vertex in 0..n {
            let number = self.number_of(vertex);
            if self.by[number as usize] != NONE {
                inside.push(vertex);
            }
        }
        let visits = |vertex: u32| support.visits[vertex as usize];
        let visited = inside.iter().copied().max_by(|&a, &b| visits(a).total_cmp(&visits(b)).then(b.cmp(&a)));
        let visited = visited.expect("the source is inside");
        (inside, visited)
    }
}
