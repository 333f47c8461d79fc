//! Which vertices are alike to all that a path has visited: automorphisms, found as they are needed.
//!
//! Vertices are coloured by what is asked of them and refined by the colours around them (B. Weisfeiler, A. Leman, 1968), those
//! of the path each in a colour of its own. Two of the same colour are alike if an automorphism takes one to the other: one is
//! sought by telling a vertex of the largest cell apart on one side and each of its cell on the other in turn (B. D. McKay,
//! A. Piperno, *Practical graph isomorphism, II*, Journal of Symbolic Computation 60, 2014, DOI 10.1016/j.jsc.2013.09.003).
//! What is found is checked edge by edge, so colours only have to be good, not right. Whoever finds none in the steps that
//! are left takes the vertices for different, which costs time and nothing else.

use super::Question;

/// What may be spent on automorphisms in all: edges looked at.
const MOST_WORK: u64 = 60_000_000;
/// Longer paths leave next to no symmetry.
const LONGEST_PATH: usize = 20;
/// Choices on the way to one automorphism.
const MOST_CHOICES: u32 = 200;

#[derive(Debug)]
pub(super) struct Symmetry {
    /// By vertex what is asked of it.
    colours: Vec<u64>,
    work_left: u64,
}

/// Spreads bits (D. E. Knuth's multiplier and two shifts).
fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 31).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    word ^ word >> 29
}

impl Symmetry {
    pub(super) fn new(question: &Question) -> Self {
        let colour = |vertex: usize| {
            let end = |given: Option<u32>| u64::from(given == Some(vertex as u32));
            let marks = end(question.from) + 2 * end(question.to) + 4 * u64::from(question.visit[vertex]);
            mix(mix(question.prizes[vertex] as u64).wrapping_add(marks))
        };
        let colours: Vec<u64> = (0..question.vertices()).map(colour).collect();
        Symmetry { colours, work_left: MOST_WORK }
    }

    /// Those of `others` that an automorphism takes `vertex` to.
    pub(super) fn orbit(&mut self, question: &Question, vertex: u32, others: &[u32]) -> Vec<u32> {
        if others.is_empty() {
            return Vec::new();
        }
        let mut colours = self.colours.clone();
        if self.refine(question, &mut colours).is_none() {
            return Vec::new();
        }
        let alike = |other: &&u32| colours[**other as usize] == colours[vertex as usize];
        let same: Vec<u32> = others.iter().filter(alike).copied().collect();
        same.into_iter().filter(|&other| self.are_alike(question, &colours, vertex, other)).collect()
    }

    /// One of each class of these vertices that are alike as far as the path is concerned; `None` if no two ever are again.
    pub(super) fn representatives(&mut self, question: &Question, path: &[u32], vertices: &[u32]) -> Option<Vec<u32>> {
        if path.len() > LONGEST_PATH || self.work_left == 0 {
            return None;
        }
        let mut colours = self.colours.clone();
        for (place, &vertex) in path.iter().enumerate() {
            colours[vertex as usize] = mix(place as u64 ^ 0x5851_F42D_4C95_7F2D);
        }
        let cells = self.refine(question, &mut colours)?;
        if cells == question.vertices() {
            return None;
        }
        let mut kept: Vec<u32> = Vec::new();
        for &vertex in vertices {
            let same = |&other: &u32| colours[other as usize] == colours[vertex as usize];
            let rivals: Vec<u32> = kept.iter().copied().filter(same).collect();
            if !rivals.into_iter().any(|other| self.are_alike(question, &colours, other, vertex)) {
                kept.push(vertex);
            }
        }
        Some(kept)
    }

    /// Refines the colours until there are no more of them; returns how many, or nothing if there is no work left.
    fn refine(&mut self, question: &Question, colours: &mut Vec<u64>) -> Option<usize> {
        let graph = &question.graph;
        let cost = (graph.edge_count() * 2 + graph.vertex_count() + 1) as u64;
        let mut cells = count(colours);
        loop {
            self.work_left = self.work_left.checked_sub(cost).or_else(|| {
                self.work_left = 0;
                None
            })?;
            let label =
                |edge: u32| mix(graph.weight(edge) as u64).wrapping_add(u64::from(question.use_edges[edge as usize]));
            let next = |vertex: u32| {
                let out = graph.out_arcs(vertex).iter();
                let out = out.map(|arc| mix(colours[arc.target as usize].wrapping_add(mix(label(arc.edge)))));
                let into: &[_] = if graph.is_directed() { graph.in_arcs(vertex) } else { &[] };
                let into = into.iter().map(|arc| mix(colours[arc.target as usize].wrapping_mul(3) ^ label(arc.edge)));
                out.chain(into).fold(mix(colours[vertex as usize]), u64::wrapping_add)
            };
            let refined: Vec<u64> = (0..graph.vertex_count() as u32).map(next).collect();
            let more = count(&refined);
            if more <= cells {
                return Some(cells);
            }
            (*colours, cells) = (refined, more);
        }
    }

