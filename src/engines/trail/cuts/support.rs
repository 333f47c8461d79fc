//! What a solution of the program uses, as a graph, and the sets of its vertices that are cut off too cheaply.
//!
//! The *support* has the vertices of the core and the outside, and a link with the value of every line and end that is used.
//! Violated borders and blossoms are looked for in sets that grow by joining vertices along the greatest values, or along
//! those furthest from a whole number; then, if few were found, borders by minimum cuts between the outside and every vertex,
//! where a vertex that is settled joins the outside. The methods are those of the engine for paths, which says where they come
//! from; the parity of what crosses a set is put right where that costs least (M. Padberg and M. R. Rao, *Odd minimum cut-sets
//! and b-matchings*, Mathematics of Operations Research 7, 1982, doi:10.1287/moor.7.1.67, find all; this finds most).

use std::collections::VecDeque;

use super::model::{Cut, Model};
use crate::lp::network::Network;

/// Less than this is no violation, and no use.
pub(super) const LEAST_VIOLATION: f64 = 1e-3;
const UNUSED: f64 = 1e-7;

pub(super) struct Support {
    outside: u32,
    network: Network,
    /// Each once: value, ends.
    listed: Vec<(f64, u32, u32)>,
    visits: Vec<f64>,
}

impl Support {
    pub(super) fn new(model: &Model<'_>, values: &[f64]) -> Self {
        let n = model.vertices() as u32;
        let mut used: Vec<(f64, u32, u32, u32)> = Vec::new();
        for (column, line) in (0..).zip(&model.lines) {
            used.push((values[column as usize], line.ends[0], line.ends[1], column));
        }
        for vertex in 0..n {
            used.extend(model.ends_at(vertex).map(|end| (values[end as usize], vertex, n, end)));
        }
        used.retain(|&(value, ..)| value > UNUSED);
        let network = Network::new(n as usize + 1, &used);
        let listed = used.iter().map(|&(value, one, two, _)| (value, one, two)).collect();
        let visits = (0..n).map(|vertex| values[model.visit(vertex) as usize]).chain([0.0]).collect();
        Support { outside: n, network, listed, visits }
    }

    /// Violated borders and blossoms of sets that grow along the greatest values, or those furthest from a whole number.
    pub(super) fn grown(&self, by_fraction: bool) -> Vec<(f64, Cut)> {
        let key = |value: f64| if by_fraction { value.min(1.0 - value) } else { value };
        let mut order = self.listed.clone();
        order.sort_by(|one, two| key(two.0).total_cmp(&key(one.0)).then(one.1.cmp(&two.1)).then(one.2.cmp(&two.2)));
        let mut found = Vec::new();
        let mut sets = Sets::new(self);
        for vertex in 0..self.outside {
            found.extend(self.blossom(&sets, vertex));
        }
        for &(value, one, two) in &order {
            if key(value) < UNUSED {
                break;
            }
            if let Some(set) = sets.join(self, one, two) {
                let violation = 2.0 * self.visits[sets.most_visited[set as usize] as usize] - sets.across[set as usize];
                if violation > LEAST_VIOLATION {
                    let visited = sets.most_visited[set as usize];
                    found.push((violation, Cut::Subtour { inside: sets.sorted_members(set), visited }));
                }
                found.extend(self.blossom(&sets, set));
            }
        }
        found
    }

    /// The best blossom round a set, if it is violated.
    fn blossom(&self, sets: &Sets, set: u32) -> Option<(f64, Cut)> {
        let mut teeth = Vec::new();
        let mut least = 0.0;
        // What it costs to count a column on the other side.
        let mut cheapest = (f64::INFINITY, u32::MAX);
        for &vertex in &sets.members[set as usize] {
            for link in self.network.at(vertex).iter().filter(|link| sets.name[link.target as usize] != set) {
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
            if least > 1.0 - 10.0 * LEAST_VIOLATION {
                return None;
            }
        }
        if teeth.len().is_multiple_of(2) {
            least += cheapest.0;
            match teeth.iter().position(|&column| column == cheapest.1) {
                Some(at) => drop(teeth.swap_remove(at)),
                None if cheapest.1 != u32::MAX => teeth.push(cheapest.1),
                None => return None,
            }
        }
        teeth.sort_unstable();
        let violation = 1.0 - least;
        let inside = || sets.sorted_members(set);
        (violation > 10.0 * LEAST_VIOLATION).then(|| (violation, Cut::Blossom { inside: inside(), teeth }))
    }

    /// Violated borders by minimum cuts, at most so many.
    pub(super) fn cheapest(&self, most: usize) -> Vec<(f64, Cut)> {
        let mut order: Vec<u32> = (0..self.outside).collect();
        order.sort_by(|&one, &two| self.visits[two as usize].total_cmp(&self.visits[one as usize]).then(one.cmp(&two)));
        let mut flow = Flow {
            support: self,
            room: self.network.links.iter().map(|link| link.capacity).collect(),
            touched: Vec::new(),
            is_outside: vec![false; self.visits.len()],
            entered_by: vec![u32::MAX; self.visits.len()],
            reached: Vec::new(),
        };
        flow.is_outside[self.outside as usize] = true;
        let mut found = Vec::new();
        for vertex in order {
            let demand = 2.0 * self.visits[vertex as usize];
            if demand <= LEAST_VIOLATION || found.len() >= most {
                break;
            }
            let sent = flow.send(vertex, demand - LEAST_VIOLATION);
            if sent < demand - LEAST_VIOLATION {
                let mut inside = flow.reached.clone();
                inside.sort_unstable();
                let by_visit =
                    |one: &&u32, two: &&u32| self.visits[**one as usize].total_cmp(&self.visits[**two as usize]);
                let visited = *inside.iter().max_by(by_visit).expect("the source is inside");
                found.push((demand - sent, Cut::Subtour { inside, visited }));
            }
            flow.reset();
            flow.is_outside[vertex as usize] = true;
        }
        found
    }

    /// The components of the support, without that of the outside.
    pub(super) fn components(&self) -> Vec<Vec<u32>> {
        let mut seen = vec![false; self.visits.len()];
        let mut component = |start: u32| {
            let mut members = Vec::new();
            if !std::mem::replace(&mut seen[start as usize], true) {
                members.push(start);
            }
            let mut next = 0;
            while let Some(&vertex) = members.get(next) {
                next += 1;
                for link in self.network.at(vertex) {
                    if !std::mem::replace(&mut seen[link.target as usize], true) {
                        members.push(link.target);
                    }
                }
            }
            members.sort_unstable();
            members
        };
        component(self.outside);
        (0..self.outside).map(component).filter(|members| members.len() > 1).collect()
    }
}

/// Sets of vertices in the making.
struct Sets {
    name: Vec<u32>,
    members: Vec<Vec<u32>>,
    across: Vec<f64>,
    most_visited: Vec<u32>,
}

impl Sets {
    fn new(support: &Support) -> Self {
        let count = support.visits.len() as u32;
        let across = |vertex| support.network.at(vertex).iter().map(|link| link.capacity).sum();
        Sets {
            name: (0..count).collect(),
            members: (0..count).map(|vertex| vec![vertex]).collect(),
            across: (0..count).map(across).collect(),
            most_visited: (0..count).collect(),
        }
    }

