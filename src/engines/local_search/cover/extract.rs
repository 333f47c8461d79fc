//! The best path of the instance that lies on one path of a cover.

use super::{Cover, NOBODY};
use crate::engines::local_search::shape::{Shape, worth};

impl Cover<'_> {
    /// The best path (or cycle) that follows one path of the cover, and for closed shapes one edge off it; its value is reckoned
    /// by weights alone where ends are fixed. `None` if the cover holds none.
    pub(in crate::engines::local_search) fn best_path(&self) -> Option<Vec<u32>> {
        let Shape { through, bridge, closing, .. } = self.shape;
        match (bridge, through) {
            (Some((last, first)), _) => self.close_between(first, last),
            (None, Some(anchor)) if !closing => {
                let mut path = self.follow(anchor, self.real_neighbour(anchor, NOBODY));
                if self.shape.anchored[1] {
                    path.reverse();
                }
                Some(path)
            }
            (None, through) => {
                let mut best: Option<(i64, Vec<u32>)> = None;
                let mut rank = vec![NOBODY; if closing { self.end_place.len() } else { 0 }];
                let mut seen = vec![false; self.end_place.len()];
                for &end in &self.ends {
                    if seen[end as usize] {
                        continue;
                    }
                    let mut path = self.follow(end, self.real_neighbour(end, NOBODY));
                    seen[path[path.len() - 1] as usize] = true;
                    if closing {
                        let Some(cycle) = self.close(&path, &mut rank) else { continue };
                        path = cycle;
                    }
                    if through.is_some_and(|vertex| !path.contains(&vertex)) {
                        continue;
                    }
                    let Some(value) = self.value(&path) else { continue };
                    if best.as_ref().is_none_or(|(known, _)| value > *known) {
                        best = Some((value, path));
                    }
                }
                best.map(|(_, path)| path)
            }
        }
    }

    fn value(&self, path: &[u32]) -> Option<i64> {
        let links = path.len() - usize::from(!self.shape.closing);
        let weight = match self.uniform {
            Some(weight) => weight * links as i64,
            None => {
                let closing = self.shape.closing.then(|| [path[path.len() - 1], path[0]]);
                let graph = &self.instance.graph;
                graph.length_along(path) + closing.map_or(0, |link| graph.length_along(&link))
            }
        };
        let ends = worth(self.instance, path[0], path[path.len() - 1])?;
        Some(weight + if self.shape.closing { 0 } else { ends })
    }

    /// A neighbour on the path other than `but`, which stands for a vertex of the graph.
    fn real_neighbour(&self, vertex: u32, but: u32) -> Option<u32> {
        self.links[vertex as usize].into_iter().find(|&link| link != but && (link as usize) < self.end_place.len())
    }

    /// The path from a vertex by way of its neighbour to the end.
    fn follow(&self, from: u32, next: Option<u32>) -> Vec<u32> {
        let mut path = vec![from];
        let mut next = next;
        while let Some(vertex) = next {
            next = self.real_neighbour(vertex, path[path.len() - 1]);
            path.push(vertex);
        }
        path
    }

    /// The longest cycle made of a stretch of the path and an edge between its ends. The `rank` of every vertex is
    /// [`NOBODY`] before and after.
    fn close(&self, path: &[u32], rank: &mut [u32]) -> Option<Vec<u32>> {
        for (place, &vertex) in (0..).zip(path) {
            rank[vertex as usize] = place;
        }
        let mut longest: Option<(usize, usize)> = None;
        for (from, &vertex) in path.iter().enumerate() {
            for arc in self.instance.graph.out_arcs(vertex) {
                let to = rank[arc.target as usize];
                if to != NOBODY && to as usize > from + longest.map_or(1, |(from, to)| to - from) {
                    longest = Some((from, to as usize));
                }
            }
        }
        path.iter().for_each(|&vertex| rank[vertex as usize] = NOBODY);
        longest.map(|(from, to)| path[from..=to].to_vec())
    }

    /// The path between two fixed ends that goes out from both along the cover for as long as it can, until an edge leads from
    /// one way to the other.
    fn close_between(&self, first: u32, last: u32) -> Option<Vec<u32>> {
        let [one, other] = [first, last].map(|end| self.follow(end, self.real_neighbour(end, NOBODY)));
        let mut rank = vec![NOBODY; self.end_place.len()];
        for (place, &vertex) in other.iter().enumerate() {
            rank[vertex as usize] = place as u32;
        }
        let mut longest: Option<(usize, usize)> = None;
        for (place, &vertex) in one.iter().enumerate() {
            for arc in self.instance.graph.out_arcs(vertex) {
                let rank = rank[arc.target as usize];
                if rank != NOBODY && longest.is_none_or(|(a, b)| place + rank as usize > a + b) {
                    longest = Some((place, rank as usize));
                }
            }
        }
        let (a, b) = longest?;
        Some(one[..=a].iter().chain(other[..=b].iter().rev()).copied().collect())
    }
}