    /// Whether an automorphism that keeps these colours takes `one` to `other`, as far as the work that is left tells.
    fn are_alike(&mut self, question: &Question, colours: &[u64], one: u32, other: u32) -> bool {
        let apart = |vertex: u32| {
            let mut colours = colours.to_vec();
            colours[vertex as usize] = mix(colours[vertex as usize] ^ 0x2545_F491_4F6C_DD1D);
            colours
        };
        // Most often the two change places, and no other vertex does.
        let mut swap: Vec<u32> = (0..question.vertices() as u32).collect();
        swap.swap(one as usize, other as usize);
        if self.is_automorphism(question, &swap) {
            return true;
        }
        let mut open = vec![(apart(one), apart(other))];
        for _ in 0..MOST_CHOICES {
            let Some((mut left, mut right)) = open.pop() else { return false };
            if self.refine(question, &mut left).is_none() || self.refine(question, &mut right).is_none() {
                return false;
            }
            let Some(cells) = Cells::of(&left, &right) else { continue };
            if self.is_automorphism(question, &cells.guess()) {
                return true;
            }
            let Some((vertex, images)) = cells.largest() else { continue };
            for &image in images.iter().rev() {
                let (mut left, mut right) = (left.clone(), right.clone());
                let new = mix(left[vertex as usize] ^ 0x1405_7B7E_F767_814F);
                (left[vertex as usize], right[image as usize]) = (new, new);
                open.push((left, right));
                // The images that are left would be tried in vain sooner than in reach.
                if open.len() > MOST_CHOICES as usize {
                    return false;
                }
            }
        }
        false
    }

    /// Whether all that is asked stays the same when every vertex becomes its image.
    fn is_automorphism(&mut self, question: &Question, image: &[u32]) -> bool {
        let graph = &question.graph;
        self.work_left = self.work_left.saturating_sub(graph.vertex_count() as u64);
        let is_kept = |vertex: usize| {
            self.colours[vertex] == self.colours[image[vertex] as usize] && same(question, vertex as u32, image[vertex])
        };
        if !(0..image.len()).all(is_kept) {
            return false;
        }
        let moved = graph
            .edges()
            .iter()
            .enumerate()
            .filter(|(_, edge)| [edge.source, edge.target].iter().any(|&end| image[end as usize] != end));
        for (number, edge) in moved {
            self.work_left = self.work_left.saturating_sub(1);
            let found = graph.edge_between(image[edge.source as usize], image[edge.target as usize]);
            let alike = |other: u32| {
                graph.weight(other) == edge.weight && question.use_edges[other as usize] == question.use_edges[number]
            };
            if !found.is_some_and(alike) {
                return false;
            }
        }
        true
    }
}

/// Whether the same is asked of two vertices.
fn same(question: &Question, one: u32, other: u32) -> bool {
    let given = |vertex: u32| (question.from == Some(vertex), question.to == Some(vertex));
    let (at, to) = (one as usize, other as usize);
    question.prizes[at] == question.prizes[to] && question.visit[at] == question.visit[to] && given(one) == given(other)
}

/// How many different colours there are.
fn count(colours: &[u64]) -> usize {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

/// Two colourings with the same colours equally often: the vertices of each colour, side by side.
struct Cells {
    left: Vec<(u64, u32)>,
    right: Vec<(u64, u32)>,
}

impl Cells {
    fn of(left: &[u64], right: &[u64]) -> Option<Self> {
        let sorted = |colours: &[u64]| {
            let mut sorted: Vec<(u64, u32)> = colours.iter().copied().zip(0..).collect();
            sorted.sort_unstable();
            sorted
        };
        let cells = Cells { left: sorted(left), right: sorted(right) };
        let same = cells.left.iter().zip(&cells.right).all(|(one, other)| one.0 == other.0);
        same.then_some(cells)
    }

    /// The cells, one after the other.
    fn ranges(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        let mut from = 0;
        self.left.chunk_by(|one, other| one.0 == other.0).map(move |cell| {
            from += cell.len();
            from - cell.len()..from
        })
    }

    /// A map that keeps the colours: what is in a cell on both sides stays where it is.
    fn guess(&self) -> Vec<u32> {
        let mut image = vec![u32::MAX; self.left.len()];
        for range in self.ranges() {
            let (left, right) = (&self.left[range.clone()], &self.right[range]);
            // Both are sorted by vertex.
            let only = |these: &[(u64, u32)], those: &[(u64, u32)]| -> Vec<u32> {
                these.iter().filter(|pair| those.binary_search(pair).is_err()).map(|&(_, vertex)| vertex).collect()
            };
            let both = left.iter().filter(|pair| right.binary_search(pair).is_ok());
            both.for_each(|&(_, vertex)| image[vertex as usize] = vertex);
            for (from, to) in only(left, right).into_iter().zip(only(right, left)) {
                image[from as usize] = to;
            }
        }
        image
    }

    /// A vertex of the largest cell, and what it could become; itself first.
    fn largest(&self) -> Option<(u32, Vec<u32>)> {
        let range = self.ranges().max_by_key(|range| range.len()).filter(|range| range.len() > 1)?;
        let vertex = self.left[range.start].1;
        let mut images: Vec<u32> = self.right[range].iter().map(|&(_, image)| image).collect();
        images.sort_by_key(|&image| image != vertex);
        Some((vertex, images))
    }
}
