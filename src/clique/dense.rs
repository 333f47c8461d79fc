//! A graph small enough for a bit per pair of vertices.

use super::adjacency::Adjacency;
use super::bits;

/// Rows of bits over vertices `0..len`, the most tightly held first.
pub(super) struct Dense {
    pub(super) words: usize,
    rows: Vec<u64>,
    /// Empty where all weigh 1.
    pub(super) weights: Vec<i64>,
    /// The vertex of the larger graph behind each of these.
    pub(super) outer: Vec<u32>,
}

impl Dense {
    /// What the graph of so many vertices takes, in bytes.
    pub(super) fn bytes(vertices: usize) -> usize {
        vertices.saturating_mul(bits::words_for(vertices)).saturating_mul(8).saturating_add(vertices * 16)
    }

    /// The graph that these vertices induce; `place` holds `u32::MAX` for every vertex, before and after. Empty `weights` stand
    /// for ones.
    pub(super) fn induced(graph: &Adjacency, weights: &[i64], vertices: &[u32], place: &mut [u32]) -> Self {
        let words = bits::words_for(vertices.len());
        for (at, &vertex) in vertices.iter().enumerate() {
            place[vertex as usize] = at as u32;
        }
        let mut rows = vec![0; vertices.len() * words];
        for (row, &vertex) in rows.chunks_exact_mut(words.max(1)).zip(vertices) {
            for &other in graph.neighbours(vertex) {
                let at = place[other as usize];
                if at != u32::MAX {
                    bits::insert(row, at as usize);
                }
            }
        }
        vertices.iter().for_each(|&vertex| place[vertex as usize] = u32::MAX);
        let weights = if weights.is_empty() {
            Vec::new()
        } else {
            vertices.iter().map(|&vertex| weights[vertex as usize]).collect()
        };
        Dense { words, rows, weights, outer: vertices.to_vec() }.sorted()
    }

    /// The same graph with its vertices in the order of a good search: the last removed, in an order by least degree, first.
    fn sorted(self) -> Self {
        let n = self.len();
        let mut degree: Vec<usize> = (0..n).map(|vertex| bits::count(self.row(vertex))).collect();
        let initial = degree.clone();
        let mut left: Vec<usize> = (0..n).collect();
        let mut order = vec![0usize; n];
        for at in (0..n).rev() {
            // Of equals the one of least degree in the whole graph.
            let least = left.iter().enumerate().min_by_key(|&(_, &vertex)| (degree[vertex], initial[vertex], vertex));
            let (slot, &vertex) = least.expect("a vertex for every place");
            left.swap_remove(slot);
            order[at] = vertex;
            bits::elements(self.row(vertex)).for_each(|other| degree[other] -= 1);
        }
        let mut place = vec![0usize; n];
        order.iter().enumerate().for_each(|(at, &vertex)| place[vertex] = at);
        let mut rows = vec![0; self.rows.len()];
        for (row, &vertex) in rows.chunks_exact_mut(self.words.max(1)).zip(&order) {
            bits::elements(self.row(vertex)).for_each(|other| bits::insert(row, place[other]));
        }
        Dense {
            words: self.words,
            rows,
            weights: if self.is_unweighted() {
                Vec::new()
            } else {
                order.iter().map(|&vertex| self.weights[vertex]).collect()
            },
            outer: order.iter().map(|&vertex| self.outer[vertex]).collect(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.outer.len()
    }

    /// The share of pairs of vertices that are adjacent.
    pub(super) fn density(&self) -> f64 {
        let pairs = self.len() as f64 * (self.len() as f64 - 1.0);
        bits::count(&self.rows) as f64 / pairs.max(1.0)
    }

    pub(super) fn row(&self, vertex: usize) -> &[u64] {
        &self.rows[vertex * self.words..(vertex + 1) * self.words]
    }

    pub(super) fn is_unweighted(&self) -> bool {
        self.weights.is_empty()
    }

    pub(super) fn weight(&self, vertex: usize) -> i64 {
        self.weights.get(vertex).copied().unwrap_or(1)
    }
}
