//! Where to draw the nodes of a graph that says nothing of it.
//!
//! A full grid is recognised and drawn as one. Otherwise each component is laid out so that distances in the picture come
//! near those in the graph: all pairs of nodes are pulled to their distance one after the other, with steps that shrink from
//! round to round. Components stand beside each other in rows.
//!
//! Source: J. X. Zheng, S. Pawar, D. F. M. Goodman, *Graph Drawing by Stochastic Gradient Descent*, IEEE Transactions on
//! Visualization and Computer Graphics 25 (2019) 2738–2748, DOI 10.1109/TVCG.2018.2859997. Departures: the generator is a small
//! one of its own, always begun alike, and above some hundred nodes each node looks at all those near it and at a few others.

use std::collections::VecDeque;

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;
use petgraph::graph::DiGraph;
use petgraph::visit::EdgeRef;

use crate::sets::reached_from;

/// More nodes than this have no readable layout of their own.
pub(super) const MOST_NODES: usize = 3000;

/// Up to so many nodes of a component, every pair counts.
const ALL_PAIRS: usize = 700;

/// How many other nodes each looks at beyond that.
const OTHERS: usize = 150;

/// A place for each node; neighbours are about 1 apart.
pub(super) fn places(graph: &DiGraph<(), i64>) -> Vec<[f64; 2]> {
    let neighbours = neighbours(graph);
    let mut places = vec![[0.0; 2]; graph.node_count()];
    let mut boxes = Vec::new();
    for component in components(&neighbours) {
        let local = grid(&component, &neighbours).unwrap_or_else(|| stress(&component, &neighbours));
        boxes.push((component, local));
    }
    boxes.sort_by_key(|(component, _)| std::cmp::Reverse(component.len()));
    shelve(&boxes, &mut places);
    places
}