    /// Joins the sets of two vertices, unless they are one or hold the outside; gives the name of the new one.
    fn join(&mut self, support: &Support, one: u32, two: u32) -> Option<u32> {
        let [one, two] = [self.name[one as usize], self.name[two as usize]];
        let outside = self.name[support.outside as usize];
        if one == two || one == outside || two == outside {
            return None;
        }
        let is_smaller = self.members[one as usize].len() < self.members[two as usize].len();
        let (small, large) = if is_smaller { (one, two) } else { (two, one) };
        let moving = std::mem::take(&mut self.members[small as usize]);
        let links = moving.iter().flat_map(|&vertex| support.network.at(vertex));
        let between: f64 =
            links.filter(|link| self.name[link.target as usize] == large).map(|link| link.capacity).sum();
        self.across[large as usize] += self.across[small as usize] - 2.0 * between;
        let rival = self.most_visited[small as usize];
        if support.visits[rival as usize] > support.visits[self.most_visited[large as usize] as usize] {
            self.most_visited[large as usize] = rival;
        }
        moving.iter().for_each(|&vertex| self.name[vertex as usize] = large);
        self.members[large as usize].extend(moving);
        Some(large)
    }

    fn sorted_members(&self, set: u32) -> Vec<u32> {
        let mut members = self.members[set as usize].clone();
        members.sort_unstable();
        members
    }
}

/// A flow from one vertex to the outside.
struct Flow<'s> {
    support: &'s Support,
    /// What each link still has room for.
    room: Vec<f64>,
    touched: Vec<u32>,
    is_outside: Vec<bool>,
    entered_by: Vec<u32>,
    /// The vertices reached in the last search.
    reached: Vec<u32>,
}

impl Flow<'_> {
    /// Sends as much as it can, up to `enough`, by shortest ways.
    fn send(&mut self, source: u32, enough: f64) -> f64 {
        let mut sent = 0.0;
        while sent < enough {
            let Some(sink) = self.search(source) else { break };
            let mut least = f64::INFINITY;
            let mut at = sink;
            while at != source {
                let link = self.entered_by[at as usize];
                least = least.min(self.room[link as usize]);
                at = self.support.network.links[self.support.network.links[link as usize].back as usize].target;
            }
            let mut at = sink;
            while at != source {
                let link = self.entered_by[at as usize];
                let back = self.support.network.links[link as usize].back;
                self.room[link as usize] -= least;
                self.room[back as usize] += least;
                self.touched.extend([link, back]);
                at = self.support.network.links[back as usize].target;
            }
            sent += least;
        }
        sent
    }

    /// A shortest way to the outside.
    fn search(&mut self, source: u32) -> Option<u32> {
        self.reached.iter().for_each(|&vertex| self.entered_by[vertex as usize] = u32::MAX);
        self.reached.clear();
        self.reached.push(source);
        let mut seen = vec![false; self.is_outside.len()];
        seen[source as usize] = true;
        let mut queue = VecDeque::from([source]);
        while let Some(vertex) = queue.pop_front() {
            let row = self.support.network.places(vertex);
            for place in row {
                let target = self.support.network.links[place as usize].target;
                if self.room[place as usize] > UNUSED && !seen[target as usize] {
                    seen[target as usize] = true;
                    self.entered_by[target as usize] = place;
                    if self.is_outside[target as usize] {
                        return Some(target);
                    }
                    self.reached.push(target);
                    queue.push_back(target);
                }
            }
        }
        None
    }

    fn reset(&mut self) {
        for link in self.touched.drain(..) {
            self.room[link as usize] = self.support.network.links[link as usize].capacity;
        }
    }
}