fn neighbours(graph: &DiGraph<(), i64>) -> Vec<Vec<u32>> {
    let mut neighbours = vec![Vec::new(); graph.node_count()];
    for edge in graph.edge_references() {
        let (one, two) = (edge.source().index(), edge.target().index());
        if one != two {
            neighbours[one].push(two as u32);
            neighbours[two].push(one as u32);
        }
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    neighbours
}

fn components(neighbours: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut visited = FixedBitSet::with_capacity(neighbours.len());
    let mut components = Vec::new();
    for start in 0..neighbours.len() {
        if !visited[start] {
            let around = |vertex: u32| neighbours[vertex as usize].iter().copied();
            components.push(reached_from(vec![start as u32], &mut visited, around));
        }
    }
    components
}

/// Distances from a node; `u32::MAX` where there is no way.
fn distances(from: u32, neighbours: &[Vec<u32>]) -> Vec<u32> {
    let mut distances = vec![u32::MAX; neighbours.len()];
    distances[from as usize] = 0;
    let mut waiting = VecDeque::from([from]);
    while let Some(node) = waiting.pop_front() {
        for &other in &neighbours[node as usize] {
            if distances[other as usize] == u32::MAX {
                distances[other as usize] = distances[node as usize] + 1;
                waiting.push_back(other);
            }
        }
    }
    distances
}

/// The places of a component that is a whole grid of two rows and columns at least, in the order of the component. Two
/// corners of one side give them: in a grid the distances to both tell row and column.
fn grid(component: &[u32], neighbours: &[Vec<u32>]) -> Option<Vec<[f64; 2]>> {
    let corners: Vec<u32> = component.iter().copied().filter(|&node| neighbours[node as usize].len() == 2).collect();
    let [first, rest @ ..] = &corners[..] else { return None };
    if component.len() < 6 || corners.len() != 4 || component.iter().any(|&node| neighbours[node as usize].len() > 4) {
        return None;
    }
    let from_first = distances(*first, neighbours);
    let second = *rest.iter().min_by_key(|&&corner| from_first[corner as usize])?;
    let columns = i64::from(from_first[second as usize]) + 1;
    let from_second = distances(second, neighbours);
    let place = |node: u32| {
        let (one, two) = (i64::from(from_first[node as usize]), i64::from(from_second[node as usize]));
        let column = (one - two + columns - 1) / 2;
        [column, one - column]
    };
    let cells: Vec<[i64; 2]> = component.iter().map(|&node| place(node)).collect();
    let distinct: std::collections::BTreeSet<[i64; 2]> = cells.iter().copied().collect();
    let rows = cells.iter().map(|cell| cell[1]).max()? + 1;
    let fits = |cell: &[i64; 2]| (0..columns).contains(&cell[0]) && cell[1] >= 0;
    let unit_steps = component.iter().all(|&node| {
        let [column, row] = place(node);
        neighbours[node as usize].iter().all(|&other| {
            let [other_column, other_row] = place(other);
            (column - other_column).abs() + (row - other_row).abs() == 1
        })
    });
    let edges: usize = component.iter().map(|&node| neighbours[node as usize].len()).sum::<usize>() / 2;
    let whole = (rows * columns) as usize == component.len()
        && edges == (rows * (columns - 1) + columns * (rows - 1)) as usize
        && distinct.len() == component.len();
    (whole && unit_steps && cells.iter().all(fits))
        .then(|| cells.into_iter().map(|cell| cell.map(|at| at as f64)).collect())
}

/// A pair of nodes, by position in the component, and how far apart they should be.
struct Term {
    one: u32,
    two: u32,
    distance: f64,
}

/// A generator of numbers, for the order of terms and the beginning (SplitMix64).
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut value = self.0;
        value = (value ^ value >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        value = (value ^ value >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        value ^ value >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.roll() % bound.max(1) as u64) as usize
    }

    fn unit(&mut self) -> f64 {
        (self.roll() >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn stress(component: &[u32], neighbours: &[Vec<u32>]) -> Vec<[f64; 2]> {
    const ROUNDS: i32 = 40;
    const LEAST_STEP: f64 = 0.1;
    let mut dice = Dice(1);
    let mut terms = terms(component, neighbours, &mut dice);
    let farthest = terms.iter().map(|term| term.distance).fold(1.0, f64::max);
    let side = farthest.max(1.0);
    let mut places: Vec<[f64; 2]> = component.iter().map(|_| [dice.unit() * side, dice.unit() * side]).collect();
    let decay = (LEAST_STEP / (farthest * farthest)).ln() / f64::from(ROUNDS - 1);
    for round in 0..ROUNDS {
        let step = farthest * farthest * (decay * f64::from(round)).exp();
        for last in (1..terms.len()).rev() {
            terms.swap(last, dice.below(last + 1));
        }
        for term in &terms {
            let (one, two) = (places[term.one as usize], places[term.two as usize]);
            let between = [one[0] - two[0], one[1] - two[1]];
            let length = between[0].hypot(between[1]).max(1e-9);
            let share = (step / (term.distance * term.distance)).min(1.0) * (length - term.distance) / 2.0 / length;
            for axis in 0..2 {
                places[term.one as usize][axis] -= share * between[axis];
                places[term.two as usize][axis] += share * between[axis];
            }
        }
    }
    spread(&mut places);
    upright(&mut places);
    places
}

/// Pushes nodes apart that lie on each other, as little as it takes.
fn spread(places: &mut [[f64; 2]]) {
    const APART: f64 = 0.55;
    const ROUNDS: usize = 80;
    let cell = |place: [f64; 2]| place.map(|value| (value / APART).floor() as i64);
    for _ in 0..ROUNDS {
        let mut cells: HashMap<[i64; 2], Vec<u32>> = HashMap::new();
        places.iter().zip(0u32..).for_each(|(&place, node)| cells.entry(cell(place)).or_default().push(node));
        let mut moved = false;
        for one in 0..places.len() {
            let [x, y] = cell(places[one]);
            let around = (0..9).filter_map(|at| cells.get(&[x + at % 3 - 1, y + at / 3 - 1]));
            for &two in around.flatten() {
                let two = two as usize;
                let between = [0, 1].map(|axis| places[one][axis] - places[two][axis]);
                let length = between[0].hypot(between[1]);
                if two <= one || length >= APART * 0.98 {
                    continue;
                }
                moved = true;
                // In the same place there is no direction: any will do.
                let turn = one as f64 * 2.4;
                let towards = if length > 1e-6 { between.map(|part| part / length) } else { [turn.cos(), turn.sin()] };
                for axis in 0..2 {
                    let push = (APART - length) / 2.0 * towards[axis];
                    places[one][axis] += push;
                    places[two][axis] -= push;
                }
            }
        }
        if !moved {
            return;
        }
    }
}

/// Every pair, or for each node those two steps away and some others.
fn terms(component: &[u32], neighbours: &[Vec<u32>], dice: &mut Dice) -> Vec<Term> {
    let mut position = vec![u32::MAX; neighbours.len()];
    component.iter().zip(0..).for_each(|(&node, at)| position[node as usize] = at);
    let all = component.len() <= ALL_PAIRS;
    let mut terms = Vec::new();
    for (&node, one) in component.iter().zip(0u32..) {
        let from_here = distances(node, neighbours);
        let mut add = |two: u32| {
            if two != one {
                let distance = f64::from(from_here[component[two as usize] as usize]);
                terms.push(Term { one, two, distance });
            }
        };
        if all {
            (one + 1..component.len() as u32).for_each(&mut add);
            continue;
        }
        for &near in &neighbours[node as usize] {
            add(position[near as usize]);
            neighbours[near as usize].iter().for_each(|&next| add(position[next as usize]));
        }
        for _ in 0..OTHERS {
            add(dice.below(component.len()) as u32);
        }
    }
    terms
}

/// Turns the picture so that it is wider than high: its greatest extent lies on the first axis.
fn upright(places: &mut [[f64; 2]]) {
    let count = places.len().max(1) as f64;
    let middle = [0, 1].map(|axis| places.iter().map(|place| place[axis]).sum::<f64>() / count);
    let moment = |one: usize, two: usize| {
        places.iter().map(|place| (place[one] - middle[one]) * (place[two] - middle[two])).sum::<f64>()
    };
    let angle = 0.5 * (2.0 * moment(0, 1)).atan2(moment(0, 0) - moment(1, 1));
    let (sine, cosine) = angle.sin_cos();
    for place in places {
        let [x, y] = [place[0] - middle[0], place[1] - middle[1]];
        *place = [cosine * x + sine * y, cosine * y - sine * x];
    }
}

/// Puts the components beside each other, in rows about as wide as all of them are high.
fn shelve(boxes: &[(Vec<u32>, Vec<[f64; 2]>)], places: &mut [[f64; 2]]) {
    const GAP: f64 = 1.5;
    let extent = |local: &[[f64; 2]]| {
        let least = [0, 1].map(|axis| local.iter().map(|place| place[axis]).fold(f64::INFINITY, f64::min));
        let greatest = [0, 1].map(|axis| local.iter().map(|place| place[axis]).fold(f64::NEG_INFINITY, f64::max));
        (least, [greatest[0] - least[0] + GAP, greatest[1] - least[1] + GAP])
    };
    let area: f64 = boxes.iter().map(|(_, local)| extent(local).1.iter().product::<f64>()).sum();
    let width = (1.6 * area).sqrt();
    let (mut x, mut y, mut height) = (0.0, 0.0, 0.0f64);
    for (component, local) in boxes {
        let (least, size) = extent(local);
        if x > 0.0 && x + size[0] > width.max(size[0]) {
            (x, y, height) = (0.0, y + height, 0.0);
        }
        for (&node, place) in component.iter().zip(local) {
            places[node as usize] = [x + place[0] - least[0], y + place[1] - least[1]];
        }
        x += size[0];
        height = height.max(size[1]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(n: usize, edges: &[(u32, u32)]) -> DiGraph<(), i64> {
        let mut graph = DiGraph::from_edges(edges.iter().map(|&(one, two)| (one, two, 1)));
        while graph.node_count() < n {
            graph.add_node(());
        }
        graph
    }

    #[test]
    fn a_grid_is_drawn_as_one() {
        let edges: Vec<(u32, u32)> = (0..12u32)
            .flat_map(|cell| [(cell % 4 < 3).then_some((cell, cell + 1)), (cell < 8).then_some((cell, cell + 4))])
            .flatten()
            .collect();
        let places = places(&graph(12, &edges));
        for (one, two) in edges {
            let [one, two] = [one, two].map(|node| places[node as usize]);
            assert!(((one[0] - two[0]).abs() + (one[1] - two[1]).abs() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn a_cycle_is_round_and_a_path_is_straight() {
        let ring: Vec<(u32, u32)> = (0..20).map(|node| (node, (node + 1) % 20)).collect();
        let places_of_ring = places(&graph(20, &ring));
        let middle = [0, 1].map(|axis| places_of_ring.iter().map(|place| place[axis]).sum::<f64>() / 20.0);
        let radii = places_of_ring.iter().map(|place| (place[0] - middle[0]).hypot(place[1] - middle[1]));
        let radii: Vec<f64> = radii.collect();
        let (least, greatest) =
            radii.iter().fold((f64::MAX, 0.0f64), |(least, greatest), &r| (least.min(r), greatest.max(r)));
        assert!(greatest < 1.1 * least, "{least} {greatest}");
        let path: Vec<(u32, u32)> = (0..9).map(|node| (node, node + 1)).collect();
        let places_of_path = places(&graph(10, &path));
        let length = (places_of_path[0][0] - places_of_path[9][0]).hypot(places_of_path[0][1] - places_of_path[9][1]);
        assert!(length > 8.5, "{length}");
    }

    #[test]
    fn no_node_lies_on_another() {
        let star: Vec<(u32, u32)> = (1..20).map(|leaf| (0, leaf)).collect();
        let places = places(&graph(20, &star));
        for one in 0..20 {
            for two in 0..one {
                assert!((places[one][0] - places[two][0]).hypot(places[one][1] - places[two][1]) > 0.5, "{one} {two}");
            }
        }
    }

    #[test]
    fn components_do_not_lie_on_each_other() {
        let places = places(&graph(7, &[(0, 1), (1, 2), (3, 4)]));
        for one in 0..7 {
            for two in 0..one {
                assert!((places[one][0] - places[two][0]).hypot(places[one][1] - places[two][1]) > 0.3, "{one} {two}");
            }
        }
    }
}
